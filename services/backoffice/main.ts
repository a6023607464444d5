import { BackofficeServiceService } from '../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { OperatorServiceService } from '../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import { RetentionReviewServiceService } from '../../proto/gen/tollhouse/backoffice/v1/review.ts';
import { JobsServiceService } from '../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import type { SettlementOutcome } from '../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createConfiguredLedger } from '../ledger/configured-ledger.ts';
import { createChannelsClient } from '../payments/contract/channels-client.ts';
import { createPaymentsClient } from '../payments/contract/client.ts';
import { startGrpcServer } from '../platform/grpc/grpc-server.ts';
import { isEvmNetwork } from '../platform/patterns.ts';
import { readEnvironment } from '../platform/process/environment.ts';
import { startReadiness } from '../platform/process/readiness.ts';
import { createRepeatedErrorLog } from '../platform/process/repeated-errors.ts';
import { watchProcess } from '../platform/process/watched-process.ts';
import { readCallFreeze } from '../store/call-freeze.ts';
import { migrate, openDatabase } from '../store/database.ts';
import { startRecurringJobs } from '../store/recurring/recurring-jobs.ts';
import { createVerificationClient } from '../verification/contract/client.ts';
import { createChannelJobs } from './channels/channel-jobs.ts';
import { BackofficeConfig } from './config.ts';
import { readOperatorKeys } from './contract/operator-keys.ts';
import { startDurableJobs } from './jobs/durable-jobs.ts';
import { createVerifyExecution } from './jobs/verify-execution.ts';
import { followJournal } from './journal/copy-journal.ts';
import { type ObservedJournal, readJournalLag } from './journal/journal-lag.ts';
import { createObligations } from './obligations.ts';
import { createFigures, type OpenLedger } from './operators/figures/figures.ts';
import { createOperatorService } from './operators/operator-service.ts';
import { createBodyCipher } from './retention/body-cipher.ts';
import { createDeletion } from './retention/deletion.ts';
import { createRetention } from './retention/retention.ts';
import { readRetentionKeys, recordKeys } from './retention/retention-keys.ts';
import { createReviewService } from './retention/review-service.ts';
import { createBackofficeService } from './service.ts';
import { createSweep } from './sweep.ts';

const CALL_TIMEOUT_MS = 10_000;
const PARTITION_EVERY_MS = 3_600_000;
/** How often a copy of the back office tries to copy the journal, while another one does or after a failure. */
const COPY_RETRY_MS = 1000;
const DELETE_EVERY_MS = 3_600_000;

const now = Date.now;
const { logger, closeOnExit } = watchProcess('backoffice', process.env);
const config = readEnvironment(BackofficeConfig, process.env);
const operatorKeys = readOperatorKeys(config.OPERATOR_KEY_HASHES);
await migrate(config.DATABASE_URL, logger);
const database = openDatabase({ url: config.DATABASE_URL, connections: config.DATABASE_CONNECTIONS, logger });
const keys = readRetentionKeys(config);
const cipher = createBodyCipher(keys);
const retention = createRetention({ database, cipher });
await retention.createPartitions(now());
for (const keyId of await recordKeys(database, keys)) {
  logger.error({ keyId }, 'the retention key of this id was another one before, so earlier bodies cannot be read');
}

const verification = createVerificationClient(config.VERIFICATION_URL);
const durableJobs = startDurableJobs({
  database,
  databaseUrl: config.DATABASE_URL,
  redisUrl: config.REDIS_URL,
  workTypes: { verifyExecution: createVerifyExecution(verification) },
  concurrency: config.JOB_CONCURRENCY,
  leaseMs: config.JOB_LEASE_MS,
  firstRetryMs: config.JOB_FIRST_RETRY_MS,
  sweepIntervalMs: config.JOB_SWEEP_INTERVAL_MS,
  logger,
});

/** Known once the payments service has named the network of the credit. */
let journal: ObservedJournal | undefined;
let openedLedger: OpenLedger | undefined;
const server = await startGrpcServer({
  listen: config.LISTEN,
  service: BackofficeServiceService,
  serviceName: 'tollhouse.backoffice.v1.BackofficeService',
  protoFile: 'tollhouse/backoffice/v1/backoffice.proto',
  implementation: createBackofficeService({
    retention,
    readJournalLag: () => journal && readJournalLag(journal),
    readCallFreeze: () => readCallFreeze(database),
    logger,
    now,
  }),
  besides: [
    {
      service: JobsServiceService,
      serviceName: 'tollhouse.jobs.v1.JobsService',
      protoFile: 'tollhouse/jobs/v1/jobs.proto',
      implementation: durableJobs.service,
    },
    {
      service: RetentionReviewServiceService,
      serviceName: 'tollhouse.backoffice.v1.RetentionReviewService',
      protoFile: 'tollhouse/backoffice/v1/review.proto',
      implementation: createReviewService({ database, cipher, operatorKeys, logger }),
    },
    {
      service: OperatorServiceService,
      serviceName: 'tollhouse.backoffice.v1.OperatorService',
      protoFile: 'tollhouse/backoffice/v1/operator.proto',
      implementation: createOperatorService({
        database,
        operatorKeys,
        readFigures: createFigures({
          database,
          openLedger: () => openedLedger,
          countWakeups: durableJobs.countWakeups,
          monotonicMs: () => performance.now(),
        }),
        wakeUp: durableJobs.wakeUp,
        logger,
      }),
    },
  ],
  logger,
});
const stopReadiness = await startReadiness({ check: () => retention.check(now()), setReady: server.setReady, logger });

const deleteOverdue = createDeletion({
  database,
  days: config.RETENTION_DAYS,
  // A wrong clock of this machine alone deletes nothing too early.
  now: async () => Math.min(now(), Number(await retention.databaseTimeMs())),
  logger,
});
const upkeep = startRecurringJobs({
  databaseUrl: config.DATABASE_URL,
  logger,
  jobs: [
    { name: 'create-partitions', everyMs: PARTITION_EVERY_MS, run: () => retention.createPartitions(now()) },
    { name: 'delete-overdue-bodies', everyMs: DELETE_EVERY_MS, run: deleteOverdue },
  ],
});

const payments = createPaymentsClient(config.PAYMENTS_URL);
const channels = createChannelsClient(config.PAYMENTS_URL);
let closeSweeps = async () => {};
closeOnExit(async () => {
  stopReadiness();
  await Promise.all([server.close(), durableJobs.close(), upkeep.close(), closeSweeps()]);
  payments.close();
  channels.close();
  verification.close();
  await database.destroy();
});

const { network } = await readTerms();
const ledger = createConfiguredLedger(config, {
  network,
  attest: (position) => retention.attest({ network, ...position }),
  onError: createRepeatedErrorLog({ logger, message: 'the connection to the ledger failed' }),
});
const observed = { database, ledger, network, now: ledger.now };
journal = observed;
openedLedger = { ledger, network, readJournalLag: () => readJournalLag(observed) };
const sweep = createSweep({ obligations: createObligations(database), retention, ledger, resolveClaim, logger });
const recurring = startRecurringJobs({
  databaseUrl: config.DATABASE_URL,
  logger,
  jobs: [
    { name: 'sweep-obligations', everyMs: config.SWEEP_INTERVAL_MS, run: sweep.sweepObligations },
    { name: 'sweep-reservations', everyMs: config.SWEEP_INTERVAL_MS, run: sweep.sweepReservations },
    ...createChannelJobs({
      settings: config,
      refundIntervalMs: config.SWEEP_INTERVAL_MS,
      database,
      network,
      ledger,
      channels,
      logger,
    }),
    {
      name: 'copy-journal',
      everyMs: COPY_RETRY_MS,
      run: (signal) => followJournal({ database, ledger, network }, signal),
    },
  ],
});
closeSweeps = async () => {
  await recurring.close();
  await ledger.close();
};

/** Asks the payments service for the network of the credit. Both services start at the same time, so this waits. */
async function readTerms(): Promise<{ readonly network: string }> {
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

async function resolveClaim(claimId: string): Promise<SettlementOutcome> {
  const { outcome } = await payments.resolve(claimId, { timeoutMs: CALL_TIMEOUT_MS });
  return outcome;
}
