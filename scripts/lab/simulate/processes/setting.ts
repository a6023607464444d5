import { createLogger, type Logger } from '../../../../services/platform/process/logger.ts';
import type { Host } from '../engine/host.ts';

export const logger: Logger = createLogger({ name: 'simulation', level: 'silent' });

/** Repeats work in a process at intervals, as the product's recurring jobs do. A failure ends one run. */
export function repeat(host: Host, everyMs: () => number, work: (signal: AbortSignal) => Promise<unknown>): void {
  const { signal } = new AbortController();
  const run = async (): Promise<void> => {
    await work(signal).catch(() => {});
    host.after(everyMs(), () => void run());
  };
  void run();
}
