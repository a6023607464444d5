import type { Logger } from '../../platform/process/logger.ts';
import type { Database } from '../../store/database.ts';
import type { Terms } from './terms.ts';

/** Runs `work` while no other copy of the service runs work under the same name. */
export type Lock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** What all parts of the service share. */
export interface Context {
  /** CAIP-2. */
  readonly network: string;
  readonly terms: Terms;
  readonly database: Database;
  readonly lock: Lock;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}
