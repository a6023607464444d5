import { readFileSync } from 'node:fs';
import { ConfigurationError } from '../../services/platform/process/environment.ts';

/** Kept for Redis, gRPC, files and connections that are being refused. */
const RESERVED = 160;
const MIN_CONNECTIONS = 32;

/** How many files this process may open; undefined where the system does not say, or sets no limit. */
function readDescriptorLimit(): number | undefined {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/**
 * How many connections this process may accept, so that accepting them never takes the descriptors that it needs to
 * reach Redis and the services.
 *
 * @throws {ConfigurationError} when the limit of open files leaves too few
 */
export function affordableConnections(wanted: number): number {
  const limit = readDescriptorLimit();
  if (limit === undefined) return wanted;
  if (limit < RESERVED + MIN_CONNECTIONS) {
    throw new ConfigurationError(
      `the limit of open files (ulimit -n) is ${limit}; the gateway needs at least ${RESERVED + MIN_CONNECTIONS}`,
    );
  }
  return Math.min(wanted, limit - RESERVED);
}
