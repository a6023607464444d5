import { createHash, randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { JobFilter, OperatorServiceService } from '../../../../proto/gen/tollhouse/backoffice/v1/operator.ts';
import { createOperatorClient, type OperatorClient } from '../../../../services/backoffice/contract/operator-client.ts';
import { readOperatorKeys } from '../../../../services/backoffice/contract/operator-keys.ts';
import { createFigures, type OpenLedger } from '../../../../services/backoffice/operators/figures/figures.ts';
import { createOperatorService } from '../../../../services/backoffice/operators/operator-service.ts';
import { CallError } from '../../../../services/platform/grpc/grpc-client.ts';
import { startGrpcServer } from '../../../../services/platform/grpc/grpc-server.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { listActs } from '../../../../services/store/operator-acts.ts';
import { HANG_MS } from '../../../kit/until.ts';
import { createLedgerDatabase, newTrial, openTrialLedger } from '../../ledger/store/store-fixture.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const KEY = randomBytes(32).toString('base64url');
const OPERATORS = `ada:${createHash('sha256').update(KEY).digest('hex')}`;
const CALL = { timeoutMs: HANG_MS, authorization: `Bearer ${KEY}` };
const DAY_MS = 86_400_000;

const stores = await createLedgerDatabase();
const { database } = stores;
test.after.always(() => stores.stop());

interface Parts {
  readonly opened?: OpenLedger | undefined;
}

/** Serves operators over gRPC. */
async function serve(t: ExecutionContext, parts: Parts = {}) {
  let wakeUps = 0;
  const { opened } = parts;
  const grpc = await startGrpcServer({
    listen: '127.0.0.1:0',
    service: OperatorServiceService,
    implementation: createOperatorService({
      database,
      operatorKeys: readOperatorKeys(OPERATORS),
      readFigures: createFigures({
        database,
        openLedger: () => opened,
        monotonicMs: () => performance.now(),
      }),
      wakeUp: () => {
        wakeUps += 1;
      },
      logger,
    }),
    logger,
  });
  const client = createOperatorClient(grpc.address);
  t.teardown(async () => {
    client.close();
    await grpc.close();
  });
  return { client, wakeUps: () => wakeUps };
}

async function insertJob(state: 'queued' | 'failed' | 'running', dueInS = 0): Promise<string> {
  const jobId = uuidv7();
  const isFailed = state === 'failed';
  await sql`INSERT INTO job (job_id, tenant_id, idempotency_key, caller, work, state, attempts, spent, due_at,
      error_code, error_message, ended_at)
    VALUES (${jobId}, ${uuidv7()}, ${jobId}, '{}', '{"verifyExecution":{}}', ${state}, 3, 15,
      ${isFailed ? null : sql`clock_timestamp() + make_interval(secs => ${dueInS})`},
      ${isFailed ? 'UNAVAILABLE' : null}, ${isFailed ? 'no answer' : null},
      ${isFailed ? sql`clock_timestamp()` : null})`.execute(database);
  return jobId;
}

const refusedWith = async (t: ExecutionContext, call: Promise<unknown>, code: string) =>
  t.is((await t.throwsAsync(call, { instanceOf: CallError })).code, code);

test.serial('every method needs the key of an operator', async (t) => {
  const { client } = await serve(t);
  const methods: readonly ((settings: typeof CALL) => Promise<unknown>)[] = [
    (settings) => client.readFigures(settings),
    (settings) => client.setCallFreeze({ frozen: true, reason: 'x' }, settings),
    (settings) => client.listJobs({ filter: JobFilter.JOB_FILTER_FAILED, limit: 1 }, settings),
    (settings) => client.retryJob({ jobId: uuidv7(), reason: 'x' }, settings),
    (settings) => client.findBodies(uuidv7(), settings),
    (settings) => client.listActs({ subject: '', limit: 1 }, settings),
  ];
  t.is(methods.length, Object.keys(OperatorServiceService).length);
  for (const method of methods) {
    for (const authorization of ['Bearer wrong', KEY, `Basic ${KEY}`]) {
      await refusedWith(t, method({ ...CALL, authorization }), 'OPERATOR_KEY_REQUIRED');
    }
  }
  t.deepEqual(await listActs(database, { limit: 1 }), []);
});

test.serial('what cannot be read is named, and the rest is there', async (t) => {
  const ledger = { ...openTrialLedger(t, stores), figures: () => Promise.reject(new Error('it is gone\nsecret')) };
  const { client } = await serve(t, { opened: { ledger, network: ledger.network } });
  const figures = await client.readFigures(CALL);
  t.is(figures.operator, 'ada');
  t.regex(figures.postgres?.version ?? '', /^\d+/);
  t.true((figures.postgres?.usedBytes ?? 0n) > 0n);
  t.deepEqual(figures.calls, { frozen: false, operator: '', reason: '', changedAtMs: 0n });
  t.is(figures.ledger, undefined);
  t.deepEqual(figures.faults, [{ part: 'ledger', message: 'it is gone' }]);
});

test.serial('figures count jobs, reservations, the day and the credit of new wallets', async (t) => {
  const ledger = openTrialLedger(t, stores);
  const { network } = ledger;
  await Promise.all([ledger.reserve(newTrial()), ledger.reserve(newTrial())]);
  const before = [newTrial(), newTrial()];
  for (const [at, trial] of before.entries()) {
    await ledger.reserve(trial);
    await ledger.query('UPDATE ledger.wallet SET granted_at = $2 WHERE address = $1', [
      trial.wallet.toLowerCase(),
      new Date(Date.now() - (at === 0 ? 3 : 40) * DAY_MS),
    ]);
  }
  await Promise.all([
    insertJob('queued', -60),
    insertJob('queued', 3600),
    insertJob('running', 5),
    insertJob('failed'),
  ]);
  const { client } = await serve(t, {
    opened: { ledger, network },
  });
  const { jobs, ledger: figures, credit, faults } = await client.readFigures(CALL);
  t.deepEqual(faults, []);
  t.like(jobs, { waiting: 1, delayed: 1, active: 1, failed: 1 });
  t.true((jobs?.oldestWaitingSeconds ?? 0) >= 59);
  t.like(figures, { usedMicroUsd: 56_000n, openReservations: 4, reservedMicroUsd: 56_000n });
  t.deepEqual(credit, {
    walletsToday: 2,
    givenTodayMicroUsd: 100_000n,
    wallets30Days: 3,
    given30DaysMicroUsd: 150_000n,
  });
});

async function jobsOf(client: OperatorClient, filter: JobFilter): Promise<readonly string[]> {
  const { jobs } = await client.listJobs({ filter, limit: 200 }, CALL);
  return jobs.map(({ jobId }) => jobId);
}

test.serial('failed and delayed jobs are tried again at once, and others are not', async (t) => {
  const { client, wakeUps } = await serve(t);
  const [failed, delayed, running] = await Promise.all([
    insertJob('failed'),
    insertJob('queued', 3600),
    insertJob('running', 5),
  ]);
  t.true((await jobsOf(client, JobFilter.JOB_FILTER_FAILED)).includes(failed));
  t.true((await jobsOf(client, JobFilter.JOB_FILTER_DELAYED)).includes(delayed));
  t.true((await jobsOf(client, JobFilter.JOB_FILTER_ACTIVE)).includes(running));
  for (const jobId of [failed, delayed]) {
    const job = await client.retryJob({ jobId, reason: 'it is back' }, CALL);
    t.like(job, { jobId, state: 'queued', attempts: 3, errorCode: '', endedAtMs: 0n });
    t.true((await jobsOf(client, JobFilter.JOB_FILTER_WAITING)).includes(jobId));
    t.like(await listActs(database, { subject: jobId, limit: 1 }), [{ operator: 'ada', action: 'jobs.retry' }]);
  }
  t.is(wakeUps(), 2);
  await refusedWith(t, client.retryJob({ jobId: running, reason: 'x' }, CALL), 'INVALID_ARGUMENT');
  await refusedWith(t, client.retryJob({ jobId: uuidv7(), reason: 'x' }, CALL), 'NOT_FOUND');
  await refusedWith(t, client.retryJob({ jobId: failed, reason: '  ' }, CALL), 'INVALID_ARGUMENT');
  await refusedWith(t, client.listJobs({ filter: JobFilter.JOB_FILTER_FAILED, limit: 0 }, CALL), 'INVALID_ARGUMENT');
  await refusedWith(t, client.listJobs({ filter: 0, limit: 1 }, CALL), 'INVALID_ARGUMENT');
});
