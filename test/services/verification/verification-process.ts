import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Caller, Role } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { startTied, type TiedProcess } from '../../../scripts/launch/processes/tied-process.ts';
import { isListening } from '../../../scripts/launch/processes/wait-for.ts';
import type { RunningServer } from '../../../scripts/launch/servers/server.ts';
import { SANDBOX_TOOLS } from '../../../scripts/launch/settings.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { type HealthProbe, openHealthProbe } from '../../../services/platform/grpc/grpc-health.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { type Database, openDatabase } from '../../../services/store/database.ts';
import { SERVICE_ROLE } from '../../../services/store/preparation.ts';
import {
  createVerificationClient,
  type VerificationClient,
  withOperations,
} from '../../../services/verification/contract/client.ts';
import { createTenant, issueKey } from '../../../services/verification/tenants/keys.ts';
import { entryPoint } from '../../kit/entry-point.ts';
import { INHERITED } from '../../kit/inherited.ts';
import { adminUrlOf } from '../../kit/owned-database.ts';
import { startSeededPostgres } from '../../kit/seeded-postgres.ts';
import { findSharedStack } from '../../kit/shared-stack.ts';
import { createTestFolder } from '../../kit/test-folder.ts';
import { until } from '../../kit/until.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FAILPOINTS = new URL('../../kit/failpoints.ts', import.meta.url);

export type Channel = VerificationClient;

/** Callers of one tenant, as the gateway derives them from API keys. */
export interface Callers {
  readonly tenantId: string;
  readonly agent: Caller;
  readonly approver: Caller;
  readonly reader: Caller;
}

/** A verification service and its database. */
export interface UsedVerification {
  readonly service: Channel;
  /** For gRPC clients. */
  readonly target: string;
  readonly databaseUrl: () => string;
  /** Runs `work` on a new connection to the current database, as its owner, the service or a superuser. */
  readonly withDatabase: <Result>(
    role: 'owner' | 'service' | 'superuser',
    work: (database: Database) => Promise<Result>,
  ) => Promise<Result>;
  addTenant(name: string): Promise<Callers>;
  /** Creates another agent key of a tenant, optionally in a group of keys. */
  addAgent(tenantId: string, group?: string): Promise<Caller>;
  stop(): Promise<void>;
}

/** The verification service as a separate process with a separate database. */
export interface VerificationProcess extends UsedVerification {
  readonly health: HealthProbe;
  /** Kills the service or PostgreSQL when the service next reaches that step. */
  arm(step: string, victim: 'service' | 'postgres'): void;
  kill(victim: 'service' | 'postgres'): void;
  /** Restarts the killed process on the same data. `changes` apply to the service from then on. */
  revive(victim: 'service' | 'postgres', changes?: Readonly<Record<string, string>>): Promise<void>;
}

let own: Promise<VerificationProcess> | undefined;

/**
 * The verification service of the stack that test files share, or else one for the files of this process, or of this
 * file. A test that uses it must have tenants of its own, must not change what all tenants share, and must not count what
 * other tests do.
 */
export async function useVerificationProcess(): Promise<UsedVerification> {
  const shared = findSharedStack();
  if (shared === undefined) {
    if (process.env['TOLLHOUSE_TEST_RUN'] === undefined) return startVerificationProcess();
    // It ends with the process, which runs the next file.
    own ??= startVerificationProcess();
    return { ...(await own), stop: async () => {} };
  }
  const { runDir, databaseUrl } = shared;
  const used = connect(`unix:${join(runDir, 'verification.sock')}`, () => databaseUrl);
  return { ...used, service: patient(used.service), stop: async () => used.service.close() };
}

const MAX_TRIES = 5;

/** Asks again if the database did not answer in time. Its time limits are those of the product, and many tests use it at once. */
const patient = (service: Channel): Channel =>
  withOperations({
    ...service,
    async call(...asked) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await service.call(...asked);
        } catch (error) {
          const isLate = error instanceof CallError && error.code === 'RECORDS_UNAVAILABLE';
          if (!isLate || tries === MAX_TRIES) throw error;
        }
      }
    },
  });

function connect(target: string, databaseUrl: () => string): Omit<UsedVerification, 'stop'> {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const withDatabase: UsedVerification['withDatabase'] = async (role, work) => {
    const database = openDatabase({
      url: role === 'superuser' ? adminUrlOf(databaseUrl()) : databaseUrl(),
      connections: 1,
      logger,
      ...(role === 'service' ? { role: SERVICE_ROLE } : {}),
    });
    try {
      return await work(database);
    } finally {
      await database.destroy();
    }
  };
  return {
    service: createVerificationClient(target),
    target,
    databaseUrl,
    withDatabase,
    addTenant: (name) =>
      withDatabase('owner', async (database) => {
        // Names of tenants are unique, and other tests may use the same service.
        const tenantId = await createTenant(database, `${name} ${randomUUID()}`);
        const caller = async (role: 'agent' | 'approver' | 'reader', message: Role): Promise<Caller> => {
          const { keyId } = await issueKey(database, tenantId, role);
          return { tenantId, keyId, role: message, scopes: [], keyGroup: keyId };
        };
        return {
          tenantId,
          agent: await caller('agent', Role.ROLE_AGENT),
          approver: await caller('approver', Role.ROLE_APPROVER),
          reader: await caller('reader', Role.ROLE_READER),
        };
      }),
    addAgent: (tenantId, group) =>
      withDatabase('owner', async (database) => {
        const { keyId } = await issueKey(database, tenantId, 'agent', group === undefined ? {} : { group });
        return { tenantId, keyId, role: Role.ROLE_AGENT, scopes: [], keyGroup: group ?? keyId };
      }),
  };
}

export async function startVerificationProcess(
  env: Readonly<Record<string, string>> = {},
): Promise<VerificationProcess> {
  const { path: folder, runDir, place, remove } = createTestFolder();
  const socket = join(runDir, 'verification.sock');
  const failpoints = join(folder, 'failpoints');
  mkdirSync(failpoints);
  let settings = env;
  let postgres: RunningServer = await startSeededPostgres(place('postgres'));
  let service: TiedProcess = await startService();
  const used = connect(`unix:${socket}`, () => postgres.url);
  const health = openHealthProbe(`unix:${socket}`);

  async function startService(): Promise<TiedProcess> {
    const { log } = place('verification');
    rmSync(socket, { force: true });
    const child = startTied({
      command: process.execPath,
      args: ['--import', FAILPOINTS.href, entryPoint('services/verification/main.ts')],
      cwd: ROOT,
      output: log.output,
      env: {
        ...INHERITED,
        TOLLHOUSE_DATA: folder,
        LISTEN: `unix:${socket}`,
        DATABASE_URL: postgres.url,
        SOLVER_THREADS: '1',
        TOOL_EFFECTS: SANDBOX_TOOLS,
        ...settings,
      },
    });
    await until(() => isListening(socket), { child, log });
    return child;
  }

  return {
    ...used,
    health,
    arm(step, victim) {
      const pid = victim === 'service' ? service.pid : postgres.pid;
      writeFileSync(join(failpoints, `verification.${step}`), String(pid));
    },
    kill: (victim) => process.kill(victim === 'service' ? service.pid : postgres.pid, 'SIGKILL'),
    async revive(victim, changes = {}) {
      settings = { ...settings, ...changes };
      if (victim === 'postgres') {
        await postgres.exited;
        postgres = await startSeededPostgres(place('postgres'));
      } else {
        await service.exited;
        service = await startService();
      }
    },
    async stop() {
      used.service.close();
      health.close();
      await service.stop('SIGKILL', 1000);
      await postgres.stop();
      remove();
    },
  };
}
