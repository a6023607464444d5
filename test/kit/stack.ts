import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTied, type TiedProcess } from '../../scripts/launch/processes/tied-process.ts';
import { startAnvil } from '../../scripts/launch/servers/anvil.ts';
import { freePort } from '../../scripts/launch/servers/free-port.ts';
import { startRedis } from '../../scripts/launch/servers/redis.ts';
import type { RunningServer } from '../../scripts/launch/servers/server.ts';
import { SANDBOX_TOOLS } from '../../scripts/launch/settings.ts';
import { isListeningOn, readListenAddress } from '../../services/platform/process/listen-address.ts';
import { defined } from '../../workers/exact/defined.ts';
import { entryPoint } from './entry-point.ts';
import { gatewayEnvironment } from './gateway-environment.ts';
import { type GatewayState, isGatewayReady } from './gateway-readiness.ts';
import { INHERITED } from './inherited.ts';
import type { LogFile } from './log-file.ts';
import { startSeededPostgres } from './seeded-postgres.ts';
import { auditBooks } from './stack-ledger.ts';
import { createTestFolder } from './test-folder.ts';
import { until } from './until.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const STOP_GRACE_MS = 3_000;

const SERVERS = ['redis', 'postgres', 'anvil'] as const;
export type ServerName = (typeof SERVERS)[number];
export type ServiceName = 'content' | 'payments' | 'backoffice' | 'maps' | 'verification';
export type Environment = Readonly<Record<string, string>>;

export interface StackOptions {
  readonly gateways?: number;
  /** Whether to start geocoding. Most tests do not need it, and its data takes a second to read. */
  readonly maps?: boolean;
  /** Whether to start verified execution. Its solver takes a second to load. */
  readonly verified?: boolean;
  /** Variables for every process of a kind, or for the process of a name. */
  readonly env?: Partial<
    Readonly<Record<ServiceName | 'gateway' | `${ServiceName | 'gateway'}${number}`, Environment>>
  >;
  /** Returns the REDIS_URL of a process, for a proxy before the real Redis. */
  readonly redisUrl?: (realUrl: string, name: string) => string;
  /** The file from which a process starts, by its source and name. `entryPoint` by default. */
  readonly entry?: (source: string, name: string) => string;
  /** A module that every process loads before its own. */
  readonly preload?: URL;
  /** The limit of open files of every gateway. The limit of this process by default. */
  readonly gatewayOpenFiles?: number;
}

/** The addresses and folders of a stack. */
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
  /** The pid of the process or server with that name. */
  pid(name: string): number;
  /** Kills a process or server, and waits until it has ended. */
  kill(name: string): Promise<void>;
  /** Restarts a process or server on the same data, and waits until it serves. For a gateway, this includes trials. */
  start(name: string, env?: Environment, options?: { readonly withoutTrials: boolean }): Promise<void>;
  signal(name: string, signal: NodeJS.Signals): void;
  /** Resolves when the process has ended by itself. */
  exited(name: string): Promise<string>;
  log(name: string): readonly string[];
  /** Stops everything. @throws {Error} if the ledger breaks an invariant */
  stop(): Promise<void>;
}

/** Starts the whole product as separate processes in a new folder. All of them end with this process. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const { path: folder, runDir, place, remove } = createTestFolder();
  const logs = new Map<string, LogFile>();
  const servers = new Map<string, RunningServer>();
  const processes = new Map<string, TiedProcess>();
  const killed = new Set<string>();
  const ports = await freePorts(options.gateways ?? 1);

  const startServer = async (name: ServerName) => {
    const starters = { redis: startRedis, postgres: startSeededPostgres, anvil: startAnvil };
    const port = name === 'anvil' ? { port: ports.anvil } : {};
    const where = place(name);
    killed.delete(name);
    logs.set(name, where.log);
    servers.set(name, await starters[name]({ ...where, ...port }));
  };
  await Promise.all(SERVERS.map(startServer));
  const urlOf = (name: ServerName) => defined(servers.get(name)).url;
  const [redisUrl, databaseUrl, chainUrl] = [urlOf('redis'), urlOf('postgres'), urlOf('anvil')];

  const socket = (name: string) => `unix:${runDir}/${name}.sock`;
  const environmentOf = (name: string): Environment => {
    const kind = kindOf(name);
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
      },
    };
    const ownOf = (): Environment | undefined => {
      if (kind !== 'gateway') return own[kind];
      const port = defined(ports.gateways[Number(name.slice(kind.length))]);
      return gatewayEnvironment(runDir, port);
    };
    const given: Readonly<Record<string, Environment | undefined>> = options.env ?? {};
    return { ...common, ...ownOf(), ...given[kind], ...(name === kind ? {} : given[name]) };
  };

  const startProcess = async (name: string, env: Environment = {}, how: Partial<GatewayState> = {}) => {
    const kind = kindOf(name);
    const { entry: findEntry = entryPoint } = options;
    const entry = findEntry(kind === 'gateway' ? 'gateway/main.ts' : `services/${kind}/main.ts`, name);
    const { log } = place(name);
    logs.set(name, log);
    const environment: NodeJS.ProcessEnv = { ...INHERITED, ...environmentOf(name), ...env };
    const preload = options.preload === undefined ? [] : ['--import', options.preload.href];
    const limit = kind === 'gateway' ? options.gatewayOpenFiles : undefined;
    const child = startTied({
      ...withOpenFiles(limit, [process.execPath, ...preload, entry]),
      env: environment,
      cwd: ROOT,
      output: log.output,
    });
    processes.set(name, child);
    const isUp = isUpOf(kind, environment, { withoutTrials: false, services: [], ...how });
    if (isUp === undefined) return;
    await until(isUp, { child, log });
  };

  /** Undefined for the services that gateways wait for. */
  const isUpOf = (kind: string, environment: NodeJS.ProcessEnv, wanted: GatewayState) => {
    if (kind === 'maps' || kind === 'verification')
      return () => isListeningOn(readListenAddress(defined(environment['LISTEN'])));
    const url = `http://127.0.0.1:${environment['PORT']}/health/ready`;
    return kind === 'gateway' ? () => isGatewayReady(url, wanted) : undefined;
  };

  const gateways = ports.gateways.map((_, index) => `gateway${index}`);
  const wanted = [options.maps && 'maps', options.verified && 'verification'];
  const services = ['content', 'payments', 'backoffice', ...wanted.filter((name) => typeof name === 'string')];
  await Promise.all([...services, ...gateways].map((name) => startProcess(name, {}, { services })));
  const [first, ...others] = ports.gateways.map((port) => `http://127.0.0.1:${port}`);
  const pidOf = (name: string): number => {
    const pid = servers.get(name)?.pid ?? processes.get(name)?.pid;
    if (pid === undefined) throw new Error(`nothing is named ${name}`);
    return pid;
  };
  const exited = async (name: string) => (await (servers.get(name) ?? processes.get(name))?.exited) ?? 'never started';
  return {
    urls: [defined(first), ...others],
    redisUrl,
    databaseUrl,
    chainUrl,
    runDir,
    dataDir: folder,
    pid: pidOf,
    async kill(name) {
      killed.add(name);
      process.kill(pidOf(name), 'SIGKILL');
      await exited(name);
    },
    start: (name, env, how) => (isServer(name) ? startServer(name) : startProcess(name, env, how)),
    signal: (name, signal) => process.kill(pidOf(name), signal),
    exited,
    log: (name) => logs.get(name)?.tail(200) ?? [],
    async stop() {
      // After SIGTERM, not SIGKILL, processes save their compile cache.
      await Promise.all(Array.from(processes.values(), (child) => child.stop('SIGTERM', STOP_GRACE_MS)));
      try {
        if (!killed.has('postgres')) await auditBooks({ databaseUrl });
      } finally {
        await Promise.all(Array.from(servers.values(), (server) => server.stop()));
        remove();
      }
    },
  };
}

const isServer = (name: string): name is ServerName => SERVERS.some((each) => each === name);

/** The kind of a process. Gateways are named gateway0, gateway1 and so on; a further payments service is payments1. */
const kindOf = (name: string): string => name.replace(/\d+$/, '');

/** The command, with a limit of open files if one is given. The command cannot raise the limit again. */
function withOpenFiles(limit: number | undefined, [command, ...args]: readonly [string, ...string[]]) {
  if (limit === undefined) return { command, args };
  return { command: '/bin/sh', args: ['-c', `ulimit -n ${limit}; exec "$@"`, 'limited', command, ...args] };
}

async function freePorts(gateways: number): Promise<{ readonly gateways: readonly number[]; readonly anvil: number }> {
  const ports = await Promise.all(Array.from({ length: gateways + 1 }, freePort));
  return { gateways: ports.slice(1), anvil: defined(ports[0]) };
}
