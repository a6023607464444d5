import type { Logger } from './logger.ts';

export interface RepeatedErrorOptions {
  readonly logger: Logger;
  readonly message: string;
  /** Added to every line. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly everyMs?: number;
}

interface Outage {
  /** Errors of this kind so far. */
  total: number;
  /** Errors since the last line. */
  suppressed: number;
  last: unknown;
  readonly timer: NodeJS.Timeout;
}

const EVERY_MS = 10_000;

/**
 * Logs errors that may come in thousands: the first of a kind at once, then one line per interval with the number of
 * errors that it stands for, and one line when an interval has passed without any.
 */
export function createRepeatedErrorLog(options: RepeatedErrorOptions): (error: unknown) => void {
  const { logger, message, fields = {}, everyMs = EVERY_MS } = options;
  const outages = new Map<string, Outage>();

  function look(kind: string, outage: Outage): void {
    if (outage.suppressed > 0) {
      logger.warn({ ...fields, err: outage.last, suppressed: outage.suppressed }, message);
      outage.suppressed = 0;
      return;
    }
    clearInterval(outage.timer);
    outages.delete(kind);
    logger.info({ ...fields, errors: outage.total }, `${message}: over`);
  }

  return (error) => {
    const kind = kindOf(error);
    const known = outages.get(kind);
    if (known !== undefined) {
      known.total += 1;
      known.suppressed += 1;
      known.last = error;
      return;
    }
    logger.warn({ ...fields, err: error }, message);
    const timer = setInterval(() => look(kind, outage), everyMs).unref();
    const outage: Outage = { total: 1, suppressed: 0, last: error, timer };
    outages.set(kind, outage);
  };
}

/** Messages may hold ids or times, so they are not compared as a whole. The first word of a Redis error is its code. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error ? String(error.code) : error.message.split(' ', 1)[0];
  return `${error.name} ${code}`;
}
