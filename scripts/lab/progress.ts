const REPORT_EVERY_MS = 5000;
const MS_PER_MINUTE = 60_000;

export interface ProgressOptions {
  /** What is done, such as `fuzz verdicts`. */
  readonly title: string;
  /** How many steps there are. */
  readonly total: number;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
  /** Takes a line. */
  readonly report?: (line: string) => void;
}

export interface Progress {
  /** Counts steps that were done, and reports now and then. `note` is added to the report. */
  add(steps: number, note?: string): void;
}

/** Reports on standard error how far a long run is and how long it will still take, every five seconds at most. */
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
