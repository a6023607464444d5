import { Metadata, status } from '@grpc/grpc-js';
import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createObligations } from '../../../services/backoffice/obligations.ts';
import { createSweep } from '../../../services/backoffice/sweep.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { createTestDatabase } from '../../helpers/test-database.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

const { database, stop } = await createTestDatabase();
test.after.always(stop);

const settled = async () => SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED;
const never = new AbortController().signal;

const grpcFailure = (code: status) =>
  new CallError(Object.assign(new Error('refused'), { code, details: '', metadata: new Metadata() }));

/** Whether a sweep removes the obligation of a payment. */
async function isMet(resolveClaim: () => Promise<SettlementOutcome>): Promise<boolean> {
  const recordId = uuidv7();
  const row = { record_id: recordId, due_at: new Date(0), attempts: 0 };
  await database.insertInto('obligation').values(row).execute();
  const sweep = createSweep({
    obligations: createObligations(database),
    resolveClaim,
    logger,
  });
  await sweep(never);
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

test.serial('one sweep clears a backlog of several batches', async (t) => {
  const rows = Array.from({ length: 1100 }, () => ({ record_id: uuidv7(), due_at: new Date(0), attempts: 0 }));
  await database.insertInto('obligation').values(rows).execute();
  await createSweep({ obligations: createObligations(database), resolveClaim: settled, logger })(never);
  t.deepEqual(await database.selectFrom('obligation').select('record_id').execute(), []);
});
