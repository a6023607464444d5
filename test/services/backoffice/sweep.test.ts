import { Metadata, status } from '@grpc/grpc-js';
import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createObligations } from '../../../services/backoffice/obligations.ts';
import { createSweep } from '../../../services/backoffice/sweep.ts';
import type { Ledger } from '../../../services/ledger/contract/ledger.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { createTestDatabase } from '../../helpers/test-database.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

const { database, stop } = await createTestDatabase();
test.after.always(stop);

const noTrials: Pick<Ledger, 'post' | 'void' | 'overdue'> = {
  post: () => Promise.reject(new Error('not a trial')),
  void: () => Promise.reject(new Error('not a trial')),
  overdue: async () => [],
};
const settled = async () => SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED;
const never = new AbortController().signal;

const grpcFailure = (code: status) =>
  new CallError(Object.assign(new Error('refused'), { code, details: '', metadata: new Metadata() }));

/** Whether a sweep removes the obligation of a payment. */
async function isMet(resolveClaim: () => Promise<SettlementOutcome>): Promise<boolean> {
  const recordId = uuidv7();
  const row = { record_id: recordId, access: 'payment' as const, due_at: new Date(0), attempts: 0 };
  await database.insertInto('obligation').values(row).execute();
  const sweep = createSweep({
    obligations: createObligations(database),
    retention: { findRetained: async (ids) => new Set(ids) },
    ledger: noTrials,
    resolveClaim,
    logger,
  });
  await sweep.sweepObligations(never);
  const left = await database.selectFrom('obligation').select('attempts').where('record_id', '=', recordId).execute();
  await database.deleteFrom('obligation').execute();
  return left.length === 0;
}

test.serial('a settled or failed claim meets its obligation', async (t) => {
  t.true(await isMet(settled));
  t.true(await isMet(async () => SettlementOutcome.SETTLEMENT_OUTCOME_FAILED));
});

test.serial('a claim with an open or unavailable outcome keeps its obligation', async (t) => {
  t.false(await isMet(async () => SettlementOutcome.SETTLEMENT_OUTCOME_PENDING));
  t.false(await isMet(async () => SettlementOutcome.SETTLEMENT_OUTCOME_NOT_SENT));
  t.false(await isMet(() => Promise.reject(grpcFailure(status.UNAVAILABLE))));
  t.false(
    await isMet(() => Promise.reject(grpcFailure(status.NOT_FOUND))),
    'the obligation of an unknown claim is kept',
  );
});

test.serial('one sweep clears a backlog of several batches, including the trials of earlier releases', async (t) => {
  const rows = Array.from({ length: 1100 }, (_, index) => ({
    record_id: uuidv7(),
    access: index % 2 === 0 ? ('payment' as const) : ('trial' as const),
    due_at: new Date(0),
    attempts: 0,
  }));
  await database.insertInto('obligation').values(rows).execute();
  const posted = new Set<string>();
  const ledger: typeof noTrials = {
    ...noTrials,
    post: async (id) => {
      posted.add(id);
      return { state: 'posted', balanceMicroUsd: 0n };
    },
  };
  const retention = { findRetained: async () => new Set<string>() };
  await createSweep({
    obligations: createObligations(database),
    retention,
    ledger,
    resolveClaim: settled,
    logger,
  }).sweepObligations(never);
  t.deepEqual(await database.selectFrom('obligation').select('record_id').execute(), []);
  t.is(posted.size, 550);
});

test.serial(
  'one sweep clears a backlog of reservations: it posts the retained ones and voids the others',
  async (t) => {
    const pending = new Set(Array.from({ length: 1100 }, () => uuidv7()));
    const retained = new Set([...pending].slice(0, 700));
    const outcomes = { posted: 0, voided: 0 };
    const resolve = (state: 'posted' | 'voided') => async (id: string) => {
      pending.delete(id);
      outcomes[state] += 1;
      return { state, balanceMicroUsd: 0n };
    };
    const toOverdue = (reservationId: string) => {
      return { reservationId, wallet: '', operation: '', amountMicroUsd: 1n, deadlineMs: 0 };
    };
    const ledger: typeof noTrials = {
      post: resolve('posted'),
      void: resolve('voided'),
      overdue: async ({ limit }) => [...pending].slice(0, limit).map(toOverdue),
    };
    const retention = { findRetained: async (ids: readonly string[]) => new Set(ids.filter((id) => retained.has(id))) };
    await createSweep({
      obligations: createObligations(database),
      retention,
      ledger,
      resolveClaim: settled,
      logger,
    }).sweepReservations(never);
    t.deepEqual(outcomes, { posted: 700, voided: 400 });
  },
);
