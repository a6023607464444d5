import test from 'ava';
import { callFunction } from '../../../../services/ledger/store/ledger-pool.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { beside } from '../../ledger/store/held-lock.ts';
import { createLedgerDatabase } from '../../ledger/store/store-fixture.ts';
import { answerOf, attempt, newDetails as details, leased, openClaims, SETTLED } from './claims-fixture.ts';

const database = await createLedgerDatabase();
const { url } = database;
test.after.always(() => database.stop());

const CLAIM = 'SELECT FROM ledger.payment_claim WHERE claim_id = $1 FOR UPDATE';
const PAYER = 'SELECT FROM ledger.payer WHERE network = $1 FOR UPDATE';
const KEYS = `SELECT ${LEDGER_FUNCTIONS}.lock_keys($1, $2)`;

test('what keeps, settles or ends a claim waits for it before it decides', async (t) => {
  const { claims, ledger, keep, begun } = await openClaims(t, database);
  const { claim, attemptId } = await begun();
  await claims.finish(claim, attemptId, SETTLED);
  const hold = [CLAIM, [claim.claimId]] as const;
  t.like(await beside(url, ledger, hold, () => keep(answerOf(claim.claimId))), { waits: true, answer: 'kept' });
  t.like(await beside(url, ledger, hold, () => claims.startSettling(claim, attempt())), { waits: true });
  const finish = () => claims.finish(claim, attemptId, SETTLED);
  t.like(await beside(url, ledger, hold, finish), { waits: true, answer: false });
});

test('a claim that another transaction has is neither released nor taken over, and not waited for', async (t) => {
  const { claims, ledger, clock, opened } = await openClaims(t, database);
  const claim = await opened({ paymentIdentifierHash: 'i1' });
  await clock.pass(2000);
  const hold = [CLAIM, [claim.claimId]] as const;
  const released = JSON.stringify([{ id: claim.claimId, is_callers_fault: false }]);
  const release = () => callFunction(ledger.pool, 'release_claims', [ledger.network, released]);
  t.like(await beside(url, ledger, hold, release), { waits: false, answer: [{ outcome: 'busy' }] });
  const next = details(claim.payer, { nonce: claim.nonce });
  const takeOver = () => claims.open(next, leased({ replaces: claim.claimId }));
  t.deepEqual(await beside(url, ledger, hold, takeOver), { waits: false, answer: 'changed' });
  const other = details(claim.payer, { paymentIdentifierHash: 'i1' });
  t.deepEqual(await beside(url, ledger, hold, () => claims.open(other, leased())), {
    waits: false,
    answer: 'changed',
  });
});

test('a claim is opened when no other transaction has its payer or its identifier', async (t) => {
  const { claims, ledger, opened } = await openClaims(t, database);
  const { payer } = await opened();
  const poor = leased({ balance: 1n });
  t.deepEqual(await beside(url, ledger, [PAYER, [ledger.network]], () => claims.open(details(payer), poor)), {
    waits: true,
    answer: { inFlight: 3000n },
  });
  const identified = details(payer, { paymentIdentifierHash: 'i1' });
  const hold = [KEYS, [ledger.network, [`${payer.toLowerCase()}i1`]]] as const;
  t.deepEqual(await beside(url, ledger, hold, () => claims.open(identified, leased())), {
    waits: true,
    answer: 'opened',
  });
});
