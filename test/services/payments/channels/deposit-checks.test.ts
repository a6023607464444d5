import { readFileSync } from 'node:fs';
import { claimBatchTypes, refundTypes } from '@x402/evm';
import test from 'ava';
import { type Hex, hashTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createAuthorizer } from '../../../../services/payments/channels/authorizer.ts';
import { readAmount, readBytes32, readConfig } from '../../../../services/payments/channels/channel-config.ts';
import {
  claimable,
  encodeMulticall,
  encodeSettles,
  restoreRow,
  restoreRows,
  storeRow,
  storeRows,
} from '../../../../services/payments/channels/claim-rows.ts';
import {
  type DepositPayload,
  readDepositPayload,
  readVoucher,
} from '../../../../services/payments/channels/deposit-payload.ts';
import type { Reason } from '../../../../services/payments/channels/reasons.ts';
import { readAuthorizerKey } from '../../../../services/payments/channels/settings.ts';
import { createTypedData } from '../../../../services/payments/channels/typed-data.ts';
import { authorizationOf, checkDeposit, checkFunds } from '../../../../services/payments/channels/verify-deposit.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { DOMAIN, newChannel, signVoucher } from '../sandbox/channel-chain.ts';
import { AUTHORIZER, AUTHORIZER_KEY, MIN_DEPOSIT, newDeposit, PRICE, wireConfig, wireVoucher } from './channel-wire.ts';
import { hex32, PAY_TO, startWatchedChain, stateOf, terms } from './watched-chain.ts';

const chain = await startWatchedChain();
test.after.always(() => chain.stop());

const NOW_S = 1_800_000_000n;
const DELAY_S = 900;
const channelTerms = {
  receiverAuthorizer: AUTHORIZER.address,
  withdrawDelaySeconds: DELAY_S,
  minDeposit: MIN_DEPOSIT,
};
const typedData = createTypedData(terms);
const OURS = { receiver: PAY_TO, receiverAuthorizer: AUTHORIZER.address, withdrawDelay: DELAY_S };
const invalid = (message: RegExp) => ({ instanceOf: ServiceError, code: 'INVALID_ARGUMENT', message });

/** A deposit that is valid for a minute, with changes of what is signed. */
async function payloadOf({
  config = {},
  ...changes
}: Parameters<typeof newDeposit>[1] & {
  readonly config?: Parameters<typeof newChannel>[0];
} = {}): Promise<DepositPayload> {
  const channel = newChannel({ ...OURS, ...config });
  const { request } = await newDeposit(channel, { validBefore: NOW_S + 60n, ...changes });
  return readDepositPayload(request);
}
const check = (payload: DepositPayload, nowMs = Number(NOW_S) * 1000) =>
  checkDeposit({ terms, channelTerms, typedData }, payload, nowMs);

const bounds: readonly (readonly [string, Parameters<typeof payloadOf>[0], Reason | undefined])[] = [
  ['as it should be', {}, undefined],
  ['of another scheme', { scheme: 'exact' }, 'scheme'],
  ['for another receiver', { config: { receiver: AUTHORIZER.address } }, 'receiver_mismatch'],
  ['with another authorizer', { config: { receiverAuthorizer: PAY_TO } }, 'receiver_authorizer_mismatch'],
  ['of another token', { config: { token: PAY_TO } }, 'token_mismatch'],
  ['with a shorter delay', { config: { withdrawDelay: DELAY_S - 1 } }, 'withdraw_delay_mismatch'],
  ['with a longer delay', { config: { withdrawDelay: DELAY_S + 1 } }, 'withdraw_delay_mismatch'],
  ['below the least', { amount: MIN_DEPOSIT - 1n }, 'deposit_below_min_deposit'],
  ['above the least', { amount: MIN_DEPOSIT + 1n }, undefined],
  ['valid from now on', { validAfter: NOW_S }, undefined],
  ['valid later', { validAfter: NOW_S + 1n }, 'payload_authorization_valid_after'],
  ['valid for six seconds', { validBefore: NOW_S + 6n }, undefined],
  ['valid for five seconds', { validBefore: NOW_S + 5n }, 'payload_authorization_valid_before'],
  ['valid for an hour', { validBefore: NOW_S + 3600n }, undefined],
  ['valid for longer', { validBefore: NOW_S + 3601n }, 'payload_authorization_valid_before'],
];
for (const [name, changes, expected] of bounds) {
  test(`a deposit ${name} is ${expected === undefined ? 'accepted' : 'refused'}`, async (t) => {
    t.is(check(await payloadOf(changes)), expected);
  });
}

test('a deposit of another network, channel or signer is refused', async (t) => {
  const payload = await payloadOf();
  t.is(check({ ...payload, network: 'eip155:1' }), 'network_mismatch');
  t.is(check({ ...payload, voucher: { ...payload.voucher, channelId: hex32(1) } }), 'channel_id_mismatch');
  t.is(check({ ...payload, voucher: { ...payload.voucher, maxClaimableAmount: 1n } }), 'voucher_signature');
  t.is(check({ ...payload, amount: MIN_DEPOSIT + 1n }), 'receive_authorization_signature');
  t.is(check({ ...payload, salt: hex32(1) }), 'receive_authorization_signature');
});

test('a time is compared with the second that has begun', async (t) => {
  const payload = await payloadOf({ validAfter: NOW_S });
  t.is(check(payload, Number(NOW_S) * 1000 + 999), undefined);
  t.is(check(payload, Number(NOW_S) * 1000 - 1), 'payload_authorization_valid_after');
});

for (const [balance, held, claimed, max, expected] of [
  [MIN_DEPOSIT, 0n, 0n, PRICE, undefined],
  [MIN_DEPOSIT - 1n, 0n, 0n, PRICE, 'insufficient_balance'],
  [MIN_DEPOSIT, 0n, 0n, MIN_DEPOSIT, undefined],
  [MIN_DEPOSIT, 0n, 0n, MIN_DEPOSIT + 1n, 'cumulative_exceeds_balance'],
  [MIN_DEPOSIT, 5n, 0n, MIN_DEPOSIT + 5n, undefined],
  [MIN_DEPOSIT, 5n, 0n, MIN_DEPOSIT + 6n, 'cumulative_exceeds_balance'],
  [MIN_DEPOSIT, PRICE, PRICE - 1n, PRICE, undefined],
  [MIN_DEPOSIT, PRICE, PRICE, PRICE, 'cumulative_below_claimed'],
] as const) {
  test.serial(
    `funds of ${balance} beside ${held}, ${claimed} claimed, a voucher for ${max}: ${expected}`,
    async (t) => {
      const payload = await payloadOf({ max });
      await chain.mint(payload.config.payer, balance);
      const { number: block } = await chain.latest();
      // Later blocks do not count.
      await chain.mint(payload.config.payer, MIN_DEPOSIT);
      const state = stateOf(payload.voucher.channelId, { balance: held, totalClaimed: claimed, block });
      t.is(await checkFunds(chain.rpc, terms.asset, payload, state), expected);
    },
  );
}

test('what is signed has the digests of the official client', async (t) => {
  const channel = newChannel();
  t.is(typedData.channelIdOf(channel.config), channel.id);
  const message = { channelId: channel.id, nonce: 3n, amount: 5n };
  const refund = hashTypedData({ domain: DOMAIN, types: refundTypes, primaryType: 'Refund', message });
  t.is(typedData.refundDigest(channel.id, 3n, 5n), refund);
  const claims = [{ channelId: channel.id, maxClaimableAmount: 9n, totalClaimed: 4n }];
  const batch = { domain: DOMAIN, types: claimBatchTypes, primaryType: 'ClaimBatch' } as const;
  t.is(typedData.claimsDigest(claims), hashTypedData({ ...batch, message: { claims } }));
});

test('the authorizer signs as a wallet does', async (t) => {
  const { address, sign } = createAuthorizer(AUTHORIZER_KEY);
  t.is(address, AUTHORIZER.address);
  for (let n = 1; n <= 8; n += 1) t.is(sign(hex32(n)), await AUTHORIZER.sign({ hash: hex32(n) }));
});

test('a configuration is read with checksums, and a malformed one is refused', (t) => {
  const { config } = newChannel();
  const wire = wireConfig({ config });
  t.deepEqual(
    readConfig({ ...wire, payer: wire.payer.toLowerCase(), salt: `0x${wire.salt.slice(2).toUpperCase()}` }),
    config,
  );
  t.is(readConfig({ ...wire, withdrawDelaySeconds: 2n ** 40n - 1n }).withdrawDelay, 2 ** 40 - 1);
  t.throws(() => readConfig({ ...wire, withdrawDelaySeconds: 2n ** 40n }), invalid(/delay is too long/));
  t.throws(() => readConfig(undefined), invalid(/configuration of the channel is missing/));
  for (const name of ['payer', 'payerAuthorizer', 'receiver', 'receiverAuthorizer', 'token']) {
    t.throws(() => readConfig({ ...wire, [name]: '0x1' }), invalid(/address of the channel is malformed/));
  }
  t.throws(() => readConfig({ ...wire, salt: '0x1' }), invalid(/salt is not 32 bytes/));
  t.is(readBytes32(`0x${'A'.repeat(64)}`, 'id'), `0x${'a'.repeat(64)}`);
});

test('an amount is a whole number of up to 128 bits without a leading zero', (t) => {
  for (const amount of [0n, 1n, 10n, 2n ** 128n - 1n]) t.is(readAmount(`${amount}`, 'amount'), amount);
  for (const text of ['', '-1', '01', '1.5', '0x1', ' 1', '1 ', `${2n ** 128n}`, '1'.repeat(40)]) {
    t.throws(() => readAmount(text, 'price'), invalid(/the price is not an amount/), text);
  }
});

test('a voucher is read in lower case, and a malformed one is refused', async (t) => {
  const channel = newChannel();
  const voucher = await wireVoucher(channel, 5n);
  const { signature } = voucher;
  const upper = `0x${signature.slice(2).toUpperCase()}`;
  t.deepEqual(readVoucher({ ...voucher, signature: upper }), {
    channelId: channel.id,
    maxClaimableAmount: 5n,
    signature,
  });
  t.throws(() => readVoucher(undefined), invalid(/voucher is missing/));
  for (const text of [`x${signature}`, `${signature}0`, signature.slice(0, -2), signature.slice(2)]) {
    t.throws(() => readVoucher({ ...voucher, signature: text }), invalid(/signature of the voucher is not 65 bytes/));
  }
  t.throws(() => readVoucher({ ...voucher, channelId: '0x1' }), invalid(/id of the channel is not 32 bytes/));
  t.throws(() => readVoucher({ ...voucher, maxClaimableAmount: '-1' }), invalid(/amount of the voucher is not/));
});

test('the payment of a deposit is read whole', async (t) => {
  const channel = newChannel(OURS);
  const { request, amount } = await newDeposit(channel, { validBefore: 9n, validAfter: 3n });
  const { payload } = JSON.parse(request.paymentJson);
  const { erc3009Authorization } = payload.deposit.authorization;
  const read = readDepositPayload(request);
  t.deepEqual(read, {
    scheme: 'batch-settlement',
    network: 'eip155:31337',
    config: channel.config,
    voucher: readVoucher(request.voucher),
    amount,
    validAfter: 3n,
    validBefore: 9n,
    salt: erc3009Authorization.salt,
    signature: erc3009Authorization.signature,
    range: undefined,
  });
  t.like(authorizationOf(read), { payer: channel.payer.address, amount, validAfter: 3n, validBefore: 9n });
});

test('a payment that is malformed, or not that of the request, is refused', async (t) => {
  const channel = newChannel(OURS);
  const { request } = await newDeposit(channel);
  const changed = (change: (payment: ReturnType<typeof JSON.parse>) => void) => {
    const payment = JSON.parse(request.paymentJson);
    change(payment);
    return { ...request, paymentJson: JSON.stringify(payment) };
  };
  const authorization = (payment: ReturnType<typeof JSON.parse>) =>
    payment.payload.deposit.authorization.erc3009Authorization;
  const malformed = invalid(/not a payment of the type deposit/);
  for (const paymentJson of ['', '{', '{}', 'null'])
    t.throws(() => readDepositPayload({ ...request, paymentJson }), malformed);
  for (const change of [
    (payment) => (payment.payload.type = 'voucher'),
    (payment) => (payment.accepted = {}),
    (payment) => (payment.payload.deposit.amount = '-1'),
    (payment) => (payment.payload.deposit.amount = '01'),
    (payment) => (authorization(payment).salt = `0x${'1'.repeat(65)}`),
    (payment) => (authorization(payment).salt = '0x'),
    (payment) => (authorization(payment).signature = '0x'),
    (payment) => (authorization(payment).validAfter = 5),
    (payment) => (payment.payload.channelConfig = {}),
    (payment) => (payment.payload.voucher = {}),
  ] as const satisfies readonly ((payment: ReturnType<typeof JSON.parse>) => unknown)[]) {
    t.throws(() => readDepositPayload(changed(change)), malformed);
  }
  const largest = `${2n ** 256n - 1n}`;
  for (const name of ['validAfter', 'validBefore']) {
    t.notThrows(() => readDepositPayload(changed((payment) => (authorization(payment)[name] = largest))));
    const above = changed((payment) => (authorization(payment)[name] = `${2n ** 256n}`));
    t.throws(() => readDepositPayload(above), invalid(/a time is too large/));
  }
  t.is(readDepositPayload({ ...request, range: 'a'.repeat(64) }).range, 'a'.repeat(64));
  for (const range of ['', '203.0.113.0/24', 'A'.repeat(64), 'a'.repeat(63)])
    t.throws(() => readDepositPayload({ ...request, range }), invalid(/range is not a hash/));
  const another = invalid(/another configuration or voucher than the request/);
  for (const other of [
    { config: wireConfig(newChannel(OURS)) },
    { config: { ...request.config, withdrawDelaySeconds: 901n } },
    { voucher: await wireVoucher(channel, PRICE + 1n) },
  ]) {
    t.throws(() => readDepositPayload({ ...request, ...other }), another);
  }
});

const rowOf = async (totalClaimed: bigint) => {
  const channel = newChannel();
  const signature = await signVoucher(channel.payerAuthorizer, channel.id, 9n);
  return {
    config: channel.config,
    voucher: { channelId: channel.id, maxClaimableAmount: 9n, signature },
    totalClaimed,
  };
};

test('rows of claims are stored and restored, and others are refused', async (t) => {
  const rows = [await rowOf(5n), await rowOf(2n ** 100n)];
  const claim = { id: 'claim:1', kind: 'claim', fromBlock: 1n } as const;
  t.deepEqual(restoreRows({ ...claim, request: storeRows(rows) }), rows);
  t.deepEqual(restoreRow(storeRow(await rowOf(5n))).totalClaimed, 5n);
  for (const request of ['{}', '[{}]', 'null'])
    t.throws(() => restoreRows({ ...claim, request }), { message: /record of claim:1 is malformed/ });
});

test('what can be claimed is at most what the contract holds, and more than is claimed', async (t) => {
  const row = await rowOf(5n);
  for (const [balance, totalClaimed, expected] of [
    [9n, 0n, 5n],
    [5n, 4n, 5n],
    [4n, 0n, 4n],
    [4n, 4n, undefined],
    [9n, 5n, undefined],
    [9n, 6n, undefined],
  ] as const) {
    const found = claimable(row, stateOf(row.voucher.channelId, { balance, totalClaimed }));
    t.deepEqual(found, expected === undefined ? undefined : { ...row, totalClaimed: expected });
  }
});

test('each receiver is sent its money once', async (t) => {
  const configs = [newChannel(OURS), newChannel(OURS), newChannel()].map(({ config }) => config);
  t.is(encodeSettles(configs).length, 2);
  t.deepEqual(encodeSettles([]), []);
  t.true(encodeMulticall(encodeSettles(configs)).includes(PAY_TO.slice(2).toLowerCase()));
});

const KEY: Hex = `0x${'1'.repeat(64)}`;

test('the key of the settings is read, or created once', (t) => {
  const folder = createTestFolder();
  t.teardown(() => folder.remove());
  const settings = { isOffered: true, withdrawDelaySeconds: 900, minDeposit: 5n };
  t.is(readAuthorizerKey({ ...settings, authorizerKey: KEY }), KEY);
  const path = `${folder.runDir}/keys/authorizer`;
  const authorizerKey = { path, name: 'X402_RECEIVER_AUTHORIZER_KEY', mayCreate: true };
  const created = readAuthorizerKey({ ...settings, authorizerKey });
  t.is(privateKeyToAccount(created).address.length, 42);
  t.true(readFileSync(path).length > 0);
  t.is(readAuthorizerKey({ ...settings, authorizerKey }), created);
});
