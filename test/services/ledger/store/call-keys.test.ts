import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { createLedgerUpkeep } from '../../../../services/ledger/store/upkeep.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { newCharge, newSignature } from '../channel-fixture.ts';
import { newWallet } from '../fixture.ts';
import { DEPOSIT, fundedCall, paidCall, pay } from './ledger-steps.ts';
import { createLedgerDatabase, newAnswer, openOwnLedger, openTrialLedger } from './store-fixture.ts';

const DAY_MS = 86_400_000;
const database = await createLedgerDatabase();
test.after.always(() => database.stop());

const newHash = () => newSignature().slice(2, 66);
const newIdentifier = () => ({ identifier: { signer: newWallet(), hash: newHash() } });

/** The same call by a voucher that was signed anew. */
const signedAnew = (charge: ReturnType<typeof newCharge>) => ({
  ...charge,
  reservationId: uuidv7(),
  signature: newSignature(),
  cumulativeMicroUsd: charge.cumulativeMicroUsd + charge.amountMicroUsd,
});

test('an identifier is charged once, however often a voucher for it is signed', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await fundedCall(ledger, newIdentifier());
  const again = () => ledger.charge(signedAnew(charge));
  t.is((await ledger.charge(charge)).state, 'reserved');
  t.is((await again()).state, 'channel_busy');
  await ledger.post(newAnswer(charge));
  t.like(await again(), {
    state: 'repeated',
    repeatedId: charge.reservationId,
    account: { chargedMicroUsd: 14_000n },
  });
  const sameSum = { ...signedAnew(charge), cumulativeMicroUsd: charge.cumulativeMicroUsd };
  t.is((await ledger.charge(sameSum)).state, 'repeated');
  // The next call is not held up, and the earlier one is still answered after it.
  const { identifier: _, ...next } = signedAnew(charge);
  t.is((await ledger.charge(next)).state, 'reserved');
  t.is((await again()).state, 'repeated');
  await ledger.post(newAnswer(next));
  t.is((await again()).state, 'repeated');
  t.deepEqual((await ledger.audit()).violations, []);
});

test('an identifier is refused for another request, and is of its signer alone', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await fundedCall(ledger, newIdentifier());
  const other = { ...signedAnew(charge), fingerprint: newHash() };
  await ledger.charge(charge);
  t.is((await ledger.charge(other)).state, 'identifier_reused');
  await ledger.post(newAnswer(charge));
  t.is((await ledger.charge(other)).state, 'identifier_reused');
  const identifier = { signer: newWallet(), hash: defined(charge.identifier).hash };
  t.is((await ledger.charge(await fundedCall(ledger, { identifier }))).state, 'reserved');
});

test('of a channel that is not known, an identifier counts only if the contract does not know it either', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { identifier, fingerprint, reservationId } = await paidCall(ledger, newIdentifier());
  const other = newHash();
  const unknown = newCharge({ fingerprint, identifier });
  for (const each of [unknown, { ...unknown, fingerprint: other }]) {
    t.is((await ledger.charge(each)).state, 'channel_not_found');
  }
  t.is((await ledger.charge({ ...unknown, fingerprint: other, isNew: true })).state, 'identifier_reused');
  t.like(await ledger.charge({ ...unknown, isNew: true }), { state: 'repeated', repeatedId: reservationId });
  const free = { ...unknown, identifier: { ...defined(identifier), hash: other }, isNew: true };
  t.is((await ledger.charge(free)).state, 'channel_not_found');
});

test('an identifier is free again after its call was voided', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await fundedCall(ledger, newIdentifier());
  await ledger.charge(charge);
  await ledger.void(charge.reservationId, 'operation_failed');
  const other = { ...charge, reservationId: uuidv7(), fingerprint: newHash() };
  t.is((await ledger.charge(other)).state, 'reserved');
  // A post of the first call finds nothing, and the second one keeps the identifier.
  t.is((await ledger.post(newAnswer(charge))).state, 'unknown');
  await ledger.post(newAnswer(other));
  t.is((await ledger.charge(signedAnew(charge))).state, 'identifier_reused');
});

test('two channels of one signer share its identifiers, and are charged once between them', async (t) => {
  const ledger = openTrialLedger(t, database);
  const same = { ...newIdentifier(), fingerprint: newHash() };
  const calls = await Promise.all(Array.from({ length: 8 }, () => fundedCall(ledger, same)));
  const states = (await Promise.all(calls.map(ledger.charge))).map(({ state }) => state);
  t.deepEqual(states.toSorted(), [...Array<string>(7).fill('channel_busy'), 'reserved']);
  const winner = defined(calls[states.indexOf('reserved')]);
  await ledger.post(newAnswer(winner));
  for (const call of calls.filter((each) => each !== winner)) {
    const again = await ledger.charge({ ...call, reservationId: uuidv7() });
    t.like(again, { state: 'repeated', repeatedId: winner.reservationId, account: { chargedMicroUsd: 0n } });
  }
});

test('an identifier is kept as long as its answer, by the earlier of two clocks', async (t) => {
  const { ledger } = await openOwnLedger(t);
  const nowMs = Date.now();
  await ledger.setClock(nowMs);
  await paidCall(ledger, newIdentifier());
  for (const [days, ofMachine, left] of [
    [30.9, 30.9, 1],
    [1, 100, 1],
    [100, 1, 1],
    [31.1, 31.1, 0],
  ] as const) {
    await ledger.query('UPDATE ledger.test_clock SET at = $1', [new Date(nowMs + days * DAY_MS)]);
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
    const { length } = await ledger.query('SELECT FROM ledger.call_key');
    t.is(length, left, `after ${days} days, and ${ofMachine} of the machine`);
  }
});

test('a voucher that anyone can read on the chain does not unlock the answer of an identifier', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await paidCall(ledger, newIdentifier());
  const { identifier: _, holder: __, ...next } = signedAnew(charge);
  await pay(ledger, next);
  await ledger.show(charge.channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 28_000n });
  const { identifier, fingerprint } = charge;
  const found = { ...next, reservationId: uuidv7(), identifier, fingerprint };
  t.is((await ledger.charge(found)).state, 'cumulative_below_claimed');
});

test('an identifier is charged once as long as its answer is kept, also when its entry is not', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await paidCall(ledger, newIdentifier());
  // As the sums of old months are kept.
  await ledger.query('UPDATE ledger.channel SET carried = charged WHERE id = $1', [charge.channelId]);
  await ledger.query('ALTER TABLE ledger.entry DISABLE TRIGGER USER');
  await ledger.query('DELETE FROM ledger.entry WHERE id = $1', [charge.reservationId]);
  await ledger.query('ALTER TABLE ledger.entry ENABLE TRIGGER USER');
  t.is((await ledger.charge(signedAnew(charge))).state, 'repeated');
});

test('a call that is denied does not take its identifier', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await fundedCall(ledger, newIdentifier());
  const early = { ...charge, reservationId: uuidv7(), cumulativeMicroUsd: 20_000n };
  t.is((await ledger.charge(early)).state, 'cumulative_mismatch');
  t.is((await ledger.charge({ ...charge, fingerprint: newHash() })).state, 'reserved');
});
