const CLEAR_LINE = '\r\u001b[2K';
const REPORT_EVERY_MS = 5000;
const MS_PER_MINUTE = 60_000;

export type Stream = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;

/** Writes a line that the next one replaces on a terminal, and text above it. */
export const createLine = (stream: Stream) => ({
  show: (text: string) =>
    stream.write(stream.isTTY ? `${CLEAR_LINE}${text.slice(0, stream.columns - 1)}` : `${text}\n`),
  print: (text: string) => stream.write(`${stream.isTTY ? CLEAR_LINE : ''}${text.trimEnd()}\n`),
  clear: () => stream.isTTY && stream.write(CLEAR_LINE),
});

export interface ProgressOptions {
  /** Name of the run, such as `fuzz verdicts`. */
  readonly title: string;
  /** Total number of steps, if it is known. */
  readonly total?: number;
  /** Monotonic clock, in milliseconds. */
  readonly now?: () => number;
  readonly stream?: Stream;
}

export interface Progress extends Disposable {
  /** Counts completed steps, and reports if the last report was at least five seconds ago. */
  add(steps: number, note?: string): void;
}

/**
 * Reports the progress, and the remaining time if the total is known, of a long run on standard error: at most every five
 * seconds, in a line that is rewritten on a terminal and removed at the end.
 */
export function createProgress({
  title,
  total,
  now = () => performance.now(),
  stream = process.stderr,
}: ProgressOptions): Progress {
  const line = createLine(stream);
  const startedMs = now();
  let reportedMs = startedMs;
  let done = 0;
  const sumOf = (nowMs: number): string => {
    if (total === undefined) return `${done}`;
    const leftMs = ((nowMs - startedMs) / done) * (total - done);
    return `${done} of ${total} (${Math.floor((done / total) * 100)} %), ${durationOf(leftMs)} left`;
  };
  return {
    add(steps, note = '') {
      done += steps;
      const nowMs = now();
      if (nowMs - reportedMs < REPORT_EVERY_MS || done === 0) return;
      reportedMs = nowMs;
      line.show(`${title}: ${sumOf(nowMs)}${note && `, ${note}`}`);
    },
    [Symbol.dispose]() {
      if (reportedMs > startedMs) line.clear();
    },
  };
}

function durationOf(ms: number): string {
  return ms < 2 * MS_PER_MINUTE ? `about ${Math.ceil(ms / 1000)} s` : `about ${Math.round(ms / MS_PER_MINUTE)} min`;
}
