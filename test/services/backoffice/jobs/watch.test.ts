import { type ClientReadableStream, credentials, status } from '@grpc/grpc-js';
import test from 'ava';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import {
  type Job,
  JobState,
  JobsServiceClient,
  JobsServiceService,
  type WatchResponse,
} from '../../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { createAttempts } from '../../../../services/backoffice/jobs/attempts.ts';
import { followJobs } from '../../../../services/backoffice/jobs/job-changes.ts';
import { createJobRecords } from '../../../../services/backoffice/jobs/job-records.ts';
import { createJobsService } from '../../../../services/backoffice/jobs/jobs-service.ts';
import { startGrpcServer } from '../../../../services/platform/grpc/grpc-server.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { until } from '../../../kit/until.ts';
import { newSubmission } from './harness.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const stopping = new AbortController();
const { url, database, stop } = await createTestDatabase();
const changes = followJobs({ databaseUrl: url, logger });
const server = await startGrpcServer({
  listen: '127.0.0.1:0',
  service: JobsServiceService,
  serviceName: 'tollhouse.jobs.v1.JobsService',
  protoFile: 'tollhouse/jobs/v1/jobs.proto',
  implementation: createJobsService({
    records: createJobRecords(database),
    changes,
    workTypes: { verifyExecution: { fault: () => undefined, run: () => Promise.reject(new Error('not run here')) } },
    wakeUp: () => {},
    stopping: stopping.signal,
    logger,
  }),
  logger,
});
const client = new JobsServiceClient(server.address, credentials.createInsecure());
test.after.always(async () => {
  client.close();
  await server.close();
  await changes.close();
  await stop();
});

const submitNew = async () => {
  const submission = newSubmission();
  const { jobId } = await createJobRecords(database).submit(submission);
  return { tenantId: submission.caller.tenantId, jobId };
};

interface Watched {
  readonly call: ClientReadableStream<WatchResponse>;
  readonly jobs: readonly (Job | undefined)[];
  /** The gRPC status that the stream ended with. */
  readonly ended: Promise<status>;
}

function watch(id: { readonly tenantId: string; readonly jobId: string }): Watched {
  const jobs: (Job | undefined)[] = [];
  const call = client.watch(id);
  call.on('data', ({ job }: WatchResponse) => jobs.push(job));
  call.on('error', () => {});
  const ended = new Promise<status>((resolve) => call.on('status', ({ code }) => resolve(code)));
  return { call, jobs, ended };
}

test.serial('a watch reports each change of a job until it has ended, and leaves nothing behind', async (t) => {
  const id = await submitNew();
  const attempts = createAttempts({ database, leaseMs: 30_000 });
  const watched = watch(id);
  await until(() => watched.jobs.length === 1);
  const attempt = defined(await attempts.startNext());
  await until(() => watched.jobs.length === 2);
  await attempts.renew(attempt);
  await attempts.end(attempt, { state: 'succeeded', answer: '{}' });
  t.is(await watched.ended, status.OK);
  t.deepEqual(
    watched.jobs.map((job) => job?.state),
    [JobState.JOB_STATE_QUEUED, JobState.JOB_STATE_RUNNING, JobState.JOB_STATE_SUCCEEDED],
  );
  t.is(changes.followers(), 0);
});

test.serial('a watch of a job that has ended reports it once', async (t) => {
  const id = await submitNew();
  await createJobRecords(database).cancel({ ...id, keyGroup: '' });
  const watched = watch(id);
  t.is(await watched.ended, status.OK);
  t.deepEqual(
    watched.jobs.map((job) => job?.state),
    [JobState.JOB_STATE_CANCELLED],
  );
});

test.serial("another tenant's job cannot be watched", async (t) => {
  const { jobId } = await submitNew();
  t.is(await watch({ tenantId: uuidv7(), jobId }).ended, status.NOT_FOUND);
  t.is(await watch({ tenantId: uuidv7(), jobId: 'x' }).ended, status.INVALID_ARGUMENT);
  t.is(changes.followers(), 0);
});

test.serial('a caller that disconnects leaves nothing behind', async (t) => {
  const id = await submitNew();
  const all = Array.from({ length: 20 }, () => watch(id));
  await until(() => all.every(({ jobs }) => jobs.length === 1));
  t.is(changes.followers(), 20);
  for (const { call } of all) call.cancel();
  await until(() => changes.followers() === 0);
  t.pass();
});

test.serial('a watch reports a change even if the connection for notifications was lost', async (t) => {
  const id = await submitNew();
  const watched = watch(id);
  await until(() => watched.jobs.length === 1);
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE query LIKE 'LISTEN%' AND datname = current_database()`.execute(database);
  await createJobRecords(database).cancel({ ...id, keyGroup: '' });
  t.is(await watched.ended, status.OK);
});

test.serial('a service that stops ends all watches', async (t) => {
  const watched = watch(await submitNew());
  await until(() => watched.jobs.length === 1);
  stopping.abort();
  t.is(await watched.ended, status.UNAVAILABLE);
  t.is(changes.followers(), 0);
});
