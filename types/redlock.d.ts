// The package's own typings are not reachable from ES modules and speak of ioredis.
declare module 'redlock' {
  export interface Lock {
    /** The token stored under the resource while it is held. */
    readonly value: string;
    release(): Promise<unknown>;
  }

  export class ResourceLockedError extends Error {}

  export class ExecutionError extends Error {
    readonly attempts: ReadonlyArray<Promise<{ readonly votesAgainst: ReadonlyMap<unknown, Error> }>>;
  }

  export interface Settings {
    readonly retryCount: number;
    readonly retryDelay: number;
    readonly retryJitter: number;
  }

  /** What is used of an ioredis client: all arguments in one list, the keys first. */
  export interface ScriptClient {
    evalsha(hash: string, numberOfKeys: number, args: readonly (string | number)[]): Promise<unknown>;
    eval(script: string, numberOfKeys: number, args: readonly (string | number)[]): Promise<unknown>;
  }

  /** Each is given the package's own script and returns the one to use. */
  export interface Scripts {
    readonly acquireScript: (script: string) => string;
    readonly extendScript: (script: string) => string;
    readonly releaseScript: (script: string) => string;
  }

  export default class Redlock {
    constructor(clients: Iterable<ScriptClient>, settings?: Partial<Settings>, scripts?: Partial<Scripts>);
    acquire(resources: readonly string[], durationMs: number, settings?: Partial<Settings>): Promise<Lock>;
    release(lock: Lock, settings?: Partial<Settings>): Promise<unknown>;
    extend(lock: Lock, durationMs: number, settings?: Partial<Settings>): Promise<Lock>;
  }
}
