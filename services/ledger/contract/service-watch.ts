import { describeSkew } from '../../platform/process/clock-skew.ts';

/** `reason` may be published: it has no addresses and no messages of libraries. */
export type LedgerServiceReadiness = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export interface ServiceWatchOptions {
  readonly readStatus: () => Promise<{ readonly nowMs: number; readonly closedBecause?: string | undefined }>;
  /** Throws if wallets cannot be locked. */
  readonly checkLocks: () => Promise<void>;
  /** Largest accepted difference between the clocks of this machine and of the database. */
  readonly toleranceMs: number;
  readonly checkEveryMs: number;
  /** The clock of this machine, in milliseconds since the epoch. */
  readonly now: () => number;
  readonly monotonicMs: () => number;
  readonly onError: (error: unknown) => void;
}

export interface ServiceWatch {
  /** Milliseconds since the epoch by the clock of the database; until it is known, by that of this machine. */
  now(): number;
  /** How far the clock of this machine is ahead; undefined until it is known. */
  clockSkewMs(): number | undefined;
  ready(): LedgerServiceReadiness;
  /** Looks now, or joins the look that is under way. */
  check(): Promise<LedgerServiceReadiness>;
  close(): void;
}

/** Knows whether trials may be admitted. Looks at intervals, one look at a time. */
export function watchService(options: ServiceWatchOptions): ServiceWatch {
  const { readStatus, checkLocks, toleranceMs, checkEveryMs, now: localNow, monotonicMs, onError } = options;
  /** Time of the database minus that of the monotonic clock, so that a step of the local clock has no effect. */
  let offsetMs: number | undefined;
  let shut: string | undefined = 'not connected yet';
  let running: Promise<LedgerServiceReadiness> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const now = () => (offsetMs === undefined ? localNow() : Math.round(monotonicMs() + offsetMs));
  const ready = (): LedgerServiceReadiness => (shut === undefined ? { ok: true } : { ok: false, reason: shut });

  const unless = (reason: string, work: Promise<unknown>): Promise<string | undefined> =>
    work.then(
      () => undefined,
      (error: unknown) => {
        onError(error);
        return reason;
      },
    );

  async function findServiceFault(): Promise<string | undefined> {
    const sentMs = monotonicMs();
    const { nowMs, closedBecause } = await readStatus();
    // The database answered between the two times. The middle is assumed.
    offsetMs = nowMs - (sentMs + monotonicMs()) / 2;
    const skewMs = localNow() - now();
    const isSkewed = Math.abs(skewMs) > toleranceMs;
    return isSkewed ? `${describeSkew(skewMs, 'the database')}, more than ${toleranceMs / 1000} s` : closedBecause;
  }

  async function look(): Promise<LedgerServiceReadiness> {
    let fault: string | undefined;
    const service = findServiceFault().then((found) => {
      fault = found;
    });
    const [unanswered, unlocked] = await Promise.all([
      unless('the ledger does not answer', service),
      unless('wallets cannot be locked: Redis does not answer', checkLocks()),
    ]);
    if (!isClosed) shut = unanswered ?? fault ?? unlocked;
    return ready();
  }

  const check = () => {
    clearTimeout(timer);
    running ??= look().finally(() => {
      running = undefined;
      if (!isClosed) timer = setTimeout(() => void check(), checkEveryMs).unref();
    });
    return running;
  };
  void check();

  return {
    now,
    clockSkewMs: () => (offsetMs === undefined ? undefined : localNow() - now()),
    ready,
    check,
    close() {
      isClosed = true;
      shut = 'closed';
      clearTimeout(timer);
    },
  };
}
