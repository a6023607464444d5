import { type ChildProcess, spawn } from 'node:child_process';
import type { LogFile } from './log-file.ts';

/**
 * Reads the pipe on descriptor 3 until its other end is gone, which is when the parent ends, by SIGKILL too; then
 * kills the group it shares with the command. It is part of that group, so the number cannot be another's by then.
 */
const TIE = '{ read -r _ <&3; kill -s KILL -- "-$$"; } >/dev/null 2>&1 & exec 3<&-; exec "$@"';

export interface TiedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Descriptor of an open file for standard output and error. */
  readonly logFd: number;
  /** User and group to run as; only root may set it. */
  readonly uid?: number;
}

export interface TiedProcess {
  readonly pid: number;
  /** Resolves once, in words such as `exit code 1` or `SIGKILL`. */
  readonly exited: Promise<string>;
  readonly running: () => boolean;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Sends `signal`, then SIGKILL when `graceMs` have passed; resolves when the process is gone. */
  readonly stop: (signal: NodeJS.Signals, graceMs: number) => Promise<void>;
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

/**
 * Starts a command that cannot outlive this process. It gets a session of its own: a Ctrl-C in the terminal reaches
 * this process alone, which then stops its children in order.
 *
 * @throws Error when no process could be started
 */
export function startTied(tied: TiedCommand): TiedProcess {
  const child = spawn('/bin/sh', ['-c', TIE, 'tied', tied.command, ...tied.args], {
    env: tied.env,
    cwd: tied.cwd ?? '/',
    detached: true,
    stdio: ['ignore', tied.logFd, tied.logFd, 'pipe'],
    ...(tied.uid === undefined ? {} : { uid: tied.uid, gid: tied.uid }),
  });
  const { pid } = child;
  const exited = exitOf(child);
  if (pid === undefined) throw new Error(`cannot start ${tied.command}`);
  let running = true;
  // closing our end lets the tie end what the command may have left in its group
  void exited.then(() => {
    running = false;
    child.stdio[3]?.destroy();
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

/** Ends a process that did not come up, and says why with its own last words. */
export async function failedStart(name: string, process: TiedProcess, log: LogFile): Promise<Error> {
  const end = process.running() ? 'it does not answer' : await process.exited;
  await process.stop('SIGKILL', 0);
  return new Error([`${name} did not start: ${end}`, ...log.tail(8), `(all of it: ${log.path})`].join('\n  '));
}
