import { Metadata, status } from '@grpc/grpc-js';
import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createSweep } from '../../../services/backoffice/sweep.ts';
import type { Ledger } from '../../../services/ledger/ledger.ts';
import { CallError } from '../../../services/shared/grpc-client.ts';
import { createLogger } from '../../../services/shared/logger.ts';
import { type Database, migrate, openDatabase } from '../../../services/store/database.ts';
import { startTestPostgres, type TestServer } from '../../helpers/servers.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

let server: TestServer;
let database: Database;
test.before(async () => {
  server = await startTestPostgres();
  await migrate(server.url, logger);
  database = openDatabase({ url: server.url, connections: 2, logger });
});
test.after.always(async () => {
  await database?.destroy();
  await server?.stop();
});

const grpcFailure = (code: status) =>
  new CallError(Object.assign(new Error('refused'), { code, details: '', metadata: new Metadata() }));

/** Whether a payment's obligation is gone once its claim was asked for. */
async function isMet(resolveClaim: () => Promise<SettlementOutcome>): Promise<boolean> {
  const recordId = uuidv7();
  const row = { record_id: recordId, access: 'payment' as const, due_at: new Date(0), attempts: 0 };
  await database.insertInto('obligation').values(row).execute();
  const noTrials: Pick<Ledger, 'post' | 'void' | 'overdue'> = {
    post: () => Promise.reject(new Error('not a trial')),
    void: () => Promise.reject(new Error('not a trial')),
    overdue: async () => [],
  };
  const sweep = createSweep({ database, retention: { has: async () => true }, ledger: noTrials, resolveClaim, logger });
  await sweep.sweepObligations();
  const left = await database.selectFrom('obligation').select('attempts').where('record_id', '=', recordId).execute();
  await database.deleteFrom('obligation').execute();
  return left.length === 0;
}

test.serial('a claim that was settled or failed meets the obligation', async (t) => {
  t.true(await isMet(async () => SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED));
  t.true(await isMet(async () => SettlementOutcome.SETTLEMENT_OUTCOME_FAILED));
});

test.serial('a claim whose outcome is open, or cannot be asked for, is asked for again', async (t) => {
  t.false(await isMet(async () => SettlementOutcome.SETTLEMENT_OUTCOME_PENDING));
  t.false(await isMet(async () => SettlementOutcome.SETTLEMENT_OUTCOME_NOT_SENT));
  t.false(await isMet(() => Promise.reject(grpcFailure(status.UNAVAILABLE))));
  t.false(await isMet(() => Promise.reject(grpcFailure(status.NOT_FOUND))), 'its trace is kept');
});
