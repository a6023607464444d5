import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { v7 as uuidv7 } from 'uuid';
import { type Job, JobState, JobsServiceClient } from '../../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { Role } from '../../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { startTied, type TiedProcess } from '../../../../scripts/launch/processes/tied-process.ts';
import { isListening } from '../../../../scripts/launch/processes/wait-for.ts';
import type { RunningServer } from '../../../../scripts/launch/servers/server.ts';
import { type Channels, openChannels } from '../../../../services/platform/grpc/grpc-client.ts';
import { entryPoint } from '../../../kit/entry-point.ts';
import { INHERITED } from '../../../kit/inherited.ts';
import { startSeededPostgres } from '../../../kit/seeded-postgres.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';
import { HANG_MS, until } from '../../../kit/until.ts';
import { startVerificationServer, type VerificationServer } from './verification-server.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const ENDED: ReadonlySet<JobState> = new Set([
  JobState.JOB_STATE_SUCCEEDED,
  JobState.JOB_STATE_FAILED,
  JobState.JOB_STATE_CANCELLED,
]);

export interface Copy {
  readonly process: TiedProcess;
  /** Path of the log file. */
  readonly logPath: string;
  /** Target of the gRPC server. */
  readonly target: string;
  readonly jobs: Channels<JobsServiceClient>;
}

export interface JobsHarness {
  readonly verification: VerificationServer;
  readonly databaseUrl: string;
  /** Starts a back office as a separate process. Each name is a separate copy. */
  startCopy(name: string, env?: Readonly<Record<string, string>>): Promise<Copy>;
  killPostgres(): Promise<void>;
  restartPostgres(): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL and a verification service for back offices that run jobs. */
export async function startJobsHarness(): Promise<JobsHarness> {
  const { path: folder, runDir, place, remove } = createTestFolder();
  let postgres: RunningServer = await startSeededPostgres(place('postgres'));
  const copies = new Map<string, Copy>();
  const verification = await startVerificationServer(`unix:${runDir}/verification.sock`);

  async function startCopy(name: string, env: Readonly<Record<string, string>> = {}): Promise<Copy> {
    const { log } = place(name);
    const socket = join(runDir, `${name}.sock`);
    const process_ = startTied({
      command: process.execPath,
      args: [entryPoint('services/backoffice/main.ts')],
      cwd: ROOT,
      output: log.output,
      env: {
        ...INHERITED,
        TOLLHOUSE_DATA: folder,
        LISTEN: `unix:${socket}`,
        DATABASE_URL: postgres.url,
        PAYMENTS_URL: `unix:${runDir}/nobody.sock`,
        VERIFICATION_URL: verification.address,
        ...env,
      },
    });
    await until(() => isListening(socket), { child: process_, log });
    copies.get(name)?.jobs.close();
    const target = `unix:${socket}`;
    const copy = { process: process_, logPath: log.path, target, jobs: openChannels(JobsServiceClient, target) };
    copies.set(name, copy);
    return copy;
  }

  return {
    verification,
    databaseUrl: postgres.url,
    startCopy,
    async restartPostgres() {
      postgres = await startSeededPostgres(place('postgres'));
    },
    async killPostgres() {
      process.kill(postgres.pid, 'SIGKILL');
      await postgres.exited;
    },
    async stop() {
      for (const { jobs } of copies.values()) jobs.close();
      await Promise.all(Array.from(copies.values(), (copy) => copy.process.stop('SIGKILL', 0)));
      verification.letGo();
      await verification.close();
      await postgres.stop();
      remove();
    },
  };
}

export const newCaller = () => ({
  tenantId: uuidv7(),
  keyId: uuidv7(),
  role: Role.ROLE_AGENT,
  scopes: [] as string[],
  keyGroup: '',
});

/** A new submission. */
export const newSubmission = () => ({
  caller: newCaller(),
  idempotencyKey: uuidv7(),
  work: { operation: { $case: 'verifyExecution' as const, value: { executionId: uuidv7() } } },
});

export type Submission = ReturnType<typeof newSubmission>;

export async function submit({ jobs }: Copy, submission: Submission): Promise<Job> {
  return jobs.call((client) => client.submit, submission, { timeoutMs: HANG_MS });
}

export async function getJob({ jobs }: Copy, { caller }: Submission, jobId: string): Promise<Job> {
  const request = { tenantId: caller.tenantId, jobId };
  return jobs.call((client) => client.get, request, { timeoutMs: HANG_MS });
}

/** Waits until the job has ended. */
export const endOf = (copy: Copy, submission: Submission, jobId: string): Promise<Job> =>
  until(async () => {
    const job = await getJob(copy, submission, jobId);
    return ENDED.has(job.state) && job;
  });
