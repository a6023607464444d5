import type { Logger } from './logger.ts';

export interface RepeatedErrorOptions {
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  readonly message: string;
  /** Level of the errors; `warn` by default. */
  readonly level?: 'error' | 'warn';
  /** Added to every line. */
  readonly fields?: Fields;
  readonly everyMs?: number;
}

/** More about one error. */
export interface ErrorDetails {
  /** Errors of one kind are counted together; by default those of one class and code. */
  readonly kind?: string;
  readonly fields?: Fields;
}

type Fields = Readonly<Record<string, unknown>>;

interface Outage {
  /** Errors of this kind so far. */
  total: number;
  /** Errors since the last line. */
  suppressed: number;
  last: Fields;
  readonly timer: NodeJS.Timeout;
}

const EVERY_MS = 10_000;

/**
 * Logs errors that may come in thousands. The first of a kind is logged at once. Then one line per interval has the
 * number of suppressed errors. A last line follows when an interval has passed without an error.
 */
export function createRepeatedErrorLog(
  options: RepeatedErrorOptions,
): (error: unknown, details?: ErrorDetails) => void {
  const { logger, message, level = 'warn', fields = {}, everyMs = EVERY_MS } = options;
  const outages = new Map<string, Outage>();

  function report(kind: string, outage: Outage): void {
    if (outage.suppressed > 0) {
      logger[level]({ ...outage.last, suppressed: outage.suppressed }, message);
      outage.suppressed = 0;
      return;
    }
    clearInterval(outage.timer);
    outages.delete(kind);
    logger.info({ ...fields, errors: outage.total }, `${message}: over`);
  }

  return (error, details = {}) => {
    const kind = details.kind ?? kindOf(error);
    const line = { ...fields, ...details.fields, err: error };
    const known = outages.get(kind);
    if (known !== undefined) {
      known.total += 1;
      known.suppressed += 1;
      known.last = line;
      return;
    }
    logger[level](line, message);
    const timer = setInterval(() => report(kind, outage), everyMs).unref();
    const outage: Outage = { total: 1, suppressed: 0, last: line, timer };
    outages.set(kind, outage);
  };
}

/** Kind of an error: its class and code. Messages may have ids or times. The first word of a Redis error is its code. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error ? String(error.code) : error.message.split(' ', 1)[0];
  return `${error.name} ${code}`;
}
