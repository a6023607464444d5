import test, { type ExecutionContext } from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import { callFunction, openLedgerPool } from '../../../../services/ledger/store/ledger-pool.ts';
import { createKeep } from '../../../../services/ledger/store/post.ts';
import { createPostgresClaims } from '../../../../services/payments/claims/postgres-claims.ts';
import { createWallet } from '../../../kit/chain.ts';
import { newNetwork } from '../../ledger/fixture.ts';
import { createLedgerDatabase } from '../../ledger/store/store-fixture.ts';
import {
  ASSET,
  answerOf,
  attempt,
  newDetails as details,
  FAILED,
  gate,
  leased,
  openClaims,
  SETTLED,
  SIGNED,
  START_MS,
} from './claims-fixture.ts';

const HOUR_MS = 3_600_000;
const TRANSACTION_1: Hex = `0x${'1'.repeat(64)}`;
const TRANSACTION_2: Hex = `0x${'2'.repeat(64)}`;

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** Opens the claims of a new network, with a clock of its own. */
const open = (t: ExecutionContext) => openClaims(t, database);

test('opening a claim again under its id changes nothing', async (t) => {
  const { claims, opened } = await open(t);
  t.is(await claims.open(await opened(), leased()), 'opened');
});

test('one of many concurrent requests opens the claim of a payment', async (t) => {
  const { claims } = await open(t);
  const claim = details(createWallet().address);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => claims.open({ ...claim, claimId: uuidv7() }, leased())),
  );
  t.is(answers.filter((answer) => answer === 'opened').length, 1);
});

test('one claim takes over an execution whose lease has ended, and the old claim cannot be settled', async (t) => {
  const { claims, clock, opened, found } = await open(t);
  const old = await opened();
  const next = () => ({ ...old, claimId: uuidv7() });
  t.is(await claims.open(next(), leased({ replaces: old.claimId })), 'changed');
  await clock.pass(1000);
  const takers = [next(), next(), next()];
  const later = leased({ replaces: old.claimId });
  const answers = await Promise.all(takers.map((taker) => claims.open(taker, later)));
  t.is(answers.filter((answer) => answer === 'opened').length, 1);
  t.deepEqual(await claims.startSettling(old, attempt()), { kind: 'gone' });
  t.is(await claims.findById(old.claimId), undefined);
  await claims.release(old, true);
  t.is((await found(old))?.state, 'executing');
});

test('a balance that was read before a payment settled still includes it', async (t) => {
  const { claims, start, clock } = await open(t);
  const { address } = createWallet();
  const [first, second] = [details(address), details(address)];
  await claims.open(first, leased({ balance: 3000n }));
  const { inFlight, readAt: since } = await claims.payerState(address);
  t.deepEqual(inFlight, [first.nonce]);
  await clock.pass(100);
  const one = attempt();
  await start(first, one);
  await claims.finish(first, one.attemptId, SETTLED);
  t.deepEqual(await claims.open(second, leased({ balance: 3000n, since })), { inFlight: 3000n });
  t.is(await claims.open(second, leased({ balance: 3000n, since, used: inFlight })), 'opened');
  await claims.release(second, false);
  await clock.pass(100);
  const { readAt } = await claims.payerState(address);
  t.is(await claims.open(second, leased({ balance: 3000n, since: readAt })), 'opened');
});

test('a balance that was read before a payment expired may still include it', async (t) => {
  const { claims, clock } = await open(t);
  const { address } = createWallet();
  await claims.open(details(address), leased({ balance: 3000n }));
  const { readAt: since } = await claims.payerState(address);
  await clock.pass(61_000);
  t.deepEqual(await claims.open(details(address), leased({ balance: 3000n, since })), { inFlight: 3000n });
  t.is(await claims.open(details(address), leased({ balance: 3000n })), 'opened');
});

test('an execution with an ended lease can be kept and settled until it is taken over', async (t) => {
  const { claims, start, clock, opened } = await open(t);
  const claim = await opened();
  await clock.pass(5000);
  t.is((await start(claim)).kind, 'started');
  t.is(await claims.open({ ...claim, claimId: uuidv7() }, leased({ replaces: claim.claimId })), 'changed');
});

test('one settlement attempt is active at a time, and only that attempt may send', async (t) => {
  const { claims, keep, clock, opened, found } = await open(t);
  const claim = await opened();
  const one = attempt();
  t.deepEqual(await claims.startSettling(claim, one), { kind: 'gone' }, 'no answer is kept');
  await keep(answerOf(claim.claimId));
  t.is((await claims.startSettling(claim, one)).kind, 'started');
  t.is((await claims.startSettling(claim, attempt())).kind, 'busy');
  await clock.pass(2000);
  const two = attempt();
  t.is((await claims.startSettling(claim, two)).kind, 'started');
  t.false(await claims.noteTransaction(claim, one.attemptId, TRANSACTION_1, SIGNED));
  t.true(await claims.noteTransaction(claim, two.attemptId, TRANSACTION_2, SIGNED));
  await claims.finish(claim, one.attemptId, { state: 'unsent' });
  await claims.finish(claim, one.attemptId, FAILED);
  t.like(await found(claim), { state: 'settling', transaction: TRANSACTION_2 });
});

test('any caller may record a proven result, which never changes', async (t) => {
  const { claims, begun, found } = await open(t);
  const { claim, attemptId } = await begun();
  await claims.finish(claim, attemptId, FAILED);
  t.like(await found(claim), { state: 'failed', final: false });
  await claims.finish(claim, undefined, SETTLED);
  await claims.finish(claim, attemptId, FAILED);
  await claims.finish(claim, undefined, { ...FAILED, final: true });
  t.like(await found(claim), { state: 'settled', paymentResponseJson: SETTLED.paymentResponseJson });
});

test('five failures throttle a payer for an hour', async (t) => {
  const { claims, clock, opened } = await open(t);
  const payer = createWallet().address;
  for (let i = 0; i < 5; i += 1) {
    t.false((await claims.payerState(payer)).isThrottled);
    const claim = await opened({ payer, validBeforeS: START_MS / 1000 + 7200 });
    await claims.release(claim, true);
    await claims.release(claim, true);
    await clock.pass(1000);
  }
  t.true((await claims.payerState(payer)).isThrottled);
  t.is(await claims.open(details(payer), leased()), 'throttled');
  await clock.set(START_MS + HOUR_MS + 1);
  t.false((await claims.payerState(payer)).isThrottled);
});

test('failures that the caller did not cause throttle nobody', async (t) => {
  const { claims, opened } = await open(t);
  const payer = createWallet().address;
  for (let i = 0; i < 8; i += 1) await claims.release(await opened({ payer }), false);
  t.false((await claims.payerState(payer)).isThrottled);
});

test('a payment counts as in flight until it settles, is released or expires', async (t) => {
  const { claims, start, clock } = await open(t);
  const payer = createWallet().address;
  const two = leased({ balance: 6000n });
  const [a, b, c] = [details(payer), details(payer), details(payer)];
  t.is(await claims.open(a, two), 'opened');
  t.is(await claims.open(b, two), 'opened');
  t.deepEqual(await claims.open(c, two), { inFlight: 6000n });
  await claims.release(a, false);
  t.is(await claims.open(c, two), 'opened');
  await start(c);
  await claims.finish(c, undefined, SETTLED);
  t.is(await claims.open(details(payer), two), 'opened');
  t.deepEqual(await claims.open(details(payer), two), { inFlight: 6000n });
  await clock.pass(61_000);
  t.is(await claims.open(details(payer), two), 'opened');
});

test('sixteen payments may be in flight if the balance is unknown', async (t) => {
  const { claims } = await open(t);
  const payer = createWallet().address;
  const answers: unknown[] = [];
  for (let i = 0; i < 17; i += 1) answers.push(await claims.open(details(payer), leased({ balance: undefined })));
  t.deepEqual(answers, [...Array<string>(16).fill('opened'), 'throttled']);
});

test('an answer is kept with its claim, once, and the claim is due until its result is proven', async (t) => {
  const { claims, ledger, keep, clock, due, opened, found } = await open(t);
  const claim = await opened();
  const [one, two] = await Promise.all([keep(answerOf(claim.claimId)), keep(answerOf(claim.claimId, 'another'))]);
  t.deepEqual([one, two], ['kept', 'kept']);
  t.is(await keep(answerOf(claim.claimId, 'a third')), 'kept');
  t.like(await found(claim), { state: 'retained', isLeased: false });
  const bodies = `SELECT convert_from(response_body, 'UTF8') AS answer, access FROM retained_body WHERE record_id = $1`;
  t.deepEqual(await ledger.query(bodies, [claim.claimId]), [{ answer: 'answer', access: 'payment' }]);
  // The lease of the execution is over, and nobody can take it over.
  await clock.pass(10_000);
  t.is(await claims.open({ ...claim, claimId: uuidv7() }, leased({ replaces: claim.claimId })), 'changed');
  await claims.release(claim, true);
  t.deepEqual(await due(), [claim.claimId]);
  t.deepEqual(await due(), []);
  await clock.pass(5001);
  t.deepEqual(await due(), [claim.claimId]);
  await clock.pass(9999);
  t.deepEqual(await due(), []);
  await claims.finish(claim, undefined, SETTLED);
  await clock.pass(HOUR_MS);
  t.deepEqual(await due(), []);
});

test('the answer of a claim that was released or taken over is not stored', async (t) => {
  const { claims, ledger, keep, clock } = await open(t);
  const claim = details(createWallet().address);
  t.is(await keep(answerOf(claim.claimId)), 'superseded');
  await claims.open(claim, leased());
  await clock.pass(2000);
  const next = { ...claim, claimId: uuidv7({ msecs: START_MS }) };
  t.is(await claims.open(next, leased({ replaces: claim.claimId })), 'opened');
  const other = createKeep({ pool: ledger.pool, network: newNetwork() });
  t.is(await other(answerOf(next.claimId)), 'superseded');
  const kept = await Promise.all([keep(answerOf(claim.claimId)), keep(answerOf(next.claimId, 'next'))]);
  t.deepEqual(kept, ['superseded', 'kept']);
  t.deepEqual(await ledger.query('SELECT FROM retained_body WHERE record_id = $1', [claim.claimId]), []);
});

test('an execution that nobody took over is dropped a day after its authorization ended', async (t) => {
  const { ledger, clock, opened, found } = await open(t);
  const claim = await opened();
  const drop = () => callFunction(ledger.pool, 'drop_executions', [ledger.network, 100]);
  await clock.pass(24 * HOUR_MS);
  t.like(await drop(), [{ dropped: 0n }]);
  await clock.pass(61_000);
  t.like(await drop(), [{ dropped: 1n }]);
  t.is(await found(claim), undefined);
});

test('a claim with a result is still found more than a day after its authorization ended', async (t) => {
  const { claims, clock, begun, found } = await open(t);
  const { claim } = await begun();
  const { claim: other } = await begun({ payer: claim.payer });
  await claims.finish(claim, undefined, { ...SETTLED, transaction: TRANSACTION_1 });
  await claims.finish(other, undefined, { ...FAILED, final: true });
  await clock.pass(48 * HOUR_MS);
  await claims.dropExecutions(new AbortController().signal);
  const settled = { claimId: claim.claimId, state: 'settled', transaction: TRANSACTION_1, final: true } as const;
  t.like(await found(claim), settled);
  t.like(await claims.findById(claim.claimId), settled);
  t.like(await found(other), { claimId: other.claimId, state: 'failed', final: true });
  const again = details(claim.payer, { nonce: claim.nonce });
  t.is(await claims.open(again, leased()), 'changed', 'the payment is not executed again');
});

test('claims that are opened, kept, settled and released at the same time by two copies end as they must', async (t) => {
  const { claims, copy, ledger, keep } = await open(t);
  const other = copy({ hasChain: false });
  const payers = Array.from({ length: 8 }, () => createWallet().address);
  const ends = await Promise.all(
    Array.from({ length: 240 }, async (_, at) => {
      const claim = details(payers[at % 8] ?? ASSET);
      const [mine, others] = at % 2 === 0 ? [claims, other] : [other, claims];
      t.is(await mine.open(claim, leased({ leaseMs: 60_000 })), 'opened');
      const [kept] = await Promise.all([keep(answerOf(claim.claimId)), others.release(claim, at % 40 === 7)]);
      if (kept === 'superseded') return 'released';
      const { attemptId, leaseMs } = attempt();
      const starts = await Promise.all([
        mine.startSettling(claim, { attemptId, leaseMs }),
        others.startSettling(claim, { attemptId: uuidv7(), leaseMs }),
      ]);
      t.is(starts.filter(({ kind }) => kind === 'started').length, 1);
      t.true(await mine.finish(claim, undefined, SETTLED));
      return 'settled';
    }),
  );
  const settled = ends.filter((end) => end === 'settled').length;
  const states = 'SELECT state, count(*) AS claims FROM ledger.payment_claim WHERE network = $1 GROUP BY state';
  const expected = settled === 0 ? [] : [{ state: 'settled', claims: BigInt(settled) }];
  t.deepEqual(await ledger.query(states, [ledger.network]), expected);
  const deadlocks = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
  t.deepEqual(await ledger.query(deadlocks), [{ deadlocks: 0n }]);
});

test('after a change of the database, what seems unsent may have been sent', async (t) => {
  const { claims, begun, found, ledger } = await open(t);
  const { claim, attemptId } = await begun();
  t.true(await claims.finish(claim, attemptId, { state: 'unsent' }));
  t.like(await found(claim), { state: 'unsent' });
  await ledger.query('UPDATE ledger.payment_claim SET epoch = epoch - 1 WHERE claim_id = $1', [claim.claimId]);
  t.like(await found(claim), { state: 'settling' });
  t.like(await claims.startSettling(claim, attempt()), { kind: 'started', before: { state: 'settling' } });
});

test('a payer whose claim was refused leaves nothing', async (t) => {
  const { claims, ledger } = await open(t);
  t.deepEqual(await claims.open(details(createWallet().address), leased({ balance: 1n })), { inFlight: 0n });
  t.deepEqual(await ledger.query('SELECT FROM ledger.payer WHERE network = $1', [ledger.network]), []);
});

test('an unavailable store is PAYMENT_UNAVAILABLE', async (t) => {
  const url = 'postgresql://nobody@localhost:1/none';
  const pool = openLedgerPool({ url, connections: 1, statementTimeoutMs: 1000, onError: () => {} });
  const claims = createPostgresClaims({ pool, network: newNetwork(), asset: ASSET, hasChain: true, gate });
  await t.throwsAsync(claims.find(details(createWallet().address)), { code: 'PAYMENT_UNAVAILABLE' });
  await pool.end();
});
