import { sql } from 'kysely';
import { BackofficeServiceService } from '../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { OperatorServiceService } from '../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import { RetentionReviewServiceService } from '../../proto/gen/tollhouse/backoffice/v1/review.ts';
import { JobsServiceService } from '../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { LedgerServiceService } from '../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import type { GetTermsResponse } from '../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { LedgerAnswers } from '../ledger/contract/client.ts';
import { createLedgerAnswers, createLedgerService } from '../ledger/service/ledger-service.ts';
import { createChannelLedger } from '../ledger/store/charge.ts';
import { createGate } from '../ledger/store/gate.ts';
import { openLedgerPool } from '../ledger/store/ledger-pool.ts';
import { makePartitions } from '../ledger/store/partitions.ts';
import { createTrialLedger } from '../ledger/store/trial-ledger.ts';
import { createLedgerUpkeep } from '../ledger/store/upkeep.ts';
import { createVoucherCipher } from '../ledger/store/voucher-cipher.ts';
import { createChannelsClient } from '../payments/contract/channels-client.ts';
import { createPaymentsClient } from '../payments/contract/client.ts';
import { startGrpcServer } from '../platform/grpc/grpc-server.ts';
import { targetOf } from '../platform/grpc/identity.ts';
import { isEvmNetwork } from '../platform/patterns.ts';
import { readNamedKeys } from '../platform/process/named-keys.ts';
import { startReadiness } from '../platform/process/readiness.ts';
import { createRepeatedErrorLog } from '../platform/process/repeated-errors.ts';
import { watchProcess } from '../platform/process/watched-process.ts';
import { migrate, openDatabase } from '../store/database.ts';
import { createLockSessions } from '../store/recurring/lock-session.ts';
import { startRecurringJobs } from '../store/recurring/recurring-jobs.ts';
import { onlyRow } from '../store/rows.ts';
import { createVerificationClient } from '../verification/contract/client.ts';
import { createChannelJobs } from './channels/channel-jobs.ts';
import { BackofficeConfig, readConfig } from './config.ts';
import { deleteEndedJobs } from './jobs/job-rows.ts';
import { createJobsService } from './jobs/jobs-service.ts';
import { createVerify } from './jobs/verify-execution.ts';
import { startWorker } from './jobs/worker.ts';
import { createFigures, type OpenLedger } from './operators/figures/figures.ts';
import { createOperatorService } from './operators/operator-service.ts';
import { createBodyCipher } from './retention/body-cipher.ts';
import { createDeletion } from './retention/deletion.ts';
import { checkRetention, createPartitions } from './retention/partitions.ts';
import { retentionKeysOf, takeKeys } from './retention/retention-keys.ts';
import { createReviewService } from './retention/review-service.ts';
import { createBackofficeService } from './service.ts';
import { readTrialTerms } from './trial-terms.ts';
import { createEventSender } from './webhook/send-events.ts';

/** Of overdue calls, refunds and events. */
const SWEEP_EVERY_MS = 5000;
const PARTITION_EVERY_MS = 3_600_000;
const DELETE_EVERY_MS = 3_600_000;
const JOB_CONCURRENCY = 4;
const FIRST_JOB_RETRY_MS = 1000;
const KEEP_ENDED_JOBS_MS = 7 * 86_400_000;
const STATEMENT_TIMEOUT_MS = 10_000;
const BY_GATEWAY = { gateway: 'all' } as const;

const now = Date.now;
const { logger, closeOnExit } = watchProcess('backoffice', process.env, BackofficeConfig);
const config = readConfig(process.env);
const { operatorKeys, identity } = config;
await migrate(config.DATABASE_URL, logger);
const database = openDatabase({ url: config.DATABASE_URL, connections: config.DATABASE_CONNECTIONS, logger });
const keys = readNamedKeys(retentionKeysOf(config));
const cipher = createBodyCipher(keys);
await createPartitions(database, now());
await takeKeys(database, keys);

const verification = createVerificationClient(targetOf(identity, 'verification', config.VERIFICATION_URL));
const sessions = createLockSessions(config.DATABASE_URL);
const jobWorker = startWorker({
  database,
  sessions,
  verify: createVerify(verification),
  concurrency: JOB_CONCURRENCY,
  firstRetryMs: FIRST_JOB_RETRY_MS,
  logger,
});

const ledgerPool = openLedgerPool({
  url: config.DATABASE_URL,
  connections: config.LEDGER_CONNECTIONS,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  onError: createRepeatedErrorLog({ logger, message: 'a connection of the ledger was lost' }),
});
// They are made days ahead. So if a long query reads a table now, the upkeep is early enough.
await makePartitions(ledgerPool).catch((err: unknown) => logger.error({ err }, 'partitions of the ledger are missing'));
const gate = createGate({ pool: ledgerPool, logger });
const voucherCipher = createVoucherCipher(keys);
/** Known once the payments service has named the network of the credit. */
let openedLedger: OpenLedger | undefined;
let ledgerAnswers: LedgerAnswers | undefined;
const server = await startGrpcServer({
  listen: config.LISTEN,
  identity,
  callers: BY_GATEWAY,
  service: BackofficeServiceService,
  implementation: createBackofficeService({ database, cipher, logger }),
  besides: [
    {
      service: LedgerServiceService,
      callers: BY_GATEWAY,
      implementation: createLedgerService(() => ledgerAnswers, logger),
    },
    {
      service: JobsServiceService,
      callers: BY_GATEWAY,
      implementation: createJobsService({ database, wakeUp: jobWorker.wakeUp, logger }),
    },
    {
      service: RetentionReviewServiceService,
      // Besides, it wants the key of an operator.
      callers: { gateway: 'all', client: 'all' },
      implementation: createReviewService({ database, cipher, operatorKeys, logger }),
    },
    {
      service: OperatorServiceService,
      callers: BY_GATEWAY,
      implementation: createOperatorService({
        database,
        operatorKeys,
        readFigures: createFigures({
          database,
          openLedger: () => openedLedger,
          monotonicMs: () => performance.now(),
        }),
        wakeUp: jobWorker.wakeUp,
        logger,
      }),
    },
  ],
  logger,
});
const stopReadiness = await startReadiness({
  check: () => checkRetention(database, now()),
  setReady: server.setReady,
  logger,
});

/** Milliseconds since the epoch. */
async function databaseTimeMs(): Promise<number> {
  const { rows } = await sql<{ ms: bigint }>`
    SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms`.execute(database);
  return Number(onlyRow(rows).ms);
}
const deleteOverdue = createDeletion({
  database,
  days: config.RETENTION_DAYS,
  // A wrong clock of this machine alone deletes nothing too early.
  now: async () => Math.min(now(), await databaseTimeMs()),
  logger,
});
const sendEvents = createEventSender({ database, receiver: config.receiver, now: databaseTimeMs, logger });
const upkeep = startRecurringJobs({
  sessions,
  group: 'backoffice',
  logger,
  jobs: [
    { name: 'create-partitions', everyMs: PARTITION_EVERY_MS, run: () => createPartitions(database, now()) },
    { name: 'delete-overdue-bodies', everyMs: DELETE_EVERY_MS, run: deleteOverdue },
    { name: 'delete-ended-jobs', everyMs: DELETE_EVERY_MS, run: () => deleteEndedJobs(database, KEEP_ENDED_JOBS_MS) },
    { name: 'send-events', everyMs: config.receiver ? SWEEP_EVERY_MS : DELETE_EVERY_MS, run: sendEvents },
  ],
});

const paymentsTarget = targetOf(identity, 'payments', config.PAYMENTS_URL);
const payments = createPaymentsClient(paymentsTarget);
const channels = createChannelsClient(paymentsTarget);
let closeSweeps = async () => {};
closeOnExit(async () => {
  stopReadiness();
  await Promise.all([server.close(), jobWorker.close(), upkeep.close(), closeSweeps()]);
  await sessions.close();
  gate.close();
  await ledgerPool.end();
  payments.close();
  channels.close();
  verification.close();
  await database.destroy();
});

const paymentTerms = await readTerms();
const { network } = paymentTerms;
const ledger = {
  ...createTrialLedger({
    pool: ledgerPool,
    network,
    terms: readTrialTerms(config, paymentTerms),
    monotonicMs: () => performance.now(),
  }),
  ...createChannelLedger({ pool: ledgerPool, network, cipher: voucherCipher }),
};
openedLedger = { ledger, network };
ledgerAnswers = createLedgerAnswers({ store: ledger, gate, cipher, logger });
const recurring = startRecurringJobs({
  sessions,
  group: `ledger:${network}`,
  logger,
  jobs: [
    ...createLedgerUpkeep({
      pool: ledgerPool,
      monthsKept: config.LEDGER_ENTRY_MONTHS,
      ledger,
      logger,
      sweepEveryMs: SWEEP_EVERY_MS,
      answerDays: config.RETENTION_DAYS,
      clockMs: now,
    }),
    ...createChannelJobs({
      settings: config,
      refundIntervalMs: SWEEP_EVERY_MS,
      database,
      network,
      ledger,
      cipher: voucherCipher,
      channels,
      logger,
    }),
  ],
});
closeSweeps = recurring.close;

/** Asks the payments service for the network of the credit. Both services start at the same time, so this waits. */
async function readTerms(): Promise<GetTermsResponse> {
  const logError = createRepeatedErrorLog({ logger, message: 'waiting for the payments service' });
  for (;;) {
    try {
      const answered = await payments.getTerms({ timeoutMs: 1000 });
      if (!isEvmNetwork(answered.network))
        throw new Error(`the payments service names the network ${answered.network}`);
      return answered;
    } catch (error) {
      logError(error);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
