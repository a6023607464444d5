const REPORT_EVERY_MS = 5000;
const MS_PER_MINUTE = 60_000;

export interface ProgressOptions {
  /** Name of the run, such as `fuzz verdicts`. */
  readonly title: string;
  /** Total number of steps. */
  readonly total: number;
  /** Monotonic clock, in milliseconds. */
  readonly now?: () => number;
  /** Prints a line. */
  readonly report?: (line: string) => void;
}

export interface Progress {
  /** Counts completed steps, and reports if the last report was at least five seconds ago. */
  add(steps: number, note?: string): void;
}

/** Reports the progress and the remaining time of a long run on standard error, at most every five seconds. */
export function createProgress({
  title,
  total,
  now = () => performance.now(),
  report = (line) => console.error(line),
}: ProgressOptions): Progress {
  const startedMs = now();
  let reportedMs = startedMs;
  let done = 0;
  return {
    add(steps, note = '') {
      done += steps;
      const nowMs = now();
      if (nowMs - reportedMs < REPORT_EVERY_MS || done === 0) return;
      reportedMs = nowMs;
      const leftMs = ((nowMs - startedMs) / done) * (total - done);
      const percent = Math.floor((done / total) * 100);
      report(`${title}: ${done} of ${total} (${percent} %), ${durationOf(leftMs)} left${note && `, ${note}`}`);
    },
  };
}

function durationOf(ms: number): string {
  return ms < 2 * MS_PER_MINUTE ? `about ${Math.ceil(ms / 1000)} s` : `about ${Math.round(ms / MS_PER_MINUTE)} min`;
}
