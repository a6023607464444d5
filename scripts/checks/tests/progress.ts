import type { FileEvent } from './test-file.ts';

export interface TestCount {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What a file took in an earlier run, and how many tests it had. */
export interface KnownFile {
  readonly tests: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

interface RunFile extends Counted {
  readonly startedMs: number;
  endedMs?: number;
  cpuSeconds: number;
}

interface Counted {
  declared: number;
  passed: number;
  failed: number;
  skipped: number;
}

const LONG_FILE_MS = 60_000;
const SHOWN_FILES = 3;

export interface ProgressOptions {
  readonly paths: readonly string[];
  readonly known: ReadonlyMap<string, KnownFile>;
  /** Monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** Counts what happens in test files, and puts it into words. */
export function createTestProgress({ paths, known, now = () => performance.now() }: ProgressOptions) {
  const startedMs = now();
  const files = new Map<string, RunFile>();
  const fileOf = (path: string): RunFile => {
    const file = files.get(path);
    if (file === undefined) throw new Error(`${path} was not started`);
    return file;
  };
  const ended = () => [...files].filter(([, { endedMs }]) => endedMs !== undefined);
  const sum = (field: keyof Counted) => [...files.values()].reduce((total, file) => total + file[field], 0);
  /** The weight of a file in the estimate: what it took before, or as much as others. */
  const mean =
    known.size === 0 ? 1 : [...known.values()].reduce((total, { seconds }) => total + seconds, 0) / known.size;
  const weightOf = (path: string) => known.get(path)?.seconds ?? mean;
  const weight = (some: readonly string[]) => some.reduce((total, path) => total + weightOf(path), 0);

  return {
    started(path: string): void {
      files.set(path, { startedMs: now(), declared: 0, passed: 0, failed: 0, skipped: 0, cpuSeconds: 0 });
    },
    happened(path: string, event: FileEvent): void {
      const file = fileOf(path);
      if (event.type === 'ended') {
        file.endedMs = now();
        file.cpuSeconds = event.cpuSeconds;
        return;
      }
      file[event.type] += 1;
    },
    count: (): TestCount => ({ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }),
    /** How many of how many are done, what runs, since when, and about how long it will still take. */
    line(): string {
      const nowMs = now();
      const done = ended().map(([path]) => path);
      const { passed, failed, skipped } = this.count();
      const ofTests = paths.every((path) => known.has(path) || files.has(path))
        ? ` of about ${paths.reduce((total, path) => total + (files.get(path)?.declared || known.get(path)?.tests || 0), 0)}`
        : '';
      const running = [...files]
        .filter(([, { endedMs }]) => endedMs === undefined)
        .map(([path, file]) => ({ path, ms: nowMs - file.startedMs }))
        .toSorted((one, other) => other.ms - one.ms);
      const named = running.filter(({ ms }, index) => index < SHOWN_FILES || ms > LONG_FILE_MS);
      const share = weight(done) / weight(paths);
      const left = share > 0.02 ? `, about ${durationOf(((nowMs - startedMs) * (1 - share)) / share)} left` : '';
      return [
        `${passed + failed + skipped}${ofTests} tests, ${done.length} of ${paths.length} files`,
        ...(failed > 0 ? [`${failed} failed`] : []),
        `${durationOf(nowMs - startedMs)}${left}`,
        ...named.map(({ path, ms }) => `${path.replace(/^test\//, '')} ${durationOf(ms)}`),
      ].join('; ');
    },
    /** So many files that took longest. */
    slowest(count: number): readonly string[] {
      const times = ended().map(([path, file]) => ({
        path,
        cpu: file.cpuSeconds,
        ms: (file.endedMs ?? 0) - file.startedMs,
      }));
      const total = times.reduce((seconds, { cpu }) => seconds + cpu, 0);
      return [
        `${times.length} files in ${durationOf(now() - startedMs)}, ${Math.round(total)} s of processor time. The slowest:`,
        ...times
          .toSorted((one, other) => other.ms - one.ms)
          .slice(0, count)
          .map(
            ({ path, cpu, ms }) =>
              `${(ms / 1000).toFixed(1).padStart(7)} s ${cpu.toFixed(1).padStart(6)} s of processor  ${path}`,
          ),
      ];
    },
    /** What the files took, for the next run. */
    known: (): ReadonlyMap<string, KnownFile> =>
      new Map(
        ended().map(([path, file]) => [
          path,
          { tests: file.declared, seconds: ((file.endedMs ?? 0) - file.startedMs) / 1000, cpuSeconds: file.cpuSeconds },
        ]),
      ),
  };
}

/** A duration such as `42 s` or `3:05 min`. */
export function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`;
}
