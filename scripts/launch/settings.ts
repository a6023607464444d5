import { createServer } from 'node:net';
import { resolve } from 'node:path';

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly logLevel: string;
  readonly redisUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  /** Whether somebody said where the records are to be. */
  readonly isStorageChosen: boolean;
  /** The operator's list of tools. In the sandbox, those of the example. */
  readonly toolEffects: string | undefined;
  /** Payments of play money on a chain of our own: the choice when no real one is configured. */
  readonly isSandbox: boolean;
}

/** What the sandbox knows of tools: those of the example, and those that the service runs again, which do nothing. */
export const SANDBOX_TOOLS =
  'order.get=none,mail.send=write,pay.refund=revenue_write:/id,html-to-markdown=none,exact-select=none';

type Environment = Readonly<Record<string, string | undefined>>;

/** What `npm start` itself takes from the environment; an empty variable counts as absent. @throws Error naming it */
export function readSettings(environment: Environment): Settings {
  const value = (name: string): string | undefined => environment[name] || undefined;
  const port = Number(value('PORT') ?? 8402);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`PORT is ${JSON.stringify(environment['PORT'])}: it must be a number from 1 to 65535`);
  }
  const isSandbox = value('X402_FACILITATOR_URL') === undefined && value('X402_SIGNER_KEY') === undefined;
  return {
    host: value('HOST') ?? '127.0.0.1',
    port,
    dataDir: resolve(value('TOLLHOUSE_DATA') ?? '.tollhouse'),
    logLevel: value('LOG_LEVEL') ?? 'info',
    redisUrl: value('REDIS_URL'),
    databaseUrl: value('DATABASE_URL'),
    isStorageChosen: value('DATABASE_URL') !== undefined || value('TOLLHOUSE_DATA') !== undefined,
    toolEffects: value('TOOL_EFFECTS') ?? (isSandbox ? SANDBOX_TOOLS : undefined),
    isSandbox,
  };
}

/** Where a program on this machine reaches a server that listens on `host`. */
export function originOf({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function faultOf(error: NodeJS.ErrnoException, { host, port }: Pick<Settings, 'host' | 'port'>): Error {
  const faults: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is in use by another program. Stop it, or choose another: PORT=${port + 1} npm start`,
    EACCES: `This user may not listen on port ${port}. Choose another: PORT=8402 npm start`,
    EADDRNOTAVAIL: `HOST is ${host}, which is no address of this machine`,
    ENOTFOUND: `HOST is ${host}, which is no address of this machine`,
  };
  return new Error(faults[error.code ?? ''] ?? error.message, { cause: error });
}

/** Finds out before anything is started. @throws Error that says what to do when the port cannot be had */
export function assertPortFree(where: Pick<Settings, 'host' | 'port'>): Promise<void> {
  return new Promise((done, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(faultOf(error, where)));
    probe.listen({ host: where.host, port: where.port, exclusive: true }, () => probe.close(() => done()));
  });
}
