import test, { type ExecutionContext } from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import { openLedgerPool } from '../../../../services/ledger/store/ledger-pool.ts';
import { createPostgresClaims } from '../../../../services/payments/claims/postgres-claims.ts';
import { createWallet } from '../../../helpers/chain.ts';
import { newNetwork } from '../../ledger/fixture.ts';
import { createLedgerDatabase, openTrialLedger } from '../../ledger/store/store-fixture.ts';
import { attempt, details, leased, START_MS } from './claims-fixture.ts';

const ASSET: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const HOUR_MS = 3_600_000;
const FAILED = {
  state: 'failed',
  final: false,
  paymentResponseJson: '{"success":false}',
  isPayersFault: false,
} as const;
const TRANSACTION_1: Hex = `0x${'1'.repeat(64)}`;
const TRANSACTION_2: Hex = `0x${'2'.repeat(64)}`;
const SETTLED = { state: 'settled', paymentResponseJson: '{"success":true}' } as const;

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** Opens the claims of a new network, with a clock of its own. */
async function open(t: ExecutionContext, options: { readonly network?: string } = {}) {
  const ledger = openTrialLedger(t, database, options);
  let nowMs = START_MS;
  const set = async (ms: number) => {
    nowMs = ms;
    await ledger.setClock(ms);
  };
  await set(START_MS);
  const claims = createPostgresClaims({ pool: ledger.pool, network: ledger.network, asset: ASSET, hasChain: true });
  return { ledger, claims, clock: { set, pass: (ms: number) => set(nowMs + ms) } };
}

test('finds an opened claim unchanged', async (t) => {
  const { claims } = await open(t);
  const claim = details(createWallet().address, { paymentIdentifierHash: 'i1' });
  t.is(await claims.open(claim, leased()), 'opened');
  const unset = { transaction: undefined, paymentResponseJson: undefined, final: false };
  const expected = { ...claim, ...unset, state: 'executing' as const, isLeased: true };
  t.deepEqual(await claims.find(claim), expected);
  t.deepEqual(await claims.findById(claim.claimId), expected);
});

test('opening a claim again under its id changes nothing', async (t) => {
  const { claims } = await open(t);
  const claim = details(createWallet().address);
  t.is(await claims.open(claim, leased()), 'opened');
  t.is(await claims.open(claim, leased()), 'opened');
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
  const { claims, clock } = await open(t);
  const old = details(createWallet().address);
  await claims.open(old, leased());
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
  t.is((await claims.find(old))?.state, 'executing');
});

test('an execution with an ended lease can settle until it is taken over', async (t) => {
  const { claims, clock } = await open(t);
  const claim = details(createWallet().address);
  await claims.open(claim, leased());
  await clock.pass(5000);
  t.is((await claims.startSettling(claim, attempt())).kind, 'started');
  t.is(await claims.open({ ...claim, claimId: uuidv7() }, leased({ replaces: claim.claimId })), 'changed');
});

test('one settlement attempt is active at a time, and only that attempt may send', async (t) => {
  const { claims, clock } = await open(t);
  const claim = details(createWallet().address);
  await claims.open(claim, leased());
  const one = attempt();
  t.is((await claims.startSettling(claim, one)).kind, 'started');
  t.is((await claims.startSettling(claim, attempt())).kind, 'busy');
  await clock.pass(2000);
  const two = attempt();
  t.is((await claims.startSettling(claim, two)).kind, 'started');
  t.false(await claims.noteTransaction(claim, one.attemptId, TRANSACTION_1));
  t.true(await claims.noteTransaction(claim, two.attemptId, TRANSACTION_2));
  await claims.finish(claim, one.attemptId, { state: 'unsent' });
  await claims.finish(claim, one.attemptId, FAILED);
  t.like(await claims.find(claim), { state: 'settling', transaction: TRANSACTION_2 });
});

test('any caller may record a proven result, which never changes', async (t) => {
  const { claims } = await open(t);
  const claim = details(createWallet().address);
  await claims.open(claim, leased());
  const { attemptId, leaseMs } = attempt();
  await claims.startSettling(claim, { attemptId, leaseMs });
  await claims.finish(claim, attemptId, FAILED);
  t.like(await claims.find(claim), { state: 'failed', final: false });
  await claims.finish(claim, undefined, SETTLED);
  await claims.finish(claim, attemptId, FAILED);
  await claims.finish(claim, undefined, { ...FAILED, final: true });
  t.like(await claims.find(claim), { state: 'settled', paymentResponseJson: SETTLED.paymentResponseJson });
});

test('five failures throttle a payer for an hour', async (t) => {
  const { claims, clock } = await open(t);
  const payer = createWallet().address;
  for (let i = 0; i < 5; i += 1) {
    t.false(await claims.isThrottled(payer));
    const claim = details(payer, { validBeforeS: START_MS / 1000 + 7200 });
    t.is(await claims.open(claim, leased()), 'opened');
    await claims.release(claim, true);
    await claims.release(claim, true);
    await clock.pass(1000);
  }
  t.true(await claims.isThrottled(payer));
  t.is(await claims.open(details(payer), leased()), 'throttled');
  await clock.set(START_MS + HOUR_MS + 1);
  t.false(await claims.isThrottled(payer));
});

test('failures that the caller did not cause throttle nobody', async (t) => {
  const { claims } = await open(t);
  const payer = createWallet().address;
  for (let i = 0; i < 8; i += 1) {
    const claim = details(payer);
    t.is(await claims.open(claim, leased()), 'opened');
    await claims.release(claim, false);
  }
  t.false(await claims.isThrottled(payer));
});

test('a failed settlement counts toward the throttle only if the payer caused it', async (t) => {
  for (const isPayersFault of [true, false]) {
    const { claims } = await open(t);
    const payer = createWallet().address;
    for (let i = 0; i < 5; i += 1) {
      const claim = details(payer);
      await claims.open(claim, leased());
      await claims.startSettling(claim, attempt());
      await claims.finish(claim, undefined, { ...FAILED, final: true, isPayersFault });
    }
    t.is(await claims.isThrottled(payer), isPayersFault);
  }
});

test('a payment counts as in flight until it settles, is released or expires', async (t) => {
  const { claims, clock } = await open(t);
  const payer = createWallet().address;
  const two = leased({ balance: 6000n });
  const [a, b, c] = [details(payer), details(payer), details(payer)];
  t.is(await claims.open(a, two), 'opened');
  t.is(await claims.open(b, two), 'opened');
  t.is(await claims.open(c, two), 'throttled');
  await claims.release(a, false);
  t.is(await claims.open(c, two), 'opened');
  await claims.startSettling(c, attempt());
  await claims.finish(c, undefined, SETTLED);
  t.is(await claims.open(details(payer), two), 'opened');
  t.is(await claims.open(details(payer), two), 'throttled');
  await clock.pass(61_000);
  t.is(await claims.open(details(payer), two), 'opened');
});

test('sixteen payments may be in flight if the balance is unknown', async (t) => {
  const { claims } = await open(t);
  const payer = createWallet().address;
  const answers: string[] = [];
  for (let i = 0; i < 17; i += 1) answers.push(await claims.open(details(payer), leased({ balance: undefined })));
  t.deepEqual(answers, [...Array<string>(16).fill('opened'), 'throttled']);
});

test('a claim is unknown on another network', async (t) => {
  const { claims } = await open(t);
  const { claims: other } = await open(t);
  const claim = details(createWallet().address);
  await claims.open(claim, leased());
  t.is(await other.find(claim), undefined);
  t.is(await other.findById(claim.claimId), undefined);
  t.deepEqual(await other.startSettling(claim, attempt()), { kind: 'gone' });
});

test('after a change of the database, what seems unsent may have been sent', async (t) => {
  const { claims, ledger } = await open(t);
  const claim = details(createWallet().address);
  await claims.open(claim, leased());
  const { attemptId, leaseMs } = attempt();
  await claims.startSettling(claim, { attemptId, leaseMs });
  t.true(await claims.finish(claim, attemptId, { state: 'unsent' }));
  t.like(await claims.find(claim), { state: 'unsent' });
  await ledger.query('UPDATE ledger.payment_claim SET epoch = epoch - 1 WHERE claim_id = $1', [claim.claimId]);
  t.like(await claims.find(claim), { state: 'settling' });
  t.like(await claims.startSettling(claim, attempt()), { kind: 'started', before: { state: 'settling' } });
});

test('a payer whose claim was refused leaves nothing', async (t) => {
  const { claims, ledger } = await open(t);
  t.is(await claims.open(details(createWallet().address), leased({ balance: 1n })), 'throttled');
  t.deepEqual(await ledger.query('SELECT FROM ledger.payer WHERE network = $1', [ledger.network]), []);
});

test('an unavailable store is PAYMENT_UNAVAILABLE', async (t) => {
  const url = 'postgresql://nobody@localhost:1/none';
  const pool = openLedgerPool({ url, connections: 1, statementTimeoutMs: 1000, onError: () => {} });
  const claims = createPostgresClaims({ pool, network: newNetwork(), asset: ASSET, hasChain: true });
  await t.throwsAsync(claims.find(details(createWallet().address)), { code: 'PAYMENT_UNAVAILABLE' });
  await pool.end();
});
