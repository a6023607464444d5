import test from 'ava';
import { privateKeyToAddress } from 'viem/accounts';
import { createPartitions } from '../../../../services/backoffice/retention/partitions.ts';
import { takeKeys } from '../../../../services/backoffice/retention/retention-keys.ts';
import { createChannelLedger } from '../../../../services/ledger/store/charge.ts';
import { openLedgerPool } from '../../../../services/ledger/store/ledger-pool.ts';
import { makePartitions } from '../../../../services/ledger/store/partitions.ts';
import { createPost } from '../../../../services/ledger/store/post.ts';
import { createVoucherCipher } from '../../../../services/ledger/store/voucher-cipher.ts';
import { listActs } from '../../../../services/store/operator-acts.ts';
import { newCharge } from '../../../services/ledger/channel-fixture.ts';
import { assertUnchanged } from '../../../services/payments/all-state.ts';
import { useChannelStack } from '../../../services/payments/channels/channel-stack.ts';
import { MIN_DEPOSIT, NETWORK, PRICE, wireVoucher } from '../../../services/payments/channels/channel-wire.ts';
import { commandIn } from './run-command.ts';

const KEYS = [{ id: 'k1', secret: Buffer.alloc(32, 1) }] as const;
const { stack, service } = await useChannelStack();
const channel = await stack.deposited(service.channels);
await charge();

/** Charges two calls that are not claimed. */
async function charge(): Promise<void> {
  const { databaseUrl: url } = stack.sandbox;
  const pool = openLedgerPool({ url, connections: 1, statementTimeoutMs: 60_000, onError: () => {} });
  await makePartitions(pool);
  await createPartitions(stack.database, Date.now());
  const ledger = createChannelLedger({ pool, network: NETWORK, cipher: createVoucherCipher(KEYS) });
  for (const cumulativeMicroUsd of [PRICE, 2n * PRICE]) {
    const { signature } = await wireVoucher(channel, cumulativeMicroUsd);
    const call = newCharge({ channelId: channel.id, cumulativeMicroUsd, signature, amountMicroUsd: PRICE });
    const { state } = await ledger.charge(call);
    if (state !== 'reserved') throw new Error(state);
    const body = Buffer.from('sealed');
    await createPost({ pool, network: NETWORK })({
      reservationId: call.reservationId,
      requestId: undefined,
      keyId: 'k1',
      request: body,
      response: body,
    });
  }
  await pool.end();
}

const command = commandIn(
  {
    DATABASE_URL: stack.sandbox.databaseUrl,
    PAYMENTS_URL: service.target,
    RETENTION_KEYS: KEYS.map(({ id, secret }) => `${id}:${secret.toString('base64')}`).join(),
    TOLLHOUSE_OPERATOR: 'alice',
  },
  'channels',
);
const run = (...args: readonly string[]) => stack.whileMining(() => command(...args));

const actsOf = async () =>
  (await listActs(stack.database, { subject: channel.id, limit: 10 })).map(({ action, operator }) => [
    action,
    operator,
  ]);

test.serial('channels are listed and shown, with what is not claimed', async (t) => {
  const listed = await run('list');
  t.regex(listed.output, new RegExp(`${channel.id} .* 0.028000 USDC$`, 'm'));
  const { output } = await run('show', channel.id);
  t.regex(output, /account +charged 0\.028000 USDC, reserved 0\.000000 USDC, left 0\.112000 USDC/);
  t.regex(output, /unclaimed +0\.028000 USDC, of which 0\.014000 USDC can be claimed since 2/);
  t.regex(output, /deposit +.* done +0x[0-9a-f]{64} +0\.140000 USDC/);
  t.is((await run('show', `0x${'1'.repeat(64)}`)).exitCode, 1);
  t.is((await run('show', 'x')).exitCode, 2);
});

test.serial('a claim and a refund need a reason, and nothing is recorded without one', async (t) => {
  t.is((await run('claim', channel.id)).exitCode, 2);
  t.is((await run('refund', channel.id)).exitCode, 2);
  t.deepEqual(await actsOf(), []);
});

test.serial('a dry run prints what a claim or a refund would do, and changes nothing', async (t) => {
  const signer = privateKeyToAddress(stack.env.X402_SIGNER_KEY);
  await assertUnchanged(t, stack, signer, async () => {
    const dry = (...args: readonly string[]) => run(...args, '--reason', 'x', '--dry-run');
    const GAS = /^gas {8}\d+ units, at most 0\.0\d+ ETH\ndry run: nothing was signed, stored or sent$/m;
    const claimed = await dry('claim');
    t.true(claimed.output.startsWith(`would pay  0.014000 USDC to ${stack.payee} on ${NETWORK}, from ${channel.id}\n`));
    t.regex(claimed.output, GAS);
    const refunded = await dry('refund', channel.id);
    const payer = channel.payer.address;
    t.true(
      refunded.output.startsWith(`would pay  0.112000 USDC to ${payer} on ${NETWORK}, from ${channel.id}
would pay  0.028000 USDC to ${stack.payee} on`),
      refunded.output,
    );
    t.regex(refunded.output, GAS);
    const { output } = await dry('refund', channel.id, '--amount', '7', '--json');
    t.like(JSON.parse(output), { dryRun: true, transfers: { length: 1, 0: { to: payer, amount: '7' } } });
    for (const [args, exitCode, errors] of [
      [['refund', channel.id, '--amount', `${2n * MIN_DEPOSIT}`], 1, 'not refunded: exceeds_balance'],
      [['claim', `0x${'1'.repeat(64)}`], 1, `channel 0x${'1'.repeat(64)} is not known`],
      [['refund', 'x'], 2, 'CHANNEL_ID is 0x and 64 hexadecimal digits: see channels list'],
    ] as const) {
      const refused = await dry(...args);
      t.deepEqual([refused.exitCode, refused.errors], [exitCode, errors]);
    }
  });
});

test.serial('an operator claims all but the latest call', async (t) => {
  const { exitCode, output, errors } = await run('claim', '--reason', 'before an upgrade');
  t.is(exitCode, 0, errors);
  t.regex(output, /claimed in total 0\.014000 USDC/);
  t.is((await stack.chain.stateOf(channel)).totalClaimed, PRICE);
  t.is((await run('claim', '--reason', 'again')).output, 'nothing is unclaimed');
  t.deepEqual(await actsOf(), [['channels.claim', 'alice']]);
});

test.serial(
  'an operator returns a part of a channel, and then the rest, with a claim of what was charged',
  async (t) => {
    const part = await run('refund', channel.id, '--amount', `${PRICE}`, '--reason', 'asked by the payer');
    t.regex(part.output, /refunded 0\.014000 USDC in 0x/);
    const rest = await run('refund', channel.id, '--reason', 'asked by the payer', '--json');
    t.like(JSON.parse(rest.output), { amount: `${MIN_DEPOSIT - 3n * PRICE}` });
    t.like(await stack.chain.stateOf(channel), { balance: 2n * PRICE, totalClaimed: 2n * PRICE, refundNonce: 2n });
    const none = await run('refund', channel.id, '--reason', 'once more');
    t.deepEqual([none.exitCode, none.errors], [1, 'not refunded: exceeds_balance']);
    t.is((await actsOf()).length, 4);
    const sent = (await stack.transactions()).filter(({ request }) => JSON.stringify(request).includes(channel.id));
    t.deepEqual([...new Set(sent.map(({ state }) => state))], ['done']);
  },
);

test.serial('vouchers are sealed anew with the first key, once a back office has it', async (t) => {
  t.is((await run('reseal')).exitCode, 2);
  const reseal = () => run('reseal', '--reason', 'a new key', '--json');
  t.regex((await reseal()).errors, /^RETENTION_KEY_MISSING: no back office has started with this key/);
  await takeKeys(stack.database, KEYS);
  t.deepEqual(JSON.parse((await reseal()).output), { resealed: 0, unreadable: [] });
});
