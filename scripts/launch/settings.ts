import { fstatSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { ConfigurationError } from '../../services/platform/process/environment.ts';
import { COMMAND_LINES, DATA_FOLDER } from '../../services/platform/process/installation.ts';
import type { Secret } from '../../services/platform/process/secret-files.ts';
import { errorCodeOf } from './parse/error-code.ts';

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly logLevel: string;
  /** Undefined if logs go to standard output. */
  readonly logFolder: string | undefined;
  readonly redisUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  /** Whether the environment names the data folder or the database. */
  readonly isStorageChosen: boolean;
  /** The operator's list of tools. In the sandbox, the tools of the example by default. */
  readonly toolEffects: string | undefined;
  /** Whether payments use play money on a private chain, which is so unless real payments are configured. */
  readonly isSandbox: boolean;
  /** Whether the sandbox has an operator's key of its own: only where nothing lets other machines reach it. */
  readonly makesOperatorKey: boolean;
}

/**
 * Effects of the sandbox's tools: those of the examples that plans describe themselves, and the pure tools that the service
 * itself runs again.
 */
export const SANDBOX_TOOLS =
  'order.get=none,mail.send=write,pay.refund=revenue_write:/id,page.status=none,html-to-markdown=none,exact-select=none';

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 8402;
/** The secrets that `npm start` itself uses. */
export const LAUNCH_SECRETS: readonly Secret[] = ['DATABASE_URL', 'OPERATOR_KEY_HASHES', 'REDIS_URL'];
/** An operator who sets one of these decides who may open the operator's page. */
const OPERATOR_DECIDES = ['TOLLHOUSE_SANDBOX', 'PUBLIC_URLS', 'OPERATOR_KEY_HASHES', 'OPERATOR_PAGE'];

/** An empty variable counts as absent. */
const lookUp = (environment: Environment, name: string): string | undefined => environment[name] || undefined;

/** Absolute path of the data folder. */
export const dataFolderOf = (environment: Environment): string =>
  resolve(lookUp(environment, 'TOLLHOUSE_DATA') ?? DATA_FOLDER);

/** The port of the gateway. @throws {ConfigurationError} if PORT is not a port number */
export function portOf(environment: Environment): number {
  const text = lookUp(environment, 'PORT');
  const port = text === undefined ? DEFAULT_PORT : Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new ConfigurationError(`PORT is ${JSON.stringify(text)}: it must be a number from 1 to 65535`);
}

/** The database that the environment names, if any. */
export const databaseUrlOf = (environment: Environment): string | undefined => lookUp(environment, 'DATABASE_URL');

/** Whether the environment has no real payments. The files of secrets need not have been read. */
export const isSandboxIn = (environment: Environment): boolean =>
  ['X402_FACILITATOR_URL', 'X402_SIGNER_KEY'].every(
    (name) => lookUp(environment, name) === undefined && lookUp(environment, `${name}_FILE`) === undefined,
  );

/**
 * Whether an open file is a stream to the journal of systemd: JOURNAL_STREAM has its device and inode (systemd.exec(5)). The
 * variable alone does not say so, because programs inherit it.
 */
export function isJournal(fd: number, stream: string | undefined): boolean {
  if (stream === undefined) return false;
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return stream === `${dev}:${ino}`;
}

/** Reads the variables that `npm start` itself uses. @throws {ConfigurationError} that names a wrong variable */
export function readSettings(environment: Environment): Settings {
  const value = (name: string): string | undefined => lookUp(environment, name);
  const isSandbox = isSandboxIn(environment);
  const host = value('HOST') ?? DEFAULT_HOST;
  return {
    host,
    port: portOf(environment),
    dataDir: dataFolderOf(environment),
    logFolder: isJournal(1, value('JOURNAL_STREAM')) ? undefined : join(dataFolderOf(environment), 'logs'),
    logLevel: value('LOG_LEVEL') ?? 'info',
    redisUrl: value('REDIS_URL'),
    databaseUrl: databaseUrlOf(environment),
    isStorageChosen: databaseUrlOf(environment) !== undefined || value('TOLLHOUSE_DATA') !== undefined,
    toolEffects: value('TOOL_EFFECTS') ?? (isSandbox ? SANDBOX_TOOLS : undefined),
    isSandbox,
    makesOperatorKey: isSandbox && host === DEFAULT_HOST && OPERATOR_DECIDES.every((name) => value(name) === undefined),
  };
}

/** The origin at which a program on this machine reaches a server that listens on `host`. */
export function originOf({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function faultOf(error: Error, { host, port }: Pick<Settings, 'host' | 'port'>): Error {
  const code = errorCodeOf(error);
  const faults: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is in use by another program. Stop it, or choose another: PORT=${port + 1} ${COMMAND_LINES.start}`,
    EACCES: `This user may not listen on port ${port}. Choose another: PORT=${DEFAULT_PORT} ${COMMAND_LINES.start}`,
    EADDRNOTAVAIL: `HOST is ${host}, which is not an address of this machine`,
    ENOTFOUND: `HOST is ${host}, which is not an address of this machine`,
  };
  return new Error((code === undefined ? undefined : faults[code]) ?? error.message, { cause: error });
}

/** Checks the port before anything starts. @throws {Error} that says what to do if the port cannot be used */
export function assertPortFree(where: Pick<Settings, 'host' | 'port'>): Promise<void> {
  return new Promise((done, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(faultOf(error, where)));
    probe.listen({ host: where.host, port: where.port, exclusive: true }, () => probe.close(() => done()));
  });
}
