import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { createLedgerUpkeep } from '../../../../services/ledger/store/upkeep.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createWallet } from '../../../kit/chain.ts';
import { newCharge, newSignature } from '../channel-fixture.ts';
import { createLedgerDatabase, newAnswer, type OpenLedger, openTrialLedger } from './store-fixture.ts';

const DAY_MS = 86_400_000;
const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** The first call of a channel that has a deposit, with an identifier. */
async function firstCall(ledger: OpenLedger) {
  const identifier = { signer: createWallet().address.toLowerCase(), hash: newSignature().slice(2, 66) };
  const charge = newCharge({ identifier });
  await ledger.show(charge.channelId, { balanceMicroUsd: 100_000n });
  return charge;
}

/** The same call by a voucher that was signed anew. */
const signedAnew = (charge: ReturnType<typeof newCharge>) => ({
  ...charge,
  reservationId: uuidv7(),
  signature: newSignature(),
  cumulativeMicroUsd: charge.cumulativeMicroUsd + charge.amountMicroUsd,
});

test('an identifier is charged once, however often a voucher for it is signed', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await firstCall(ledger);
  t.is((await ledger.charge(charge)).state, 'reserved');
  t.is((await ledger.charge(signedAnew(charge))).state, 'channel_busy');
  await ledger.post(newAnswer(charge));
  const again = await ledger.charge(signedAnew(charge));
  t.like(again, { state: 'repeated', repeatedId: charge.reservationId, account: { chargedMicroUsd: 14_000n } });
  const sameSum = { ...signedAnew(charge), cumulativeMicroUsd: charge.cumulativeMicroUsd };
  t.is((await ledger.charge(sameSum)).state, 'repeated');
  // The next call is not held up, and the earlier one is still answered after it.
  const { identifier: _, ...next } = signedAnew(charge);
  t.is((await ledger.charge(next)).state, 'reserved');
  t.is((await ledger.charge(signedAnew(charge))).state, 'repeated');
  await ledger.post(newAnswer(next));
  t.is((await ledger.charge(signedAnew(charge))).state, 'repeated');
  t.deepEqual((await ledger.audit()).violations, []);
});

test('an identifier is refused for another request, and is of its signer alone', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await firstCall(ledger);
  const other = { ...signedAnew(charge), fingerprint: newSignature().slice(2, 66) };
  await ledger.charge(charge);
  t.is((await ledger.charge(other)).state, 'identifier_reused');
  await ledger.post(newAnswer(charge));
  t.is((await ledger.charge(other)).state, 'identifier_reused');
  const stranger = await firstCall(ledger);
  const identifier = { ...defined(stranger.identifier), hash: defined(charge.identifier).hash };
  t.is((await ledger.charge({ ...stranger, identifier })).state, 'reserved');
});

test('of a channel that is not known, an identifier counts only if the contract does not know it either', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await firstCall(ledger);
  await ledger.charge(charge);
  await ledger.post(newAnswer(charge));
  const { identifier, fingerprint } = charge;
  const other = newSignature().slice(2, 66);
  const unknown = newCharge({ fingerprint, ...(identifier && { identifier }) });
  for (const each of [unknown, { ...unknown, fingerprint: other }]) {
    t.is((await ledger.charge(each)).state, 'channel_not_found');
  }
  t.is((await ledger.charge({ ...unknown, fingerprint: other, isNew: true })).state, 'identifier_reused');
  const repeated = await ledger.charge({ ...unknown, isNew: true });
  t.like(repeated, { state: 'repeated', repeatedId: charge.reservationId });
  const free = { ...unknown, identifier: { ...defined(identifier), hash: other }, isNew: true };
  t.is((await ledger.charge(free)).state, 'channel_not_found');
});

test('an identifier is free again after its call was voided', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await firstCall(ledger);
  await ledger.charge(charge);
  await ledger.void(charge.reservationId, 'operation_failed');
  const other = { ...charge, reservationId: uuidv7(), fingerprint: newSignature().slice(2, 66) };
  t.is((await ledger.charge(other)).state, 'reserved');
  // A post of the first call finds nothing, and the second one keeps the identifier.
  t.is((await ledger.post(newAnswer(charge))).state, 'unknown');
  await ledger.post(newAnswer(other));
  t.is((await ledger.charge(signedAnew(charge))).state, 'identifier_reused');
});

test('two channels of one signer share its identifiers, and are charged once between them', async (t) => {
  const ledger = openTrialLedger(t, database);
  const calls = await Promise.all(Array.from({ length: 8 }, () => firstCall(ledger)));
  const [{ identifier, fingerprint }] = [defined(calls[0])];
  const same = calls.map((call) => ({ ...call, fingerprint, ...(identifier && { identifier }) }));
  const states = (await Promise.all(same.map((call) => ledger.charge(call)))).map(({ state }) => state);
  t.deepEqual(states.toSorted(), [...Array.from({ length: 7 }, () => 'channel_busy'), 'reserved']);
  const winner = defined(same[states.indexOf('reserved')]);
  await ledger.post(newAnswer(winner));
  for (const call of same.filter((each) => each !== winner)) {
    const again = await ledger.charge({ ...call, reservationId: uuidv7() });
    t.like(again, { state: 'repeated', repeatedId: winner.reservationId, account: { chargedMicroUsd: 0n } });
  }
});

test('an identifier is kept as long as its answer, by the earlier of two clocks', async (t) => {
  const own = await createLedgerDatabase();
  t.teardown(() => own.stop());
  const ledger = openTrialLedger(t, own);
  const nowMs = Date.now();
  await ledger.setClock(nowMs);
  const charge = await firstCall(ledger);
  await ledger.charge(charge);
  await ledger.post(newAnswer(charge));
  const leftAfter = async ({ days, ofMachine = days }: { readonly days: number; readonly ofMachine?: number }) => {
    await ledger.query('UPDATE ledger.test_clock SET at = $1 WHERE name = $2', [
      new Date(nowMs + days * DAY_MS),
      ledger.network,
    ]);
    const jobs = createLedgerUpkeep({
      pool: ledger.pool,
      ledger,
      logger: createLogger({ name: 'test', level: 'silent' }),
      clockMs: () => nowMs + ofMachine * DAY_MS,
      monthsKept: 3,
      answerDays: 30,
      sweepEveryMs: 1000,
    });
    await jobs.find(({ name }) => name === 'drop-call-keys')?.run(new AbortController().signal);
    return (await ledger.query('SELECT FROM ledger.call_key WHERE record_id = $1', [charge.reservationId])).length;
  };
  t.is(await leftAfter({ days: 30.9 }), 1);
  t.is(await leftAfter({ days: 1, ofMachine: 100 }), 1);
  t.is(await leftAfter({ days: 100, ofMachine: 1 }), 1);
  t.is(await leftAfter({ days: 31.1 }), 0);
});

test('a voucher that anyone can read on the chain does not unlock the answer of an identifier', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await firstCall(ledger);
  await ledger.charge(charge);
  await ledger.post(newAnswer(charge));
  const { identifier: _, holder: __, ...next } = { ...signedAnew(charge), reservationId: uuidv7() };
  await ledger.charge(next);
  await ledger.post(newAnswer(next));
  await ledger.show(charge.channelId, { balanceMicroUsd: 100_000n, claimedMicroUsd: 28_000n });
  const found = { ...next, reservationId: uuidv7(), ...(charge.identifier && { identifier: charge.identifier }) };
  t.is((await ledger.charge({ ...found, fingerprint: charge.fingerprint })).state, 'cumulative_below_claimed');
});

test('an identifier is charged once as long as its answer is kept, also when its entry is not', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await firstCall(ledger);
  await ledger.charge(charge);
  await ledger.post(newAnswer(charge));
  // As the sums of old months are kept.
  await ledger.query('UPDATE ledger.channel SET carried = charged WHERE id = $1', [charge.channelId]);
  await ledger.query('ALTER TABLE ledger.entry DISABLE TRIGGER USER');
  await ledger.query('DELETE FROM ledger.entry WHERE id = $1', [charge.reservationId]);
  await ledger.query('ALTER TABLE ledger.entry ENABLE TRIGGER USER');
  t.is((await ledger.charge(signedAnew(charge))).state, 'repeated');
});

test('a call that is denied does not take its identifier', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await firstCall(ledger);
  const early = { ...charge, reservationId: uuidv7(), cumulativeMicroUsd: 20_000n };
  t.is((await ledger.charge(early)).state, 'cumulative_mismatch');
  t.is((await ledger.charge({ ...charge, fingerprint: newSignature().slice(2, 66) })).state, 'reserved');
});
