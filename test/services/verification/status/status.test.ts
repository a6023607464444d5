import { readFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { Compile } from 'typebox/schema';
import { createReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { createFairPool } from '../../../../services/platform/pools/fair-pool.ts';
import { createPool } from '../../../../services/platform/pools/pool.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../../services/store/database.ts';
import { SERVICE_ROLE } from '../../../../services/store/preparation.ts';
import { StatusAnswer } from '../../../../services/verification/contract/answers.ts';
import { setRevenueFreeze } from '../../../../services/verification/mutations/revenue-freeze.ts';
import { toSolverPins } from '../../../../services/verification/solver/pins.ts';
import { createSolver } from '../../../../services/verification/solver/solver.ts';
import { readSolverData } from '../../../../services/verification/solver/solver-data.ts';
import { createStatus } from '../../../../services/verification/status/status.ts';
import { holdWriterLock } from '../../../../services/verification/status/writer-lock.ts';
import type { SolverAnswers, SolverTask, SolverTaskKind } from '../../../../workers/verdict/tasks.ts';
import { adminUrlOf, connected, setServer } from '../../../kit/owned-database.ts';
import { until } from '../../../kit/until.ts';
import { startVerificationDatabase } from '../verification-database.ts';

const BY_TEST = { operator: 'test', reason: 'a test' };

const logger = createLogger({ name: 'test', level: 'silent' });
const document = Compile(StatusAnswer);
const readDocument = createReader(StatusAnswer, 'the status document');

let closePool: () => Promise<void>;
let readStatus: () => Promise<string>;
/** How far the clock of the status is ahead. Tests move it so that measurements grow old. */
let aheadMs = 0;

const store = await startVerificationDatabase();
const { url } = store.server;
const service = openDatabase({ url, connections: 1, logger, role: SERVICE_ROLE, statementTimeoutMs: 3000 });
const pool = createPool<SolverTask, SolverAnswers[SolverTaskKind]>({
  worker: new URL('../../../../workers/verdict/worker.ts', import.meta.url),
  workerData: await readSolverData(),
  recycling: true,
  threads: 1,
});
closePool = () => pool.close();
const solver = createSolver(createFairPool(pool, { maxQueue: 8, maxQueuePerTenant: 8, watchdogMs: 60_000 }), logger);
const pins = toSolverPins(await solver.knownProblem({ tenant: 'test', deadlineMs: Date.now() + 60_000 }));
const writerLock = holdWriterLock(url, logger);
readStatus = await createStatus({
  database: service,
  solver,
  pins,
  writerLock,
  storage: { mode: 'file', source: 'explicit' },
  isSandbox: false,
  now: () => Date.now() + aheadMs,
  logger,
});
test.after.always(async () => {
  await writerLock.close();
  await service.destroy();
  await closePool?.();
  await store.stop();
});

/** Makes a new measurement and reads its document, so much later. */
async function measure(t: ExecutionContext, laterMs = 5001): Promise<StatusAnswer> {
  aheadMs += laterMs;
  const answer: unknown = JSON.parse(await readStatus());
  t.deepEqual(document.Errors(answer)[1], []);
  return readDocument(answer);
}

/** Measures until the document has the wanted state. A busy machine may need several measurements. */
async function becomes(t: ExecutionContext, isWanted: (answer: StatusAnswer) => boolean): Promise<StatusAnswer> {
  let last = await measure(t);
  const isFound = async () => {
    if (isWanted(last)) return true;
    last = await measure(t);
    return isWanted(last);
  };
  await until(isFound);
  return last;
}

const isReady = ({ status }: StatusAnswer) => status === 'READY';
const isMeasured = ({ verification_backend: { detail } }: StatusAnswer) =>
  !detail.includes('the store does not answer');

/** Breaks the store, reads the document, and repairs the store. */
async function whileBroken(t: ExecutionContext, broken: string, repaired: string): Promise<StatusAnswer> {
  await sql.raw(broken).execute(store.owner);
  try {
    return await becomes(t, (answer) => isMeasured(answer) && !isReady(answer));
  } finally {
    await sql.raw(repaired).execute(store.owner);
  }
}

test.serial('a healthy store is READY, durable, bound to tenants and guarded', async (t) => {
  const answer = await becomes(t, (found) => isReady(found) && found.storage.single_writer_attested);
  t.like(answer.verification_backend, { configured: true, ready: true });
  t.like(answer.storage, { durable: true, production_safe: true });
  t.like(answer.guarded_mutation_storage, {
    table: 'guarded_mutation',
    durable: true,
    tenant_bound: true,
    unique_on: ['tenant_id', 'idempotency_key'],
    read_back_in_write_transaction: true,
    rows: 0,
  });
});

test.serial('the first document has what was measured before it', async (t) => {
  let asked = 0;
  const read = await createStatus({
    ...{ database: service, pins, writerLock, isSandbox: false, now: Date.now, logger },
    storage: { mode: 'file', source: 'explicit' },
    solver: {
      ...solver,
      knownProblem(options) {
        asked += 1;
        return asked === 1 ? solver.knownProblem(options) : new Promise(() => {});
      },
    },
  });
  t.is(JSON.parse(await read()).status, 'READY');
});

test.serial('the document and its time stay the same for 5 s', async (t) => {
  const first = await becomes(t, isReady);
  await setRevenueFreeze(store.owner, true, BY_TEST);
  t.teardown(() => setRevenueFreeze(store.owner, false, BY_TEST));
  aheadMs += 4000;
  const cached = readDocument(JSON.parse(await readStatus()));
  t.deepEqual(
    { at: cached.checked_at, isFrozen: cached.revenue_writes_frozen },
    { at: first.checked_at, isFrozen: false },
  );
  const later = await becomes(t, (answer) => answer.revenue_writes_frozen);
  t.true(later.checked_at > first.checked_at);
});

const GUARDED = 'verification.guarded_mutation';
const BROKEN: readonly (readonly [string, string, string, Partial<StatusAnswer['guarded_mutation_storage']>])[] = [
  [
    'renamed',
    `ALTER TABLE ${GUARDED} RENAME TO elsewhere`,
    'ALTER TABLE verification.elsewhere RENAME TO guarded_mutation',
    { table: null, unique_on: [], read_back_in_write_transaction: false, tenant_bound: false },
  ],
  [
    'without row-level security',
    `ALTER TABLE ${GUARDED} DISABLE ROW LEVEL SECURITY`,
    `ALTER TABLE ${GUARDED} ENABLE ROW LEVEL SECURITY`,
    { tenant_bound: false, read_back_in_write_transaction: true },
  ],
  [
    'whose policy lets every tenant in',
    `CREATE POLICY open ON ${GUARDED} FOR SELECT USING (true)`,
    `DROP POLICY open ON ${GUARDED}`,
    { tenant_bound: false },
  ],
  [
    'without its primary key',
    `ALTER TABLE ${GUARDED} DROP CONSTRAINT guarded_mutation_pkey`,
    `ALTER TABLE ${GUARDED} ADD PRIMARY KEY (tenant_id, idempotency_key)`,
    { unique_on: [], tenant_bound: true },
  ],
  [
    'with another primary key',
    `ALTER TABLE ${GUARDED} DROP CONSTRAINT guarded_mutation_pkey, ADD PRIMARY KEY (idempotency_key)`,
    `ALTER TABLE ${GUARDED} DROP CONSTRAINT guarded_mutation_pkey, ADD PRIMARY KEY (tenant_id, idempotency_key)`,
    { unique_on: ['idempotency_key'] },
  ],
  [
    'that the service may not write',
    `REVOKE INSERT ON ${GUARDED} FROM ${SERVICE_ROLE}`,
    `GRANT INSERT ON ${GUARDED} TO ${SERVICE_ROLE}`,
    { table: 'guarded_mutation', read_back_in_write_transaction: false },
  ],
  [
    'beside a table of records without row-level security',
    'ALTER TABLE verification.plan NO FORCE ROW LEVEL SECURITY',
    'ALTER TABLE verification.plan FORCE ROW LEVEL SECURITY',
    { table: 'guarded_mutation', tenant_bound: false },
  ],
];
for (const [title, broken, repaired, expected] of BROKEN) {
  test.serial(`a guarded table ${title} is NOT_READY, and the document says what is wrong`, async (t) => {
    const answer = await whileBroken(t, broken, repaired);
    t.is(answer.status, 'NOT_READY');
    t.like(answer.guarded_mutation_storage, expected);
    await becomes(t, isReady);
  });
}

test.serial('an unlogged table is not durable', async (t) => {
  await sql.raw(`ALTER TABLE ${GUARDED} SET UNLOGGED`).execute(store.owner);
  t.teardown(() => sql.raw(`ALTER TABLE ${GUARDED} SET LOGGED`).execute(store.owner));
  const answer = await becomes(t, ({ storage }) => !storage.durable);
  t.false(answer.guarded_mutation_storage.durable);
});

test.serial('a server without full_page_writes is not durable, and not safe for production', async (t) => {
  const set = (value: string) =>
    connected(adminUrlOf(store.server.url), (admin) => setServer(admin, 'full_page_writes', value));
  await set('off');
  t.teardown(() => set('on'));
  const answer = await becomes(t, (found) => isMeasured(found) && !found.storage.durable);
  t.false(answer.storage.production_safe);
  t.false(answer.guarded_mutation_storage.durable);
});

/** The process ids of the server and of the processes for its connections. */
function processesOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).map(Number);
  return [pid, ...children];
}

test.serial(
  'while the server hangs, the document repeats what it showed for a minute, and says NOT_READY then',
  async (t) => {
    await becomes(t, isReady);
    await setRevenueFreeze(store.owner, true, BY_TEST);
    t.teardown(() => setRevenueFreeze(store.owner, false, BY_TEST));
    const known = await becomes(t, (answer) => isReady(answer) && answer.revenue_writes_frozen);
    const stopped = processesOf(store.server.pid);
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    try {
      const { verification_backend, ...repeated } = await measure(t);
      const { verification_backend: before, ...shown } = known;
      t.deepEqual(repeated, shown);
      t.is(
        verification_backend.detail,
        `${before.detail}; the store is busy: what it showed at ${known.checked_at} is repeated`,
      );
      const answer = await measure(t, 60_001);
      t.like(answer, { status: 'NOT_READY', revenue_writes_frozen: true });
      t.deepEqual(answer.storage, {
        ...known.storage,
        durable: false,
        single_writer_attested: false,
        production_safe: false,
      });
      t.deepEqual(answer.guarded_mutation_storage, {
        ...known.guarded_mutation_storage,
        table: null,
        durable: false,
        tenant_bound: false,
        unique_on: [],
        read_back_in_write_transaction: false,
      });
      t.true(answer.checked_at > known.checked_at);
      t.true(answer.verification_backend.detail.includes(`are those of ${known.checked_at}`));
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }
    await becomes(t, isReady);
  },
);

test.serial('a part that stays too slow is repeated for a minute, however often it is measured', async (t) => {
  await becomes(t, isReady);
  // It waits for nothing but locks in vain, however busy the machine is.
  const ofLocks = new URL(url);
  ofLocks.searchParams.set('options', `-c role=${SERVICE_ROLE} -c lock_timeout=100`);
  const impatient = openDatabase({ url: ofLocks.href, connections: 1, logger });
  t.teardown(() => impatient.destroy());
  let nowMs = Date.now();
  const read = await createStatus({
    ...{ database: impatient, solver, pins, writerLock, isSandbox: false, now: () => nowMs, logger },
    storage: { mode: 'file', source: 'explicit' },
  });
  const statuses: string[] = [];
  await store.owner.transaction().execute(async (transaction) => {
    await sql.raw(`LOCK TABLE ${GUARDED} IN ACCESS EXCLUSIVE MODE`).execute(transaction);
    for (let seconds = 20; seconds <= 100; seconds += 20) {
      nowMs += 20_000;
      const { status, verification_backend } = readDocument(JSON.parse(await read()));
      statuses.push(status);
      t.is(verification_backend.detail.includes('the store is busy'), seconds <= 60);
    }
  });
  t.deepEqual(statuses, ['READY', 'READY', 'READY', 'NOT_READY', 'NOT_READY']);
});

test.serial('once the server is killed, the document says NOT_READY', async (t) => {
  await store.server.kill();
  const answer = await measure(t);
  t.is(answer.status, 'NOT_READY');
  t.false(answer.storage.single_writer_attested);
  t.true(answer.verification_backend.ready);
});
