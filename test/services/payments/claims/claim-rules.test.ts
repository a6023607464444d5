import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import type { Hex } from 'viem';
import { callFunction } from '../../../../services/ledger/store/ledger-pool.ts';
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
const OTHER_ASSET: Hex = `0x${'2'.repeat(40)}`;
const TRANSACTION: Hex = `0x${'1'.repeat(64)}`;

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** Claims, those of another asset, and those of another network, with one clock. */
async function openThree(t: Parameters<typeof openClaims>[0]) {
  const opened = await openClaims(t, database);
  const { pool, network } = opened.ledger;
  const options = { pool, network, asset: ASSET, hasChain: true, gate };
  const ofAsset = createPostgresClaims({ ...options, asset: OTHER_ASSET });
  const ofNetwork = createPostgresClaims({ ...options, network: newNetwork() });
  const chainless = createPostgresClaims({ ...options, hasChain: false });
  return { ...opened, ofAsset, ofNetwork, chainless };
}

/** Makes a claim look like one from before a restore. */
const age = ({ ledger }: Awaited<ReturnType<typeof openThree>>, claimId: string) =>
  ledger.query('UPDATE ledger.payment_claim SET epoch = epoch - 1 WHERE claim_id = $1', [claimId]);

test('a payment is that of its network, asset, payer and nonce', async (t) => {
  const { claims, ofAsset, ofNetwork } = await openThree(t);
  const claim = details(createWallet().address);
  const same = details(createWallet().address, { nonce: claim.nonce });
  await claims.open(claim, leased());
  for (const other of [ofAsset, ofNetwork]) {
    t.is((await other.find(claim)).claim, undefined);
    t.deepEqual((await other.payerState(claim.payer)).inFlight, []);
    t.is(await other.open(details(claim.payer), leased({ balance: 3000n })), 'opened');
  }
  t.is((await claims.find(same)).claim, undefined);
  t.is(await claims.open(same, leased({ balance: 3000n })), 'opened');
  t.is((await claims.find(claim)).claim?.claimId, claim.claimId);
});

test('an identifier is of a call of its network', async (t) => {
  const { claims, ofNetwork } = await openThree(t);
  const { address } = createWallet();
  t.is(await claims.open(details(address, { paymentIdentifierHash: 'i1' }), leased()), 'opened');
  t.is(await ofNetwork.findCall(address, 'i1'), undefined);
  t.is(await ofNetwork.open(details(address, { paymentIdentifierHash: 'i1' }), leased()), 'opened');
});

test('another network changes no claim', async (t) => {
  const { claims, ofNetwork, start, ledger, clock } = await openThree(t);
  const [claim, execution] = [details(createWallet().address), details(createWallet().address)];
  for (const each of [claim, execution]) await claims.open(each, leased());
  const released = JSON.stringify([{ id: execution.claimId, is_callers_fault: true }]);
  t.like(await callFunction(ledger.pool, 'release_claims', [newNetwork(), released]), [{ outcome: 'kept' }]);
  const keep = createKeep({ pool: ledger.pool, network: newNetwork() });
  t.is(await keep(answerOf(execution.claimId)), 'superseded');
  t.is((await claims.find(execution)).claim?.state, 'executing');
  const one = attempt();
  await start(claim, one);
  t.is(await ofNetwork.findById(claim.claimId), undefined);
  t.deepEqual(await ofNetwork.startSettling(claim, attempt()), { kind: 'gone' });
  t.false(await ofNetwork.noteTransaction(claim, one.attemptId, TRANSACTION, SIGNED));
  t.false(await ofNetwork.finish(claim, undefined, SETTLED));
  await clock.pass(48 * HOUR_MS);
  t.deepEqual(await callFunction(ledger.pool, 'take_due_claims', [newNetwork(), 10]), []);
  t.like(await callFunction(ledger.pool, 'drop_executions', [newNetwork(), 10]), [{ dropped: 0n }]);
  t.like((await claims.find(claim)).claim, { state: 'settling', transaction: undefined });
});

test('answers of a batch are those of its items', async (t) => {
  const { claims } = await openThree(t);
  const given = [1, 2, 3, 4].map((at) => details(createWallet().address, { paymentIdentifierHash: `i${at}` }));
  for (const claim of given.slice(0, 3)) await claims.open(claim, leased());
  const ids = given.map(({ claimId }, at) => (at < 3 ? claimId : undefined));
  const found = await Promise.all(given.map(async (claim) => (await claims.find(claim)).claim));
  t.deepEqual(
    found.map((each) => each?.claimId),
    ids,
  );
  const byId = await Promise.all(given.map(({ claimId }) => claims.findById(claimId)));
  t.deepEqual(
    byId.map((each) => each?.claimId),
    ids,
  );
  const calls = await Promise.all(given.map(({ payer }, at) => claims.findCall(payer, `i${at + 1}`)));
  t.deepEqual(
    calls.map((call) => call?.recordId),
    ids,
  );
  const states = await Promise.all(given.map(({ payer }) => claims.payerState(payer)));
  t.deepEqual(
    states.map(({ inFlight }) => inFlight),
    given.map(({ nonce }, at) => (at < 3 ? [nonce] : [])),
  );
});

test('a lease ends at its moment', async (t) => {
  const { claims, clock } = await openThree(t);
  const { address } = createWallet();
  const claim = details(address, { paymentIdentifierHash: 'i1' });
  await claims.open(claim, leased({ leaseMs: 1000 }));
  await clock.pass(999);
  t.true((await claims.find(claim)).claim?.isLeased);
  await clock.pass(1);
  t.false((await claims.find(claim)).claim?.isLeased);
  // Only what loses its identifier to this payment is never paid.
  const poor = leased({ balance: 3000n });
  t.deepEqual(await claims.open(details(address, { paymentIdentifierHash: 'i2' }), poor), { inFlight: 3000n });
  t.deepEqual(await claims.open(details(address), poor), { inFlight: 3000n });
  t.is(await claims.open(details(address, { paymentIdentifierHash: 'i1' }), poor), 'opened');
});

test('a payment that is taken over does not count beside itself', async (t) => {
  const { claims, clock, ledger } = await openThree(t);
  const claim = details(createWallet().address);
  await claims.open(claim, leased());
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
  const { claims, keep } = world;
  const [before, after] = [details(createWallet().address), details(createWallet().address)];
  for (const each of [before, after]) await claims.open(each, leased());
  await keep(answerOf(before.claimId));
  for (const each of [before, after]) await age(world, each.claimId);
  await keep(answerOf(after.claimId));
  t.is((await claims.find(before)).claim?.state, 'settling');
  t.is((await claims.findById(before.claimId))?.state, 'settling');
  t.is((await claims.find(after)).claim?.state, 'retained');
});

test('an attempt may begin again, and notes a transaction only where it is the present one', async (t) => {
  const { claims, keep } = await openThree(t);
  const claim = details(createWallet().address);
  await claims.open(claim, leased());
  await keep(answerOf(claim.claimId));
  const one = attempt();
  t.false(await claims.noteTransaction(claim, one.attemptId, TRANSACTION, SIGNED), 'nothing is being settled');
  await claims.startSettling(claim, one);
  t.is((await claims.startSettling(claim, one)).kind, 'started');
  t.false(await claims.noteTransaction(claim, attempt().attemptId, TRANSACTION, SIGNED));
  t.true(await claims.noteTransaction(claim, one.attemptId, TRANSACTION, SIGNED));
  await claims.finish(claim, one.attemptId, { state: 'pending' });
  t.like((await claims.find(claim)).claim, { state: 'settling', isLeased: false, transaction: TRANSACTION });
  const two = attempt();
  t.is((await claims.startSettling(claim, two)).kind, 'started');
  await claims.finish(claim, two.attemptId, { state: 'pending' });
  const three = attempt();
  t.is((await claims.startSettling(claim, three)).kind, 'started', 'the lease of a pending settlement has ended');
  await claims.finish(claim, three.attemptId, FAILED);
  t.false(await claims.finish(claim, three.attemptId, { state: 'unsent' }));
  t.is((await claims.startSettling(claim, attempt())).kind, 'resolved');
  await claims.finish(claim, undefined, SETTLED);
  t.like((await claims.find(claim)).claim, { state: 'settled', transaction: TRANSACTION });
});

test('what is not proven is asked about again, and without a chain nobody can be asked', async (t) => {
  const { claims, chainless, start, due, clock } = await openThree(t);
  const [unproven, failed, lost] = [1, 2, 3].map(() => details(createWallet().address));
  if (unproven === undefined || failed === undefined || lost === undefined) return t.fail();
  for (const each of [unproven, failed, lost]) {
    const one = attempt();
    await claims.open(each, leased());
    await start(each, one);
    if (each === unproven) await claims.finish(each, one.attemptId, FAILED);
    if (each === failed) await claims.finish(each, undefined, { ...FAILED, final: true });
    if (each === lost) await chainless.finish(each, one.attemptId, FAILED);
  }
  await clock.pass(5001);
  t.deepEqual(await due(), [unproven.claimId]);
  t.deepEqual((await claims.payerState(failed.payer)).inFlight, []);
});

test('due claims and old executions are taken as many as asked for, at the latest after an hour', async (t) => {
  const world = await openThree(t);
  const { claims, ledger, start, keep, clock } = world;
  const [one, two] = [details(createWallet().address), details(createWallet().address)];
  for (const each of [one, two]) {
    await claims.open(each, leased());
    await start(each);
  }
  await clock.pass(5001);
  t.is((await claims.takeDue(1)).length, 1);
  t.is((await claims.takeDue(5)).length, 1);
  await ledger.query('UPDATE ledger.payment_claim SET tries = 15, due_at = ledger.clock() WHERE network = $1', [
    ledger.network,
  ]);
  t.is((await claims.takeDue(5)).length, 2);
  await clock.pass(HOUR_MS);
  t.is((await claims.takeDue(5)).length, 2);

  await clock.set(START_MS);
  const old = [1, 2, 3].map(() => details(createWallet().address, { fromBlock: undefined }));
  for (const each of old) await claims.open(each, leased());
  const [kept] = old;
  if (kept === undefined) return t.fail();
  await keep(answerOf(kept.claimId));
  for (const each of old) await age(world, each.claimId);
  await clock.pass(25 * HOUR_MS);
  const drop = () => callFunction(ledger.pool, 'drop_executions', [ledger.network, 1]);
  const states = async () => (await Promise.all(old.map((each) => claims.find(each)))).map(({ claim }) => claim?.state);
  t.like(await drop(), [{ dropped: 1n }]);
  t.is((await states()).filter((state) => state === undefined).length, 1);
  // Authorizations that ended long ago are deleted too, one at a time.
  while ((await drop())[0]?.['dropped'] !== 0n);
  t.deepEqual(await states(), ['settling', undefined, undefined]);
  const left = 'SELECT FROM payment_authorization WHERE network = $1';
  t.deepEqual(await ledger.query(left, [ledger.network]), []);
});

test('an identifier is of its answer for as long as that is kept, on other days, too', async (t) => {
  const { claims, start, clock, ledger } = await openThree(t);
  const [one, two] = [1, 2].map((at) => details(createWallet().address, { paymentIdentifierHash: `i${at}` }));
  if (one === undefined || two === undefined) return t.fail();
  for (const each of [one, two]) {
    const made = attempt();
    await claims.open(each, leased());
    await start(each, made);
    await claims.finish(each, made.attemptId, SETTLED);
  }
  await clock.pass(25 * HOUR_MS);
  t.is((await claims.findCall(one.payer, 'i1'))?.state, 'charged');
  await ledger.query('DELETE FROM retained_body WHERE record_id = $1', [one.claimId]);
  t.is(await claims.findCall(one.payer, 'i1'), undefined);
  t.is((await claims.findCall(two.payer, 'i2'))?.state, 'charged');
});
