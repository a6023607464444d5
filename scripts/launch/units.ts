import { join } from 'node:path';
import { isListeningOn } from '../../services/platform/process/listen-address.ts';
import { openLog, toPlain } from './processes/log-file.ts';
import { PROGRAMS, type Program, type ProgramName } from './processes/programs.ts';
import { startService } from './processes/service-process.ts';
import type { Unit } from './processes/supervisor.ts';
import { isListening } from './processes/wait-for.ts';
import { startAnvil } from './servers/anvil.ts';
import { freePort } from './servers/free-port.ts';
import { startPostgres } from './servers/postgres.ts';
import { startRedis } from './servers/redis.ts';
import type { RunningServer, ServerPlace } from './servers/server.ts';
import type { Settings } from './settings.ts';

const TAIL_LINES = 8;
const LOOPBACK = '127.0.0.1';

export type Urls = Readonly<Record<'redis' | 'postgres' | 'anvil', string | undefined>>;

export interface Layout {
  readonly settings: Settings;
  readonly runDir: string;
  /** Folder of the bundles to start. Without it, processes run from their sources. */
  readonly bundles?: string | undefined;
  /** Ports of the copies of each service. Without it, a service is one process on a Unix socket. */
  readonly ports?: ReadonlyMap<string, readonly number[]> | undefined;
  /** Replaces OPERATOR_KEY_HASHES of the environment. */
  readonly operatorKeyHashes?: string | undefined;
}

interface ServerUnit {
  readonly unit: Unit;
  readonly url: () => string | undefined;
}

function serverUnit(
  { settings, runDir }: Layout,
  name: string,
  start: (place: ServerPlace) => Promise<RunningServer>,
): ServerUnit {
  const log = openLog(settings.logFolder, name);
  let url: string | undefined;
  const startIt = async (): Promise<RunningServer> => {
    const server = await start({ dataDir: join(settings.dataDir, name), runDir, log });
    url = server.url;
    return server;
  };
  return { unit: { name, start: startIt, tail: () => log.tail(TAIL_LINES) }, url: () => url };
}

export interface Servers {
  readonly units: readonly Unit[];
  /** Of the servers that were started. */
  readonly urls: () => Urls;
}

/** The servers to start. Servers that the environment names are not started. */
export async function serverUnits(layout: Layout): Promise<Servers> {
  const { redisUrl, databaseUrl, isSandbox } = layout.settings;
  const redis = redisUrl === undefined ? serverUnit(layout, 'redis', startRedis) : undefined;
  const postgres = databaseUrl === undefined ? serverUnit(layout, 'postgres', startPostgres) : undefined;
  const anvil = isSandbox ? await anvilUnit(layout) : undefined;
  const units = [redis?.unit, postgres?.unit];
  // A restarted chain is empty. The payments service restores the state that it saved.
  if (anvil !== undefined) units.push({ ...anvil.unit, dependants: ['payments'] });
  return {
    units: units.filter((unit) => unit !== undefined),
    urls: () => ({ redis: redis?.url(), postgres: postgres?.url(), anvil: anvil?.url() }),
  };
}

/** The port is chosen once, so that a restarted chain has the same URL. */
async function anvilUnit(layout: Layout): Promise<ServerUnit> {
  const port = await freePort();
  return serverUnit(layout, 'anvil', (place) => startAnvil({ ...place, port }));
}

interface Service {
  readonly name: string;
  readonly program: Program;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isUp: () => Promise<boolean>;
}

function processUnit({ settings, bundles }: Layout, { name, program, env, isUp }: Service): Unit {
  const log = openLog(settings.logFolder, name);
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const common = {
    LOG_LEVEL: settings.logLevel,
    TOLLHOUSE_DATA: settings.dataDir,
    CREATE_KEYS: String(settings.isSandbox),
  };
  return {
    name,
    start: () => startService({ ...program, name, bundles, log, isUp, env: { ...common, ...Object.fromEntries(set) } }),
    tail: () => log.tail(TAIL_LINES).map(toPlain),
  };
}

/** Every service listens on a Unix socket in the run folder, or its copies on ports. */
const socketOf = ({ runDir }: Layout, name: string): string => join(runDir, `${name}.sock`);
const targetOf = (layout: Layout, name: string): string => {
  const ports = layout.ports?.get(name);
  if (ports === undefined) return `unix:${socketOf(layout, name)}`;
  return `ipv4:${ports.map((port) => `${LOOPBACK}:${port}`).join()}`;
};

/** The copies of a service, each of which is up when it listens. The second one has the name of the service and 2. */
function serviceUnit(layout: Layout, name: ProgramName, env: Service['env'] = {}): readonly Unit[] {
  const service = { program: PROGRAMS[name] };
  const ports = layout.ports?.get(name);
  if (ports === undefined) {
    const isUp = () => isListening(socketOf(layout, name));
    return [processUnit(layout, { ...service, name, env: { LISTEN: targetOf(layout, name), ...env }, isUp })];
  }
  return ports.map((port, index) =>
    processUnit(layout, {
      ...service,
      name: index === 0 ? name : `${name}${index + 1}`,
      env: { LISTEN: `${LOOPBACK}:${port}`, ...env },
      isUp: () => isListeningOn({ host: LOOPBACK, port }),
    }),
  );
}

/** The services that use no server. They can start while the servers start. */
export const serverlessUnits = (layout: Layout): readonly Unit[] => [
  ...serviceUnit(layout, 'content'),
  ...serviceUnit(layout, 'maps'),
];

/** The services that use servers, and one gateway. */
export function serviceUnits(
  layout: Layout,
  urls: Urls,
): { readonly services: readonly Unit[]; readonly gateway: Unit } {
  const { settings } = layout;
  const target = (name: string): string => targetOf(layout, name);
  const services: readonly Unit[] = [
    ...serviceUnit(layout, 'payments', {
      DATABASE_URL: urls.postgres,
      SANDBOX_RPC_URL: urls.anvil,
      SANDBOX_STATE_FILE: join(settings.dataDir, 'anvil', 'state.json'),
    }),
    ...serviceUnit(layout, 'backoffice', {
      DATABASE_URL: urls.postgres,
      PAYMENTS_URL: target('payments'),
      VERIFICATION_URL: target('verification'),
      OPERATOR_KEY_HASHES: layout.operatorKeyHashes,
    }),
    ...serviceUnit(layout, 'verification', {
      DATABASE_URL: urls.postgres,
      STORAGE_MODE: settings.databaseUrl === undefined ? 'file' : 'postgres',
      STORAGE_SOURCE: settings.isStorageChosen ? 'explicit' : 'default',
      VERIFICATION_SANDBOX: String(settings.isSandbox),
      TOOL_EFFECTS: settings.toolEffects,
    }),
  ];
  return { services, gateway: gatewayUnit(layout, urls, { name: 'gateway', port: settings.port }) };
}

/** A gateway on the given port. */
export function gatewayUnit(
  layout: Layout,
  urls: Urls,
  { name, port }: { readonly name: string; readonly port: number },
): Unit {
  const { host } = layout.settings;
  return processUnit(layout, {
    name,
    program: PROGRAMS.gateway,
    isUp: () => isListeningOn({ host, port }),
    env: {
      HOST: host,
      PORT: String(port),
      ADMIN_LISTEN: process.env['ADMIN_LISTEN'] ?? `unix:${socketOf(layout, `${name}-admin`)}`,
      REDIS_URL: urls.redis,
      CONTENT_URL: targetOf(layout, 'content'),
      MAPS_URL: targetOf(layout, 'maps'),
      PAYMENTS_URL: targetOf(layout, 'payments'),
      BACKOFFICE_URL: targetOf(layout, 'backoffice'),
      VERIFICATION_URL: targetOf(layout, 'verification'),
      OPERATOR_KEY_HASHES: layout.operatorKeyHashes,
    },
  });
}
