import { signVoucher } from '@x402/evm/batch-settlement/client';
import test from 'ava';
import { toHex } from 'viem';
import type { ChannelPayload } from '../../../../gateway/access/channel/channel-payload.ts';
import { createVoucherVerifier, isOfOtherTerms } from '../../../../gateway/access/channel/verify-voucher.ts';
import { createChannelHasher } from '../../../../services/payments/contract/channel-ids.ts';
import { createWallet } from '../../../kit/chain.ts';
import { termsOf } from './seller-fixture.ts';

const NETWORK = 'eip155:31337';
const TERMS = termsOf(NETWORK);
const PRICE = 3000n;
const verify = createVoucherVerifier(TERMS, TERMS.channels);
const wallet = createWallet();

async function signed(cumulative = PRICE, changes: Partial<ChannelPayload['config']> = {}): Promise<ChannelPayload> {
  const config = {
    payer: wallet.address.toLowerCase(),
    payerAuthorizer: wallet.address.toLowerCase(),
    receiver: TERMS.payTo.toLowerCase(),
    receiverAuthorizer: TERMS.channels.receiverAuthorizer.toLowerCase(),
    token: TERMS.asset.toLowerCase(),
    withdrawDelaySeconds: TERMS.channels.withdrawDelaySeconds,
    salt: `0x${'0'.repeat(64)}`,
    ...changes,
  };
  const hasher = createChannelHasher(TERMS.channels);
  const channelId = hasher.idOf(config);
  const { signature } = await signVoucher(
    wallet,
    toHex(Buffer.from(channelId.slice(2), 'hex')),
    `${cumulative}`,
    NETWORK,
  );
  const accepted = {
    scheme: 'batch-settlement' as const,
    network: NETWORK,
    amount: String(PRICE),
    asset: TERMS.asset,
    payTo: TERMS.payTo,
    maxTimeoutSeconds: TERMS.maxTimeoutSeconds,
  };
  const intent = { type: 'voucher' } as const;
  return { accepted, config, channelId, cumulativeMicroUsd: cumulative, signature: signature.toLowerCase(), intent };
}

test('accepts vouchers that the package signs, for any sum', async (t) => {
  for (const cumulative of [0n, 1n, PRICE, 10n ** 12n, 2n ** 53n - 1n]) {
    t.is(verify(await signed(cumulative), PRICE), undefined, String(cumulative));
  }
});

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const ZERO = `0x${'0'.repeat(40)}`;
const other = createWallet().address.toLowerCase();
const accepting = (changes: object) => async () => {
  const payload = await signed();
  return { ...payload, accepted: { ...payload.accepted, ...changes } };
};
const signature = (change: (rs: string, v: string) => string) => async () => {
  const payload = await signed();
  return { ...payload, signature: change(payload.signature.slice(0, 130), payload.signature.slice(130)) };
};
const twinOf = (rs: string) => {
  const s = ORDER - BigInt(`0x${rs.slice(66)}`);
  return rs.slice(0, 66) + s.toString(16).padStart(64, '0');
};

const REFUSED: readonly (readonly [string, string, () => Promise<ChannelPayload>])[] = [
  ['another network', 'network_mismatch', accepting({ network: 'eip155:8453' })],
  ['another receiver', 'receiver_mismatch', () => signed(PRICE, { receiver: other })],
  ['another authorizer', 'receiver_authorizer_mismatch', () => signed(PRICE, { receiverAuthorizer: other })],
  ['another token', 'token_mismatch', () => signed(PRICE, { token: other })],
  ['a longer delay', 'withdraw_delay_mismatch', () => signed(PRICE, { withdrawDelaySeconds: 86_401 })],
  ['a delay that is too short', 'withdraw_delay_out_of_range', () => signed(PRICE, { withdrawDelaySeconds: 899 })],
  ['a delay that is too long', 'withdraw_delay_out_of_range', () => signed(PRICE, { withdrawDelaySeconds: 2_592_001 })],
  ['no authorizer of the payer', 'authorizer_address_mismatch', () => signed(PRICE, { payerAuthorizer: ZERO })],
  [
    'the id of another channel',
    'channel_id_mismatch',
    async () => ({ ...(await signed()), channelId: `0x${'1'.repeat(64)}` }),
  ],
  [
    'a signature for another sum',
    'voucher_signature',
    async () => ({ ...(await signed()), cumulativeMicroUsd: 6000n }),
  ],
  ['a signature of another account', 'voucher_signature', () => signed(PRICE, { payerAuthorizer: other })],
  ['a signature with a high s', 'voucher_signature', signature((rs, v) => twinOf(rs) + (v === '1b' ? '1c' : '1b'))],
  ['a signature with v 0 or 1', 'voucher_signature', signature((rs, v) => rs + (v === '1b' ? '00' : '01'))],
  ['a signature of 64 bytes', 'voucher_signature', signature((rs) => rs)],
  ['a signature of zeros', 'voucher_signature', signature(() => `0x${'0'.repeat(128)}1b`)],
  ['a signature of a contract', 'voucher_signature', signature((rs, v) => `${rs}${v}${'6492'.repeat(16)}`)],
  ['a sum that no channel can have', 'cumulative_exceeds_balance', () => signed(2n ** 53n)],
];

for (const [what, reason, make] of REFUSED) {
  test(`refuses ${what}: ${reason}`, async (t) => {
    t.is(verify(await make(), PRICE), `invalid_batch_settlement_evm_${reason}` as ReturnType<typeof verify>);
  });
}

const { asset, payTo, maxTimeoutSeconds } = TERMS;
for (const [change, offered] of [
  [{ amount: '2999' }, `amount must be ${PRICE}`],
  [{ asset: other }, `asset must be ${asset}`],
  [{ payTo: other }, `payTo must be ${payTo}`],
  [{ maxTimeoutSeconds: 60 }, `maxTimeoutSeconds must be ${maxTimeoutSeconds}`],
] as const) {
  test(`refuses another offer, and says that its ${offered}`, async (t) => {
    t.is(verify(await accepting(change)(), PRICE), `invalid_payment_requirements: accepted.${offered}`);
  });
}

test('a refund has no price', async (t) => {
  t.is(verify(await accepting({ amount: '0' })(), undefined), undefined);
});

test('a refund is of a channel with any delay that the contract accepts', async (t) => {
  for (const withdrawDelaySeconds of [900, 86_401, 2_592_000]) {
    t.is(verify(await signed(PRICE, { withdrawDelaySeconds }), undefined), undefined);
  }
  const reason = 'invalid_batch_settlement_evm_withdraw_delay_out_of_range';
  t.is(verify(await signed(PRICE, { withdrawDelaySeconds: 899 }), undefined), reason);
});

test('another price or delay may have been offered earlier, and nothing else', async (t) => {
  for (const [isEarlier, make] of [
    [true, accepting({ amount: '2999' })],
    [true, () => signed(PRICE, { withdrawDelaySeconds: 86_401 })],
    [false, accepting({ asset: other })],
    [false, () => signed(PRICE, { withdrawDelaySeconds: 899 })],
  ] as const) {
    t.is(isOfOtherTerms(verify(await make(), PRICE) ?? ''), isEarlier);
  }
});
