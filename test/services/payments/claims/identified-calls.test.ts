import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { holdOpenBodies, releaseHeldBodies } from '../../../../services/backoffice/retention/held-bodies.ts';
import { callFunction } from '../../../../services/ledger/store/ledger-pool.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../kit/chain.ts';
import { newCharge, newSignature } from '../../ledger/channel-fixture.ts';
import { createLedgerDatabase, newAnswer } from '../../ledger/store/store-fixture.ts';
import {
  answerOf,
  attempt,
  newDetails as details,
  FAILED,
  leased,
  openClaims,
  SETTLED,
  START_MS,
} from './claims-fixture.ts';

const HOUR_MS = 3_600_000;

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('another payment for an identifier takes it over from an execution whose lease has ended, which keeps nothing', async (t) => {
  const { claims, keep, clock } = await openClaims(t, database);
  const { address } = createWallet();
  const [old, next] = [1, 2].map(() => details(address, { paymentIdentifierHash: 'i1' }));
  await claims.open(defined(old), leased());
  t.is(await claims.open(defined(next), leased()), 'changed');
  t.like(await claims.findCall(address, 'i1'), { recordId: old?.claimId, fingerprint: 'f1', state: 'open' });
  await clock.pass(1001);
  t.is(await claims.findCall(address, 'i1'), undefined);
  t.is(await claims.open(defined(next), leased()), 'opened');
  t.is(await keep(answerOf(defined(old).claimId)), 'superseded');
  t.is(await claims.findById(defined(old).claimId), undefined);
  t.is(await keep(answerOf(defined(next).claimId)), 'kept');
});

test('an identifier is free once its execution is released', async (t) => {
  const { claims } = await openClaims(t, database);
  const { address } = createWallet();
  const [old, next] = [1, 2].map(() => details(address, { paymentIdentifierHash: 'i1' }));
  await claims.open(defined(old), leased());
  await claims.release(defined(old), false);
  t.is(await claims.findCall(address, 'i1'), undefined);
  t.is(await claims.open(defined(next), leased()), 'opened');
});

test('an identifier is of its call while the settlement is open, and free when that failed for good', async (t) => {
  const { claims, start, clock } = await openClaims(t, database);
  const { address } = createWallet();
  const claim = details(address, { paymentIdentifierHash: 'i1' });
  await claims.open(claim, leased());
  const one = attempt();
  await start(claim, one);
  const stateOf = async () => (await claims.findCall(address, 'i1'))?.state;
  t.is(await stateOf(), 'pending');
  await claims.finish(claim, one.attemptId, FAILED);
  // The chain may still show that it was settled.
  t.is(await stateOf(), 'pending');
  await clock.pass(5000);
  t.is(await claims.open(details(address, { paymentIdentifierHash: 'i1' }), leased()), 'changed');
  await claims.finish(claim, undefined, { ...FAILED, final: true });
  t.is(await stateOf(), undefined);
  const next = details(address, { paymentIdentifierHash: 'i1', fromBlock: undefined });
  t.is(await claims.open(next, leased()), 'opened');
  t.like((await claims.find(claim)).claim, { state: 'failed', final: true });
  const two = attempt();
  await start(next, two);
  await claims.finish(next, two.attemptId, FAILED);
  t.is(await stateOf(), undefined, 'without a chain, nothing can be learned later');
  const last = details(address, { paymentIdentifierHash: 'i1' });
  await claims.open(last, leased());
  const three = attempt();
  await start(last, three);
  await claims.finish(last, three.attemptId, SETTLED);
  t.is(await stateOf(), 'charged');
});

test('an identifier is kept for as long as it is not known whether its payment is settled', async (t) => {
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const { ledger, claims, start } = await openClaims(t, own);
  const { address } = createWallet();
  const claim = details(address, { paymentIdentifierHash: 'i1' });
  await claims.open(claim, leased());
  const one = attempt();
  await start(claim, one);
  const drop = async () => callFunction(ledger.pool, 'drop_keys', [31, new Date(START_MS + 100 * 24 * HOUR_MS), 1000]);
  await ledger.setClock(START_MS + 100 * 24 * HOUR_MS);
  await drop();
  t.is((await claims.findCall(address, 'i1'))?.state, 'pending');
  await claims.finish(claim, undefined, SETTLED);
  await drop();
  t.is(await claims.findCall(address, 'i1'), undefined);
});

test('as many identifiers are dropped as asked for', async (t) => {
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const { ledger, claims, start, clock } = await openClaims(t, own);
  for (const paymentIdentifierHash of ['i1', 'i2']) {
    const claim = details(createWallet().address, { paymentIdentifierHash });
    await claims.open(claim, leased());
    await start(claim);
    await claims.finish(claim, undefined, SETTLED);
  }
  await clock.pass(100 * 24 * HOUR_MS);
  const drop = () => callFunction(ledger.pool, 'drop_keys', [31, new Date(START_MS + 100 * 24 * HOUR_MS), 1]);
  for (const dropped of [1n, 1n, 0n]) t.like(await drop(), [{ dropped }]);
});

test('an identifier of an execution from before a restore waits until the chain tells whether it was settled', async (t) => {
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const { ledger, claims, clock } = await openClaims(t, own);
  const { address } = createWallet();
  const claim = details(address, { paymentIdentifierHash: 'i1' });
  const next = details(address, { paymentIdentifierHash: 'i1' });
  await claims.open(claim, leased());
  await ledger.query("UPDATE ledger.epoch SET identity = 'another'");
  await clock.pass(2000);
  t.is((await claims.findCall(address, 'i1'))?.state, 'pending');
  t.is(await claims.open(next, leased()), 'changed');
  await claims.finish(claim, undefined, { ...FAILED, final: true });
  t.is(await claims.open(next, leased()), 'opened');
});

test('an execution from before a restore stays until the chain was asked about it, and then its identifier is charged', async (t) => {
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const { ledger, claims, due, clock } = await openClaims(t, own);
  const { address } = createWallet();
  const claim = details(address, { paymentIdentifierHash: 'i1' });
  await claims.open(claim, leased());
  await ledger.query(`SELECT ${LEDGER_FUNCTIONS}.begin_epoch(true)`);
  const later = details(address, { paymentIdentifierHash: 'i2' });
  await claims.open(later, leased());
  t.deepEqual(await due(), [claim.claimId]);
  await clock.pass(100 * 24 * HOUR_MS);
  await claims.dropExecutions(new AbortController().signal);
  t.is(await claims.findById(later.claimId), undefined);
  await callFunction(ledger.pool, 'drop_keys', [31, new Date(START_MS + 100 * 24 * HOUR_MS), 1000]);
  t.like(await claims.findCall(address, 'i1'), { recordId: claim.claimId, state: 'pending' });
  t.deepEqual(await due(), [claim.claimId], 'it is asked again');
  await claims.finish(claim, undefined, SETTLED);
  t.like(await claims.findCall(address, 'i1'), { recordId: claim.claimId, state: 'charged' });
  t.deepEqual(await due(), []);
});

test('an identifier is free when its answer was deleted, however the call was paid', async (t) => {
  const { ledger, claims, start } = await openClaims(t, database);
  const { address } = createWallet();
  const claim = details(address, { paymentIdentifierHash: 'i1' });
  await claims.open(claim, leased());
  const one = attempt();
  await start(claim, one);
  await claims.finish(claim, one.attemptId, SETTLED);
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
  t.is(await claims.open(details(address, { paymentIdentifierHash: 'i1' }), leased()), 'opened');
});

test('an identifier is charged as long as the answer of its payment is held beyond its day', async (t) => {
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const { ledger, claims, start } = await openClaims(t, own);
  const { address } = createWallet();
  const claim = details(address, { paymentIdentifierHash: 'i1' });
  const next = details(address, { paymentIdentifierHash: 'i1' });
  await claims.open(claim, leased());
  await start(claim);
  const day = new Date(START_MS).toISOString().slice(0, 10);
  t.is(await own.database.transaction().execute((transaction) => holdOpenBodies(transaction, day)), 1);
  await ledger.query('DELETE FROM retained_body WHERE record_id = $1', [claim.claimId]);
  await claims.finish(claim, undefined, SETTLED);
  t.like(await claims.findCall(address, 'i1'), { recordId: claim.claimId, state: 'charged' });
  t.is(await claims.open(next, leased()), 'changed', 'it is not paid twice');
  await releaseHeldBodies(own.database);
  t.is(await claims.findCall(address, 'i1'), undefined);
});
