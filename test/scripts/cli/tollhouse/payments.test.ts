import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import type { Hex } from 'viem';
import { SettlementOutcome } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../kit/chain.ts';
import { takeRecurring } from '../../../kit/recurring-copy.ts';
import { HANG_MS, until } from '../../../kit/until.ts';
import { assertUnchanged } from '../../../services/payments/all-state.ts';
import { AMOUNT } from '../../../services/payments/harness.ts';
import { CONFIRMATIONS, PAYEE, REORGANIZED_BLOCKS, startOwnPayee } from '../../../services/payments/own-payee.ts';
import { openPaymentCommands } from './payment-commands.ts';
import { readEarnings, readList, readNeeded, readShown } from './payment-reports.ts';

const PRICE = BigInt(AMOUNT);
const UNKNOWN = '01890000-0000-7000-8000-000000000000';

// One test waits until a settlement is out of time.
const stack = await startOwnPayee({ SETTLE_TIMEOUT_MS: '1000' });
test.after.always(() => stack.stop());

const { run, stateOf, reconcile, record, refund, actsOf } = openPaymentCommands(stack);

test.serial('lists and shows payments, with what the chain says', async (t) => {
  const { claimId, payment, transaction } = await stack.settled();
  const listed = readList((await run('list', '--state', 'settled', '--json')).output);
  t.deepEqual(
    listed.map(({ claimId: id, amount }) => [id, amount]),
    [[claimId, AMOUNT]],
  );
  t.deepEqual(readList((await run('list', '--state', 'final', '--json')).output), []);
  const shown = readShown((await run('show', claimId, '--json')).output);
  t.like(shown, { claim: { state: 'settled' }, outcome: { success: true }, acts: [] });
  t.like(shown.chain, { authorization: 'settled', confirmations: 4 });
  await stack.finalize(claimId);
  const { payer } = { payer: payment.payload.authorization.from };
  const { output } = await run('list', '--payer', payer.toLowerCase());
  t.regex(output, new RegExp(`^${claimId} .* final .*0\\.003000 USDC  ${payer}  ${transaction}$`, 'm'));
  t.regex((await run('show', claimId)).output, /chain {8}paid in transaction .*, 12 of 8 confirmations/);
});

test.serial('wrong arguments are refused with exit code 2', async (t) => {
  for (const args of [
    [],
    ['show'],
    ['show', 'x'],
    ['list', '--state', 'odd'],
    ['list', '--payer', '0x1'],
    ['refund', UNKNOWN],
    ['release', UNKNOWN, '--reason', ' '],
    ['refund', UNKNOWN, '--reason', 'x', '--transaction', '0x1'],
    ['refund', UNKNOWN, '--reason', 'x', '--transaction', `0x${'1'.repeat(64)}`, '--dry-run'],
    ['refund', UNKNOWN, '--reason', 'x', '--transaction', `0x${'1'.repeat(64)}`, '--again'],
    ['reconcile', 'all'],
  ])
    t.is((await run(...args)).exitCode, 2, args.join(' '));
  const { exitCode, errors } = await run('refund', UNKNOWN, '--reason', 'x');
  t.is(exitCode, 1);
  t.is(errors, 'no such claim');
});

test.serial('the transfer of a refund is printed once, and only for a final settlement', async (t) => {
  const paid = await stack.settled();
  const { claimId, payment } = paid;
  const ask = (...options: readonly string[]) => run('refund', claimId, '--reason', 'ticket 17', ...options);
  const early = await ask();
  t.is(early.exitCode, 1);
  t.regex(early.errors, /^not refunded: its settlement is not final yet/);
  t.deepEqual(await ask('--dry-run'), early);
  await stack.finalize(claimId);
  let dry = '';
  await assertUnchanged(t, stack, PAYEE, async () => {
    ({ output: dry } = await ask('--dry-run'));
  });
  const answers = await Promise.all([ask('--json'), ask('--json')]);
  const told = answers.filter(({ exitCode }) => exitCode === 0);
  t.is(told.length, 1);
  const { asset, network } = stack.offer;
  const to = payment.payload.authorization.from;
  const { needed } = readNeeded(defined(told[0]).output);
  t.deepEqual(needed, { network, asset, from: PAYEE, to, amount: AMOUNT });
  for (const part of [`from     ${PAYEE}`, `to       ${to}`, `amount   0.003000 USDC (${AMOUNT} atomic units)`])
    t.true(dry.includes(part), dry);
  t.is(await stateOf(claimId), 'refunding');
  const OPEN = /^not refunded: its refund is open since 20.*record it with --transaction/;
  t.regex((await ask()).errors, OPEN);
  t.regex((await ask('--dry-run')).errors, OPEN);

  const openAt = (time: string) =>
    stack.database.updateTable('payment_refund').set({ opened_at: time }).where('claim_id', '=', claimId).execute();
  await openAt('2100-01-01');
  t.regex((await ask('--again')).errors, /no block from after the opening of the refund is final yet/);
  await openAt('2026-01-01');
  t.is((await ask('--again')).exitCode, 0, 'no such transfer is in the chain');
  const transaction = await stack.chain.transfer(PAYEE, to, PRICE);
  const SENT = new RegExp(`^not refunded: transaction ${transaction} transferred the same amount to the payer`);
  t.regex((await ask('--again')).errors, SENT);
  t.regex((await record(claimId, transaction)).errors, /is not final yet/);
  await stack.chain.node.mine({ blocks: CONFIRMATIONS });
  await reconcile();
  t.regex((await ask('--again')).errors, SENT, 'also where a reconciliation reported it');
  t.is((await record(claimId, transaction)).output, `refunded in ${transaction}`);
  t.is((await record(claimId, transaction)).output, `refunded in ${transaction}`);
  t.is((await ask('--again')).output, `refunded in ${transaction}`);
  t.is(await stateOf(claimId), 'refunded');
  t.is(await stack.chargedTo(payment), 0n);
  const acts = await actsOf(claimId);
  t.deepEqual(
    acts.map(({ action, operator }) => [action, operator]),
    [
      ['payments.refund-sent', 'alice'],
      ['payments.refund', 'alice'],
      ['payments.refund', 'alice'],
    ],
  );
});

test.serial('a refund whose record a restored database lost is not printed again', async (t) => {
  const paid = await stack.settled();
  const { claimId } = paid;
  await stack.finalize(claimId);
  const transaction = await refund(paid);
  await stack.database.deleteFrom('payment_refund').where('claim_id', '=', claimId).execute();
  const again = () => run('refund', claimId, '--reason', 'ticket 17');
  const UNKNOWN_YET = /^not refunded: the database was restored, and may lack the record of a refund/;
  const REFUSED = new RegExp(`^not refunded: transaction ${transaction} transferred the same amount`);
  await sql`UPDATE ledger.epoch SET identity = 'another'`.execute(stack.database);
  t.regex((await again()).errors, UNKNOWN_YET, 'until the ledger notices it, too');
  await until(
    async () => (await sql`SELECT FROM ledger.epoch WHERE number = 1`.execute(stack.database)).rows.length === 1,
  );
  t.regex((await again()).errors, UNKNOWN_YET);
  await stack.chain.node.mine({ blocks: CONFIRMATIONS, interval: 1 });
  t.regex((await again()).errors, REFUSED);
  t.is((await record(claimId, transaction)).output, `refunded in ${transaction}`);
  // The other tests do not wait until payments are taken again.
  await sql`UPDATE ledger.epoch SET began_at = began_at - interval '10 seconds'`.execute(stack.database);
  await until(() => stack.settled().then(() => true));
});

test.serial('a transfer refunds one claim, and only one of its payer and amount', async (t) => {
  const [paid, other] = [await stack.settled(), await stack.settled()];
  await stack.finalize(other.claimId);
  const payer = paid.payment.payload.authorization.from;
  const wrong = await stack.chain.transfer(PAYEE, payer, PRICE - 1n);
  const right = await stack.chain.transfer(PAYEE, payer, PRICE);
  await stack.chain.node.mine({ blocks: CONFIRMATIONS });
  t.regex((await record(paid.claimId, wrong)).errors, /does not transfer 3000 from/);
  t.regex((await record(other.claimId, right)).errors, /does not transfer 3000 from/);
  t.is((await record(paid.claimId, right)).output, `refunded in ${right}`, 'nobody asked for it before');
  const again = await stack.chain.transfer(PAYEE, payer, PRICE);
  await stack.chain.node.mine({ blocks: CONFIRMATIONS });
  t.is((await record(paid.claimId, again)).errors, `not refunded: it was refunded in transaction ${right}`);
});

/** Keeps the service from following settlements, as another copy would. The operator is first then. */
async function stopFollowing(t: ExecutionContext): Promise<void> {
  const session = await takeRecurring(stack.sandbox.databaseUrl, 'payments:eip155:31337');
  t.teardown(session.end);
}

test.serial('a claim is released only when its authorization can no longer be used', async (t) => {
  t.teardown(() => stack.chain.node.setAutomine(true));
  await stopFollowing(t);
  const { claimId, wallet, payment } = await stack.executed();
  const { chain } = stack;
  const release = () => run('release', claimId, '--reason', 'ticket 18');
  const isUsable = async () =>
    /^not released: its authorization can still be used, until 20/.test((await release()).errors);
  t.true(await isUsable());
  await chain.node.setAutomine(false);
  const { outcome } = await stack.service().settle(claimId);
  t.is(outcome, SettlementOutcome.SETTLEMENT_OUTCOME_PENDING);
  t.regex((await release()).errors, /^not released: transaction 0x[0-9a-f]{64} waits to be mined/);
  // The service replaces a transaction that waits. Its hash is noted before it is sent.
  const isDropped = async () => {
    const { transaction: hash } = await stack.claimOf(claimId);
    await chain.node.dropTransaction({ hash: defined(hash) as Hex });
    return isUsable();
  };
  await until(isDropped);
  await chain.node.setAutomine(true);
  await chain.cancel(wallet, stack.offer, payment.payload.authorization.nonce);
  t.regex((await release()).errors, /^not released: the chain has not confirmed that/);
  await chain.node.mine({ blocks: CONFIRMATIONS });
  t.is(
    (await release()).output,
    'released: its authorization can no longer be used (invalid_exact_evm_nonce_already_used)',
  );
  t.is(await stateOf(claimId), 'released');
  t.is((await release()).errors, 'not released: the claim is released: there is nothing to release');
  t.like(await actsOf(claimId), [{ action: 'payments.release', reason: 'ticket 18' }]);
  t.is(await stack.service().outcomeOf(claimId), SettlementOutcome.SETTLEMENT_OUTCOME_FAILED);
});

test.serial('reconciles settled claims, refunds and the balance with the transfers of the chain', async (t) => {
  const { chain } = stack;
  await chain.node.mine({ blocks: CONFIRMATIONS });
  await reconcile();
  const one = await stack.settled();
  const two = await stack.settled();
  await stack.finalize(two.claimId);
  await refund(two);
  const withdrawal = await chain.transfer(PAYEE, createWallet().address, 1n);
  await chain.node.mine({ blocks: CONFIRMATIONS });
  const clean = await reconcile();
  t.like(clean, { exitCode: 0, differs: false });
  t.deepEqual(
    clean.run.refunds.map(({ claimId }) => claimId),
    [two.claimId],
  );
  t.deepEqual(
    clean.run.otherTransfersSent.map(({ transaction }) => transaction),
    [withdrawal],
  );
  t.is((await run('reconcile')).output.split('\n')[0], 'no new final blocks');

  const gift = await chain.mint(PAYEE, 77n);
  const lost = await stack.settled();
  await stack.finalize(lost.claimId);
  await stack.database
    .updateTable('ledger.payment_claim')
    .set({ transaction: one.transaction })
    .where('claim_id', '=', lost.claimId)
    .execute();
  const differing = await run('reconcile');
  t.is(differing.exitCode, 1);
  t.true(
    differing.output.includes(`DIFFERENCE  0.000077 USDC from 0x0000000000000000000000000000000000000000 in ${gift}`),
  );
  t.false(
    differing.output.includes(`settled claim ${lost.claimId} has no transfer`),
    'it is found by its authorization',
  );
});

test.serial('a payments process in trouble: records are shown, and nothing is claimed to have happened', async (t) => {
  const { claimId } = await stack.settled();
  await stack.finalize(claimId);
  await stack.service().stop();
  t.is((await run('list')).exitCode, 0);
  const shown = readShown((await run('show', claimId, '--json')).output);
  t.is(shown.claim.state, 'final');
  t.regex(defined(shown.chain.error), /does not answer/);
  for (const args of [['refund', claimId, '--reason', 'x'], ['release', claimId, '--reason', 'x'], ['reconcile']]) {
    const { exitCode, errors } = await run(...args);
    t.is(exitCode, 1);
    t.regex(errors, /^the payments service at unix:.* does not answer/);
  }
  await stack.restart();
});

test.serial('a settlement that the chain lost is listed and found by the reconciliation', async (t) => {
  const { chain } = stack;
  const validBefore = `${Math.floor(Date.now() / 1000) + 120}`;
  const { claimId } = await stack.settled({ validBefore });
  await stack.service().stop();
  await chain.reorganize(REORGANIZED_BLOCKS);
  await chain.passTime(Number(validBefore));
  await chain.node.mine({ blocks: CONFIRMATIONS });
  await stack.restart();
  t.true(await stack.untilClaim(claimId, ({ lost_at }) => lost_at !== null));
  t.deepEqual(
    readList((await run('list', '--state', 'lost', '--json')).output).map((claim) => claim.claimId),
    [claimId],
  );
  const counts = await stack.service().call((client) => client.countPayments, {}, { timeoutMs: HANG_MS });
  t.is(counts.lost, 1);
  const { exitCode, run: last } = await reconcile();
  t.is(exitCode, 1);
  t.is(last.differences.claimsWithoutTransfer.length, 1);
  t.like(last.differences.claimsWithoutTransfer[0], {
    claimId,
    reason: 'invalid_exact_evm_payload_authorization_valid_before',
  });
  t.regex((await run('refund', claimId, '--reason', 'x')).errors, /^not refunded: its settlement was lost/);
});

const earn = async (...args: readonly string[]) => readEarnings((await run('earnings', '--json', ...args)).output);

test.serial('earnings are what the payments, the chain and its receipts say', async (t) => {
  const { claimId } = await stack.settled();
  await stack.finalize(claimId);
  const listed = readList((await run('list', '--json')).output);
  const sumOf = (...states: readonly string[]) =>
    listed.reduce((sum, { state, amount }) => sum + (states.includes(state) ? BigInt(amount) : 0n), 0n);
  const [total] = await earn();
  const sold = sumOf('settled', 'final', 'refunded');
  const refunded = sumOf('refunded');
  t.true(sold > refunded && refunded > 0n);
  t.like(total, { soldMicroUsd: `${sold}`, settledMicroUsd: `${sold}`, refundedMicroUsd: `${refunded}` });
  t.is(total?.netMicroUsd, `${sold - refunded}`);
  t.deepEqual(
    (await earn('--by', 'operation')).map(({ operation }) => operation),
    ['-', 'html-to-markdown'],
  );

  const { node } = stack.chain;
  const costs = async () => {
    const sent = await stack.database
      .selectFrom('signer_transaction')
      .select(['hash', 'known_at'])
      .where('signer', '=', PAYEE.toLowerCase())
      .execute();
    t.true(sent.length > 5);
    if (sent.some(({ known_at }) => known_at === null)) throw new Error('a transaction is not final');
    const receipts = await Promise.all(
      sent.map(({ hash }) => node.getTransactionReceipt({ hash: hash as Hex }).catch(() => undefined)),
    );
    // Of a transaction that a reorganization removed, another one has the nonce.
    return receipts.reduce((sum, receipt) => sum + (receipt ? receipt.gasUsed * receipt.effectiveGasPrice : 0n), 0n);
  };
  await node.mine({ blocks: CONFIRMATIONS });
  t.is(`${await until(costs)}`, defined((await earn())[0]).gasWei);
  const { output } = await run('earnings', '--by', 'scheme,day');
  const lines = output.split('\n');
  t.regex(defined(lines[0]), /^day +scheme +calls +sold +settled +claimable +refunded +net +gas_eth +unknown_gas$/);
  t.regex(defined(lines.at(-1)), /^total /);
  t.regex((await run('earnings', '--csv')).output, /^network,scheme,calls,sold,.*\neip155:31337,exact,\d+,0\.\d{6},/);
  for (const args of [['--by', 'hour'], ['--by', 'day,day'], ['x'], ['--csv', '--json']]) {
    t.is((await run('earnings', ...args)).exitCode, 2, args.join(' '));
  }
});
