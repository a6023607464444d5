import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LogFile } from '../../scripts/launch/processes/log-file.ts';
import { startTied, type TiedProcess } from '../../scripts/launch/processes/tied-process.ts';
import { isListening, waitFor } from '../../scripts/launch/processes/wait-for.ts';
import { startAnvil } from '../../scripts/launch/servers/anvil.ts';
import { startRedis } from '../../scripts/launch/servers/redis.ts';
import type { RunningServer } from '../../scripts/launch/servers/server.ts';
import { SANDBOX_TOOLS } from '../../scripts/launch/settings.ts';
import { INHERITED } from './inherited.ts';
import { startSeededPostgres } from './seeded-postgres.ts';
import { createTestFolder } from './test-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const START_TIMEOUT_MS = 40_000;
const STOP_GRACE_MS = 3_000;

export type ServerName = 'redis' | 'postgres' | 'anvil';
export type ServiceName = 'content' | 'payments' | 'backoffice' | 'maps' | 'verification';
export type Environment = Readonly<Record<string, string>>;

export interface StackOptions {
  readonly gateways?: number;
  /** Whether geocoding is served as well: most tests need none, and its data takes a second to read. */
  readonly maps?: boolean;
  /** Whether verified execution is served as well; its solver takes a second to load. */
  readonly verified?: boolean;
  /** Added to the environment of every process of that kind, or of the gateway of that name. */
  readonly env?: Partial<Readonly<Record<ServiceName | 'gateway' | `gateway${number}`, Environment>>>;
  /** The Redis that a gateway or service is told of, instead of the real one: for a proxy between them. */
  readonly redisUrl?: (realUrl: string, name: string) => string;
  /** A module that every process loads first. */
  readonly preload?: URL;
  /** Limit of open files of every gateway; that of this process by default. */
  readonly gatewayOpenFiles?: number;
}

/** Where a stack is reached. */
export interface StackAddresses {
  /** Origins of the gateways. */
  readonly urls: readonly [string, ...string[]];
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly chainUrl: string;
  readonly runDir: string;
  readonly dataDir: string;
}

export interface Stack extends StackAddresses {
  /** Of the process or server that runs under that name. */
  pid(name: string): number;
  /** Ends a process or server with SIGKILL and waits until it is gone. */
  kill(name: string): Promise<void>;
  /** Starts it again, on the same data, and waits until it serves: a gateway trials as well, unless told otherwise. */
  start(name: string, env?: Environment, options?: { readonly withoutTrials: boolean }): Promise<void>;
  signal(name: string, signal: NodeJS.Signals): void;
  /** Resolves when the process has ended by itself. */
  exited(name: string): Promise<string>;
  log(name: string): readonly string[];
  stop(): Promise<void>;
}

/** The whole product as its own processes, in folders of its own. Dies with this process. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { path: folder, runDir, place, remove } = createTestFolder();
  const logs = new Map<string, LogFile>();
  const servers = new Map<string, RunningServer>();
  const processes = new Map<string, TiedProcess>();
  const ports = await freePorts(options.gateways ?? 1);

  const startServer = async (name: ServerName) => {
    const starters = { redis: startRedis, postgres: startSeededPostgres, anvil: startAnvil };
    const port = name === 'anvil' ? { port: ports.anvil } : {};
    const where = place(name);
    logs.set(name, where.log);
    servers.set(name, await starters[name]({ ...where, ...port }));
  };
  await Promise.all((['redis', 'postgres', 'anvil'] as const).map(startServer));
  const urlOf = (name: ServerName) => servers.get(name)?.url ?? '';
  const [redisUrl, databaseUrl, chainUrl] = [urlOf('redis'), urlOf('postgres'), urlOf('anvil')];

  const socket = (name: string) => `unix:${runDir}/${name}.sock`;
  const environmentOf = (name: string): Environment => {
    const kind = name.startsWith('gateway') ? 'gateway' : (name as ServiceName);
    const common = {
      TOLLHOUSE_DATA: folder,
      REDIS_URL: options.redisUrl?.(redisUrl, name) ?? redisUrl,
      LOG_LEVEL: 'info',
    };
    const own: Record<string, Environment> = {
      content: { LISTEN: socket('content'), CONTENT_THREADS: '1' },
      maps: { LISTEN: socket('maps'), MAPS_THREADS: '1' },
      verification: {
        LISTEN: socket('verification'),
        DATABASE_URL: databaseUrl,
        SOLVER_THREADS: '1',
        STORAGE_MODE: 'file',
        VERIFICATION_SANDBOX: 'true',
        TOOL_EFFECTS: SANDBOX_TOOLS,
      },
      payments: {
        LISTEN: socket('payments'),
        DATABASE_URL: databaseUrl,
        SANDBOX_RPC_URL: chainUrl,
        SANDBOX_STATE_FILE: join(folder, 'chain.json'),
      },
      backoffice: {
        LISTEN: socket('backoffice'),
        DATABASE_URL: databaseUrl,
        PAYMENTS_URL: socket('payments'),
        VERIFICATION_URL: socket('verification'),
        SWEEP_INTERVAL_MS: '200',
      },
      gateway: {
        PORT: String(ports.gateways[Number(name.slice('gateway'.length))]),
        CONTENT_URL: socket('content'),
        MAPS_URL: socket('maps'),
        VERIFICATION_URL: socket('verification'),
        PAYMENTS_URL: socket('payments'),
        BACKOFFICE_URL: socket('backoffice'),
        RATE_LIMIT_PER_MINUTE: '0',
        // A stack without some of the services is ready without them.
        ...(options.maps && options.verified ? {} : { START_GRACE_MS: '0' }),
        // A busy machine is neither the ledger's fault nor the gateway's.
        LEDGER_TIMEOUT_MS: '10000',
        MAX_EVENT_LOOP_DELAY_MS: '60000',
      },
    };
    const given = options.env ?? {};
    return { ...common, ...own[kind], ...given[kind], ...(name === kind ? {} : given[name as `gateway${number}`]) };
  };

  const startProcess = async (name: string, env: Environment = {}, how: Partial<GatewayState> = {}) => {
    const kind = name.startsWith('gateway') ? 'gateway' : name;
    const entry = join(ROOT, kind === 'gateway' ? 'gateway/main.ts' : `services/${kind}/main.ts`);
    const { log } = place(name);
    logs.set(name, log);
    const environment: NodeJS.ProcessEnv = { ...INHERITED, ...environmentOf(name), ...env };
    const preload = options.preload === undefined ? [] : ['--import', options.preload.href];
    const limit = kind === 'gateway' ? options.gatewayOpenFiles : undefined;
    const child = startTied({
      ...withOpenFiles(limit, [process.execPath, ...preload, entry]),
      env: environment,
      cwd: ROOT,
      logFd: log.fd,
    });
    processes.set(name, child);
    const isUp = isUpOf(kind, environment, { withoutTrials: false, services: [], ...how });
    if (isUp === undefined) return;
    if (!(await waitFor(isUp, { timeoutMs: START_TIMEOUT_MS, hopeless: () => !child.running() }))) {
      throw new Error(`${name} is not ready:\n${log.tail(20).join('\n')}`);
    }
  };

  /** Gateways wait for the other services by themselves. */
  const isUpOf = (kind: string, environment: NodeJS.ProcessEnv, wanted: GatewayState) => {
    if (kind === 'maps' || kind === 'verification') return () => isListening(join(runDir, `${kind}.sock`));
    const url = `http://127.0.0.1:${environment['PORT']}/health/ready`;
    return kind === 'gateway' ? () => answersWell(url, wanted) : undefined;
  };

  const gateways = ports.gateways.map((_, index) => `gateway${index}`);
  const wanted = [options.maps && 'maps', options.verified && 'verification'];
  const services = ['content', 'payments', 'backoffice', ...wanted.filter((name) => typeof name === 'string')];
  await Promise.all([...services, ...gateways].map((name) => startProcess(name, {}, { services })));
  const [first = '', ...others] = ports.gateways.map((port) => `http://127.0.0.1:${port}`);
  const pidOf = (name: string): number => {
    const pid = servers.get(name)?.pid ?? processes.get(name)?.pid;
    if (pid === undefined) throw new Error(`nothing is named ${name}`);
    return pid;
  };
  const exited = async (name: string) => (await (servers.get(name) ?? processes.get(name))?.exited) ?? 'never started';
  return {
    urls: [first, ...others],
    redisUrl,
    databaseUrl,
    chainUrl,
    runDir,
    dataDir: folder,
    pid: pidOf,
    async kill(name) {
      process.kill(pidOf(name), 'SIGKILL');
      await exited(name);
    },
    start: (name, env, how) => (servers.has(name) ? startServer(name as ServerName) : startProcess(name, env, how)),
    signal: (name, signal) => process.kill(pidOf(name), signal),
    exited,
    log: (name) => logs.get(name)?.tail(200) ?? [],
    async stop() {
      // not SIGKILL: what they compiled is kept by those who leave in order
      await Promise.all(Array.from(processes.values(), (child) => child.stop('SIGTERM', STOP_GRACE_MS)));
      await Promise.all(Array.from(servers.values(), (server) => server.stop()));
      remove();
    },
  };
}

/** A command as it is, or with a limit of open files that it cannot raise again. */
function withOpenFiles(limit: number | undefined, [command, ...args]: readonly [string, ...string[]]) {
  if (limit === undefined) return { command, args };
  return { command: '/bin/sh', args: ['-c', `ulimit -n ${limit}; exec "$@"`, 'limited', command, ...args] };
}

/** What a gateway is to have when its start is over. */
interface GatewayState {
  readonly withoutTrials: boolean;
  /** Names of the services that it reaches. */
  readonly services: readonly string[];
}

async function answersWell(url: string, { withoutTrials, services }: GatewayState): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1000) });
    const found = (await response.json()) as { trials?: string; services?: Record<string, string> };
    const isServed = services.every((name) => found.services?.[name] === 'ok');
    return response.ok && isServed && (withoutTrials || found.trials === 'available');
  } catch {
    return false;
  }
}

async function freePorts(gateways: number): Promise<{ readonly gateways: readonly number[]; readonly anvil: number }> {
  const ports = await Promise.all(Array.from({ length: gateways + 1 }, freePort));
  return { gateways: ports.slice(1), anvil: ports[0] ?? 0 };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
