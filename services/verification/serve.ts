import { VerificationServiceService } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { ViewAnswer, ViewTask } from '../../workers/plan/authoring/tasks.ts';
import type { SolverAnswers, SolverTask, SolverTaskKind } from '../../workers/verdict/tasks.ts';
import { startGrpcServer } from '../platform/grpc/grpc-server.ts';
import { createFairPool } from '../platform/pools/fair-pool.ts';
import { createPool } from '../platform/pools/pool.ts';
import { startReadiness } from '../platform/process/readiness.ts';
import { watchProcess } from '../platform/process/watched-process.ts';
import { checkDatabase, migrate, openDatabase } from '../store/database.ts';
import { SERVICE_ROLE } from '../store/preparation.ts';
import { readConfig, readProofKeys, VerificationConfig } from './config.ts';
import { createVerificationService } from './service.ts';
import { createAuthoring } from './solver/authoring.ts';
import { toSolverPins } from './solver/pins.ts';
import { createSolver } from './solver/solver.ts';
import { readSolverData } from './solver/solver-data.ts';
import { createStatus } from './status/status.ts';
import { holdWriterLock } from './status/writer-lock.ts';
import { createUserSources } from './users/user-sources.ts';

const START_TIMEOUT_MS = 60_000;
/** Shorter than a caller waits, so that it learns that the store is unavailable, and not only that time is over. */
const STORE_TIMEOUT_MS = 8000;
const STATUS_TIMEOUT_MS = 3000;
/** Of questions to the solver that wait for a thread; a tenant may have half of them. */
const MAX_QUESTIONS = 256;
/** After it, the verdict is indeterminate. */
const QUESTION_TIMEOUT_MS = 20_000;
const AUTHORING_MEMORY_MB = 256;
const AUTHORING_QUEUE = { maxQueue: 64, maxQueuePerTenant: 32 };

const now = Date.now;
const { logger, closeOnExit } = watchProcess('verification', process.env, VerificationConfig);
const config = readConfig(process.env);
const keys = readProofKeys(config);
const { toolList } = config;
// The first thread loads z3 while the database is prepared.
const pool = createPool<SolverTask, SolverAnswers[SolverTaskKind]>({
  worker: new URL('../../workers/verdict/worker.ts', import.meta.url),
  workerData: await readSolverData(),
  recycling: true,
  ...(config.SOLVER_THREADS === undefined ? {} : { threads: config.SOLVER_THREADS }),
});
await migrate(config.DATABASE_URL, logger);
const database = openDatabase({
  url: config.DATABASE_URL,
  connections: config.VERIFICATION_CONNECTIONS,
  logger,
  role: SERVICE_ROLE,
  statementTimeoutMs: STORE_TIMEOUT_MS,
});
const users = createUserSources({ database, config, logger });
const fairPool = createFairPool(pool, {
  maxQueue: MAX_QUESTIONS,
  maxQueuePerTenant: MAX_QUESTIONS / 2,
  watchdogMs: QUESTION_TIMEOUT_MS,
});
const solver = createSolver(fairPool, logger);
// Plans are shown without waiting for questions to the solver.
const authoringPool = createPool<ViewTask, ViewAnswer>({
  worker: new URL('../../workers/plan/authoring/worker.ts', import.meta.url),
  threads: 1,
  memoryMb: AUTHORING_MEMORY_MB,
});
const authoring = createAuthoring(createFairPool(authoringPool, AUTHORING_QUEUE));
const pins = toSolverPins(await solver.knownProblem({ tenant: 'start', deadlineMs: now() + START_TIMEOUT_MS }));
const writerLock = holdWriterLock(config.DATABASE_URL, logger);
// A separate connection: the status document measures the store, and not the wait for a shared connection.
const statusDatabase = openDatabase({
  url: config.DATABASE_URL,
  connections: 1,
  logger,
  role: SERVICE_ROLE,
  statementTimeoutMs: STATUS_TIMEOUT_MS,
});
const readStatus = await createStatus({
  database: statusDatabase,
  solver,
  pins,
  writerLock,
  storage: { mode: config.STORAGE_MODE, source: config.STORAGE_SOURCE },
  isSandbox: config.VERIFICATION_SANDBOX,
  now,
  logger,
});
const server = await startGrpcServer({
  listen: config.LISTEN,
  identity: config.identity,
  callers: { gateway: 'all', backoffice: ['verifyExecution'] },
  service: VerificationServiceService,
  implementation: createVerificationService({
    database,
    solver,
    authoring,
    pins,
    toolList,
    expiryGraceMs: config.EXPIRY_GRACE_MS,
    users,
    ...keys,
    logger,
    readStatus,
  }),
  logger,
});
const stopReadiness = await startReadiness({ check: () => checkDatabase(database), setReady: server.setReady, logger });

closeOnExit(async () => {
  stopReadiness();
  await server.close();
  await writerLock.close();
  await pool.close();
  await authoringPool.close();
  await statusDatabase.destroy();
  await database.destroy();
});
