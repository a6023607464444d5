import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The user ended the run. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  /** As a shell reports it. */
  readonly exitCode: number;

  constructor(signal: (typeof SIGNALS)[number]) {
    super(`ended by ${signal}`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/**
 * Runs something that a signal aborts with an InterruptedError. Without this, the signal would end the process at once, and
 * leave the folders that it made. On Ctrl-C, the signal comes from the terminal and again from npm, so later ones are ignored.
 */
export async function abortedBySignals<Value>(
  say: (line: string) => void,
  run: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const interruption = new AbortController();
  const interrupt = (name: NodeJS.Signals): void => {
    const known = SIGNALS.find((each) => each === name);
    if (known === undefined || interruption.signal.aborted) return;
    say(`${known}: stopping what was started`);
    interruption.abort(new InterruptedError(known));
  };
  for (const name of SIGNALS) process.on(name, interrupt);
  try {
    return await run(interruption.signal);
  } catch (error) {
    // A command that the same Ctrl-C ended fails for a reason of its own.
    interruption.signal.throwIfAborted();
    throw error;
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
