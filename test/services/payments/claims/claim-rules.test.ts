import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import { callFunction } from '../../../../services/ledger/store/ledger-pool.ts';
import { createKeep } from '../../../../services/ledger/store/post.ts';
import { createWallet } from '../../../kit/chain.ts';
import { newNetwork } from '../../ledger/fixture.ts';
import { createLedgerDatabase } from '../../ledger/store/store-fixture.ts';
import {
  answerOf,
  attempt,
  newDetails as details,
  FAILED,
  leased,
  openClaims,
  SETTLED,
  SIGNED,
  START_MS,
} from './claims-fixture.ts';

const HOUR_MS = 3_600_000;
const OTHER_ASSET: Hex = `0x${'2'.repeat(40)}`;
const TRANSACTION: Hex = `0x${'1'.repeat(64)}`;

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** Claims, those of another asset, and those of another network, with one clock. */
async function openThree(t: Parameters<typeof openClaims>[0]) {
  const world = await openClaims(t, database);
  const { copy } = world;
  return { ...world, ofAsset: copy({ asset: OTHER_ASSET }), ofNetwork: copy({ network: newNetwork() }) };
}

/** Makes a claim look like one from before a restore. */
const age = ({ ledger }: Awaited<ReturnType<typeof openThree>>, claimId: string) =>
  ledger.query('UPDATE ledger.payment_claim SET epoch = epoch - 1 WHERE claim_id = $1', [claimId]);

test('a payment is that of its network, asset, payer and nonce', async (t) => {
  const { claims, ofAsset, ofNetwork, opened, found } = await openThree(t);
  const claim = await opened();
  const same = details(createWallet().address, { nonce: claim.nonce });
  for (const other of [ofAsset, ofNetwork]) {
    t.is((await other.find(claim)).claim, undefined);
    t.deepEqual((await other.payerState(claim.payer)).inFlight, []);
    t.is(await other.open(details(claim.payer), leased({ balance: 3000n })), 'opened');
  }
  t.is(await found(same), undefined);
  t.is(await claims.open(same, leased({ balance: 3000n })), 'opened');
  t.is((await found(claim))?.claimId, claim.claimId);
});

test('an identifier is of a call of its network', async (t) => {
  const { opened, ofNetwork } = await openThree(t);
  const { payer } = await opened({ paymentIdentifierHash: 'i1' });
  t.is(await ofNetwork.findCall(payer, 'i1'), undefined);
  t.is(await ofNetwork.open(details(payer, { paymentIdentifierHash: 'i1' }), leased()), 'opened');
});

test('another network changes no claim', async (t) => {
  const { ofNetwork, start, ledger, clock, opened, found } = await openThree(t);
  const [claim, execution] = [await opened(), await opened()];
  const released = JSON.stringify([{ id: execution.claimId, is_callers_fault: true }]);
  t.like(await callFunction(ledger.pool, 'release_claims', [newNetwork(), released]), [{ outcome: 'kept' }]);
  const keep = createKeep({ pool: ledger.pool, network: newNetwork() });
  t.is(await keep(answerOf(execution.claimId)), 'superseded');
  t.is((await found(execution))?.state, 'executing');
  const one = attempt();
  await start(claim, one);
  t.is(await ofNetwork.findById(claim.claimId), undefined);
  t.deepEqual(await ofNetwork.startSettling(claim, attempt()), { kind: 'gone' });
  t.false(await ofNetwork.noteTransaction(claim, one.attemptId, TRANSACTION, SIGNED));
  t.false(await ofNetwork.finish(claim, undefined, SETTLED));
  await clock.pass(48 * HOUR_MS);
  t.deepEqual(await callFunction(ledger.pool, 'take_due_claims', [newNetwork(), 10]), []);
  t.like(await callFunction(ledger.pool, 'drop_executions', [newNetwork(), 10]), [{ dropped: 0n }]);
  t.like(await found(claim), { state: 'settling', transaction: undefined });
});

test('answers of a batch are those of its items', async (t) => {
  const { claims, opened, found } = await openThree(t);
  const [unknown, ...known] = [
    details(createWallet().address, { paymentIdentifierHash: 'i1' }),
    ...[await opened({ paymentIdentifierHash: 'i2' }), await opened({ paymentIdentifierHash: 'i3' })],
  ];
  const answers = [unknown, ...known].map(async (claim) => {
    const { claimId, payer, paymentIdentifierHash = '' } = claim;
    const answered = [found(claim), claims.findById(claimId), claims.findCall(payer, paymentIdentifierHash)] as const;
    const [byPayment, byId, byCall] = await Promise.all(answered);
    const { inFlight } = await claims.payerState(payer);
    return [byPayment?.claimId, byId?.claimId, byCall?.recordId, ...inFlight];
  });
  t.deepEqual(await Promise.all(answers), [
    [undefined, undefined, undefined],
    ...known.map(({ claimId, nonce }) => [claimId, claimId, claimId, nonce]),
  ]);
});

test('a lease ends at its moment', async (t) => {
  const { claims, clock, opened, found } = await openThree(t);
  const claim = await opened({ paymentIdentifierHash: 'i1' });
  const address = claim.payer;
  await clock.pass(leased().leaseMs - 1);
  t.true((await found(claim))?.isLeased);
  await clock.pass(1);
  t.false((await found(claim))?.isLeased);
  // Only what loses its identifier to this payment is never paid.
  const poor = leased({ balance: 3000n });
  t.deepEqual(await claims.open(details(address, { paymentIdentifierHash: 'i2' }), poor), { inFlight: 3000n });
  t.deepEqual(await claims.open(details(address), poor), { inFlight: 3000n });
  t.is(await claims.open(details(address, { paymentIdentifierHash: 'i1' }), poor), 'opened');
});

test('a payment that is taken over does not count beside itself', async (t) => {
  const { claims, clock, ledger, opened } = await openThree(t);
  const claim = await opened();
  await clock.pass(1000);
  const next = details(claim.payer, { nonce: claim.nonce });
  t.is(await claims.open(next, leased({ replaces: uuidv7(), balance: 3000n })), 'changed');
  t.is(await claims.open(next, leased({ replaces: claim.claimId, balance: 3000n })), 'opened');
  t.is(await claims.open(details(createWallet().address), leased({ replaces: claim.claimId })), 'changed');
  t.is((await ledger.query('SELECT FROM ledger.payer WHERE network = $1', [ledger.network])).length, 1);
});

test('failures of another payer or network throttle nobody', async (t) => {
  const { claims, ofNetwork, ledger } = await openThree(t);
  const [one, other] = [createWallet().address, createWallet().address];
  const failures = [one, one, one, one, one].map((payer) => payer.toLowerCase());
  await callFunction(ledger.pool, 'count_failures', [ledger.network, failures]);
  t.true((await claims.payerState(one)).isThrottled);
  t.false((await claims.payerState(other)).isThrottled);
  t.false((await ofNetwork.payerState(one)).isThrottled);
});

test('an answer that is kept after a restore was not sent, and one from before may have been', async (t) => {
  const world = await openThree(t);
  const { claims, keep, opened, found } = world;
  const [before, after] = [await opened(), await opened()];
  await keep(answerOf(before.claimId));
  for (const each of [before, after]) await age(world, each.claimId);
  await keep(answerOf(after.claimId));
  t.is((await found(before))?.state, 'settling');
  t.is((await claims.findById(before.claimId))?.state, 'settling');
  t.is((await found(after))?.state, 'retained');
});

test('an attempt may begin again, and notes a transaction only where it is the present one', async (t) => {
  const { claims, keep, opened, found } = await openThree(t);
  const claim = await opened();
  await keep(answerOf(claim.claimId));
  const one = attempt();
  t.false(await claims.noteTransaction(claim, one.attemptId, TRANSACTION, SIGNED), 'nothing is being settled');
  await claims.startSettling(claim, one);
  t.is((await claims.startSettling(claim, one)).kind, 'started');
  t.false(await claims.noteTransaction(claim, attempt().attemptId, TRANSACTION, SIGNED));
  t.true(await claims.noteTransaction(claim, one.attemptId, TRANSACTION, SIGNED));
  await claims.finish(claim, one.attemptId, { state: 'pending' });
  t.like(await found(claim), { state: 'settling', isLeased: false, transaction: TRANSACTION });
  const two = attempt();
  t.is((await claims.startSettling(claim, two)).kind, 'started');
  await claims.finish(claim, two.attemptId, { state: 'pending' });
  const three = attempt();
  t.is((await claims.startSettling(claim, three)).kind, 'started', 'the lease of a pending settlement has ended');
  await claims.finish(claim, three.attemptId, FAILED);
  t.false(await claims.finish(claim, three.attemptId, { state: 'unsent' }));
  t.is((await claims.startSettling(claim, attempt())).kind, 'resolved');
  await claims.finish(claim, undefined, SETTLED);
  t.like(await found(claim), { state: 'settled', transaction: TRANSACTION });
});

test('what is not proven is asked about again, and without a chain nobody can be asked', async (t) => {
  const { claims, copy, begun, due, clock } = await openThree(t);
  const [unproven, failed, lost] = [await begun(), await begun(), await begun()];
  await claims.finish(unproven.claim, unproven.attemptId, FAILED);
  await claims.finish(failed.claim, undefined, { ...FAILED, final: true });
  await copy({ hasChain: false }).finish(lost.claim, lost.attemptId, FAILED);
  await clock.pass(5001);
  t.deepEqual(await due(), [unproven.claim.claimId]);
  t.deepEqual((await claims.payerState(failed.claim.payer)).inFlight, []);
});

test('due claims and old executions are taken as many as asked for, at the latest after an hour', async (t) => {
  const world = await openThree(t);
  const { claims, ledger, begun, keep, clock, opened, found } = world;
  for (let n = 0; n < 2; n += 1) await begun();
  await clock.pass(5001);
  t.is((await claims.takeDue(1)).length, 1);
  t.is((await claims.takeDue(5)).length, 1);
  const retry = 'UPDATE ledger.payment_claim SET tries = 15, due_at = ledger.clock() WHERE network = $1';
  await ledger.query(retry, [ledger.network]);
  t.is((await claims.takeDue(5)).length, 2);
  await clock.pass(HOUR_MS);
  t.is((await claims.takeDue(5)).length, 2);

  await clock.set(START_MS);
  const kept = await opened({ fromBlock: undefined });
  const old = [kept, await opened({ fromBlock: undefined }), await opened({ fromBlock: undefined })];
  await keep(answerOf(kept.claimId));
  for (const each of old) await age(world, each.claimId);
  await clock.pass(25 * HOUR_MS);
  const drop = () => callFunction(ledger.pool, 'drop_executions', [ledger.network, 1]);
  const states = async () => (await Promise.all(old.map(found))).map((claim) => claim?.state);
  t.like(await drop(), [{ dropped: 1n }]);
  t.is((await states()).filter((state) => state === undefined).length, 1);
  // Authorizations that ended long ago are deleted too, one at a time.
  while ((await drop())[0]?.['dropped'] !== 0n);
  t.deepEqual(await states(), ['settling', undefined, undefined]);
  const left = 'SELECT FROM payment_authorization WHERE network = $1';
  t.deepEqual(await ledger.query(left, [ledger.network]), []);
});

test('an identifier is of its answer for as long as that is kept, on other days, too', async (t) => {
  const { claims, settled, clock, ledger } = await openThree(t);
  const [one, two] = [await settled({ paymentIdentifierHash: 'i1' }), await settled({ paymentIdentifierHash: 'i2' })];
  await clock.pass(25 * HOUR_MS);
  t.is((await claims.findCall(one.payer, 'i1'))?.state, 'charged');
  await ledger.query('DELETE FROM retained_body WHERE record_id = $1', [one.claimId]);
  t.is(await claims.findCall(one.payer, 'i1'), undefined);
  t.is((await claims.findCall(two.payer, 'i2'))?.state, 'charged');
});
