import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { holdOpenBodies, releaseHeldBodies } from '../../../../services/backoffice/retention/held-bodies.ts';
import { callFunction } from '../../../../services/ledger/store/ledger-pool.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { newCharge, newSignature } from '../../ledger/channel-fixture.ts';
import { createLedgerDatabase, newAnswer } from '../../ledger/store/store-fixture.ts';
import { answerOf, newDetails as details, FAILED, leased, openClaims, SETTLED, START_MS } from './claims-fixture.ts';

const HOUR_MS = 3_600_000;

const NAMED = { paymentIdentifierHash: 'i1' };
const IN_100_DAYS = new Date(START_MS + 100 * 24 * HOUR_MS);

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('another payment for an identifier takes it over from an execution whose lease has ended, which keeps nothing', async (t) => {
  const { claims, keep, clock, opened } = await openClaims(t, database);
  const old = await opened(NAMED);
  const next = details(old.payer, NAMED);
  t.is(await claims.open(next, leased()), 'changed');
  t.like(await claims.findCall(old.payer, 'i1'), { recordId: old.claimId, fingerprint: 'f1', state: 'open' });
  await clock.pass(1001);
  t.is(await claims.findCall(old.payer, 'i1'), undefined);
  t.is(await claims.open(next, leased()), 'opened');
  t.is(await keep(answerOf(old.claimId)), 'superseded');
  t.is(await claims.findById(old.claimId), undefined);
  t.is(await keep(answerOf(next.claimId)), 'kept');
});

test('an identifier is free once its execution is released', async (t) => {
  const { claims, opened } = await openClaims(t, database);
  const old = await opened(NAMED);
  await claims.release(old, false);
  t.is(await claims.findCall(old.payer, 'i1'), undefined);
  t.is(await claims.open(details(old.payer, NAMED), leased()), 'opened');
});

test('an identifier is of its call while the settlement is open, and free when that failed for good', async (t) => {
  const { claims, begun, settled, clock, found } = await openClaims(t, database);
  const { claim, attemptId } = await begun(NAMED);
  const { payer } = claim;
  const stateOf = async () => (await claims.findCall(payer, 'i1'))?.state;
  t.is(await stateOf(), 'pending');
  await claims.finish(claim, attemptId, FAILED);
  // The chain may still show that it was settled.
  t.is(await stateOf(), 'pending');
  await clock.pass(5000);
  t.is(await claims.open(details(payer, NAMED), leased()), 'changed');
  await claims.finish(claim, undefined, { ...FAILED, final: true });
  t.is(await stateOf(), undefined);
  const next = await begun({ ...NAMED, payer, fromBlock: undefined });
  t.like(await found(claim), { state: 'failed', final: true });
  await claims.finish(next.claim, next.attemptId, FAILED);
  t.is(await stateOf(), undefined, 'without a chain, nothing can be learned later');
  await settled({ ...NAMED, payer });
  t.is(await stateOf(), 'charged');
});

test('an identifier is kept for as long as it is not known whether its payment is settled', async (t) => {
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const { ledger, claims, begun, clock } = await openClaims(t, own);
  const { claim } = await begun(NAMED);
  const drop = async () => callFunction(ledger.pool, 'drop_keys', [31, IN_100_DAYS, 1000]);
  await clock.set(Number(IN_100_DAYS));
  await drop();
  t.is((await claims.findCall(claim.payer, 'i1'))?.state, 'pending');
  await claims.finish(claim, undefined, SETTLED);
  await drop();
  t.is(await claims.findCall(claim.payer, 'i1'), undefined);
});

test('as many identifiers are dropped as asked for', async (t) => {
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const { ledger, settled, clock } = await openClaims(t, own);
  for (const paymentIdentifierHash of ['i1', 'i2']) await settled({ paymentIdentifierHash });
  await clock.set(Number(IN_100_DAYS));
  const drop = () => callFunction(ledger.pool, 'drop_keys', [31, IN_100_DAYS, 1]);
  for (const dropped of [1n, 1n, 0n]) t.like(await drop(), [{ dropped }]);
});

test('an identifier of an execution from before a restore waits until the chain tells whether it was settled', async (t) => {
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const { ledger, claims, opened, clock } = await openClaims(t, own);
  const claim = await opened(NAMED);
  const next = details(claim.payer, NAMED);
  await ledger.query("UPDATE ledger.epoch SET identity = 'another'");
  await clock.pass(2000);
  t.is((await claims.findCall(claim.payer, 'i1'))?.state, 'pending');
  t.is(await claims.open(next, leased()), 'changed');
  await claims.finish(claim, undefined, { ...FAILED, final: true });
  t.is(await claims.open(next, leased()), 'opened');
});

test('an execution from before a restore stays until the chain was asked about it, and then its identifier is charged', async (t) => {
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const { ledger, claims, due, opened, clock } = await openClaims(t, own);
  const claim = await opened(NAMED);
  const { payer } = claim;
  await ledger.query(`SELECT ${LEDGER_FUNCTIONS}.begin_epoch(true)`);
  const later = await opened({ payer, paymentIdentifierHash: 'i2' });
  t.deepEqual(await due(), [claim.claimId]);
  await clock.set(Number(IN_100_DAYS));
  await claims.dropExecutions(new AbortController().signal);
  t.is(await claims.findById(later.claimId), undefined);
  await callFunction(ledger.pool, 'drop_keys', [31, IN_100_DAYS, 1000]);
  t.like(await claims.findCall(payer, 'i1'), { recordId: claim.claimId, state: 'pending' });
  t.deepEqual(await due(), [claim.claimId], 'it is asked again');
  await claims.finish(claim, undefined, SETTLED);
  t.like(await claims.findCall(payer, 'i1'), { recordId: claim.claimId, state: 'charged' });
  t.deepEqual(await due(), []);
});

test('an identifier is free when its answer was deleted, however the call was paid', async (t) => {
  const { ledger, claims, settled } = await openClaims(t, database);
  const claim = await settled(NAMED);
  const address = claim.payer;
  t.like(await claims.findCall(address, 'i1'), { state: 'charged' });
  const nowMs = START_MS + 1000;
  const identifier = { signer: address.toLowerCase(), hash: newSignature().slice(2, 66) };
  const charge = newCharge({ identifier, reservationId: uuidv7({ msecs: nowMs }), deadlineMs: nowMs + 30_000 });
  await ledger.show(charge.channelId, { balanceMicroUsd: 100_000n });
  t.like(await ledger.charge(charge), { state: 'reserved' });
  await ledger.post(newAnswer(charge));
  t.like(await claims.findCall(address, identifier.hash), { state: 'charged' });
  ledger.notAudited();
  const remove = 'DELETE FROM retained_body WHERE record_id = ANY ($1)';
  await ledger.query(remove, [[claim.claimId, charge.reservationId]]);
  t.is(await claims.findCall(address, 'i1'), undefined);
  t.is(await claims.findCall(address, identifier.hash), undefined);
  t.is(await claims.open(details(address, NAMED), leased()), 'opened');
});

test('an identifier is charged as long as the answer of its payment is held beyond its day', async (t) => {
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const { ledger, claims, begun } = await openClaims(t, own);
  const { claim } = await begun(NAMED);
  const { payer } = claim;
  const day = new Date(START_MS).toISOString().slice(0, 10);
  t.is(await own.database.transaction().execute((transaction) => holdOpenBodies(transaction, day)), 1);
  await ledger.query('DELETE FROM retained_body WHERE record_id = $1', [claim.claimId]);
  await claims.finish(claim, undefined, SETTLED);
  t.like(await claims.findCall(payer, 'i1'), { recordId: claim.claimId, state: 'charged' });
  t.is(await claims.open(details(payer, NAMED), leased()), 'changed', 'it is not paid twice');
  await releaseHeldBodies(own.database);
  t.is(await claims.findCall(payer, 'i1'), undefined);
});
