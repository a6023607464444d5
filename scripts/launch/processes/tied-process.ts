import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { EX_CONFIG } from '../../../services/platform/process/environment.ts';
import { forwardLines } from './forward-lines.ts';
import { type Log, toPlain } from './log-file.ts';

/**
 * Ties a command to this process. A background reader waits until the pipe on descriptor 3 closes, which happens when
 * the parent ends, even by SIGKILL. Then it kills the process group that it shares with the command. As the reader is in
 * the group, the group's id cannot have been reused.
 */
const TIE = '{ read -r _ <&3; kill -s KILL -- "-$$"; } >/dev/null 2>&1 & exec 3<&-; exec "$@" 2>&1';
/** What has ended is read to its end, unless a process that outlived it holds its output open. */
const DRAIN_MS = 1000;

export interface TiedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Takes standard output and standard error. */
  readonly output: Log['output'];
  /** User and group of the command. Only root may set it. */
  readonly uid?: number;
}

export interface TiedProcess {
  readonly pid: number;
  /** Resolves when the process has ended and its output was taken, with the reason, such as `exit code 1` or `SIGKILL`. */
  readonly exited: Promise<string>;
  readonly running: () => boolean;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Sends `signal`, and SIGKILL after `graceMs`. Resolves when the process has ended. */
  readonly stop: (signal: NodeJS.Signals, graceMs: number) => Promise<void>;
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

/** @returns a function that waits for the end of the output, at most for a second */
function takeOutput(stream: Readable | null, output: Log['output']): () => Promise<void> {
  if (stream === null || typeof output === 'number') return async () => {};
  const end = forwardLines(stream, output);
  return () => Promise.race([end, new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS).unref())]);
}

/**
 * Starts a command that cannot outlive this process. The command has its own session, so Ctrl-C in the terminal reaches
 * only this process, which then stops its children in order.
 *
 * @throws {Error} if the process cannot be started
 */
export function startTied(tied: TiedCommand): TiedProcess {
  const { output } = tied;
  const child = spawn('/bin/sh', ['-c', TIE, 'tied', tied.command, ...tied.args], {
    env: tied.env,
    cwd: tied.cwd ?? '/',
    detached: true,
    // As both are one, their lines stay in order.
    stdio: ['ignore', typeof output === 'number' ? output : 'pipe', 'ignore', 'pipe'],
    ...(tied.uid === undefined ? {} : { uid: tied.uid, gid: tied.uid }),
  });
  const { pid } = child;
  const ended = exitOf(child);
  if (pid === undefined) throw new Error(`cannot start ${tied.command}`);
  const taken = takeOutput(child.stdout, output);
  let running = true;
  const exited = ended.then(async (reason) => {
    running = false;
    // Closing the pipe makes the reader kill whatever the command left in its group.
    child.stdio[3]?.destroy();
    await taken();
    return reason;
  });
  const signal = (name: NodeJS.Signals): void => {
    if (running) child.kill(name);
  };
  return {
    pid,
    exited,
    running: () => running,
    signal,
    stop: async (name, graceMs) => {
      signal(name);
      const kill = setTimeout(() => signal('SIGKILL'), graceMs);
      await exited;
      clearTimeout(kill);
    },
  };
}

/** How our processes end when another start cannot help. */
export const UNUSABLE = `exit code ${EX_CONFIG}`;

/** A process did not start, or another start cannot help. The last line of its message is the last line of the log. */
export class FailedStart extends Error {
  override readonly name = 'FailedStart';
  /** How the process ended. */
  readonly ended: string;

  constructor(what: string, ended: string, lines: readonly string[]) {
    super([`${what}: ${ended}`, ...lines].join('\n  '));
    this.ended = ended;
  }
}

/** Ends a process that did not start properly. @returns an error with the reason and the last log lines */
export async function failedStart(name: string, process: TiedProcess, log: Log): Promise<FailedStart> {
  const ended = process.running() ? 'no answer' : await process.exited;
  await process.stop('SIGKILL', 0);
  return new FailedStart(`${name} did not start (log: ${log.place})`, ended, log.tail(8).map(toPlain));
}
