import type { LogFile } from '../processes/log-file.ts';
import type { TiedProcess } from '../processes/tied-process.ts';

export interface ServerPlace {
  /** What must survive; made when missing. */
  readonly dataDir: string;
  /** A private, short folder of sockets, as `runFolderOf` makes it. */
  readonly runDir: string;
  readonly log: LogFile;
}

export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  /** Resolves when the server ended, however; in words. */
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Ends a server that did not come up, and says why with its own last words. */
export async function failedStart(name: string, process: TiedProcess, log: LogFile): Promise<Error> {
  const end = process.running() ? 'it does not answer' : await process.exited;
  await process.stop('SIGKILL', 0);
  return new Error([`${name} did not start: ${end}`, ...log.tail(8), `(all of it: ${log.path})`].join('\n  '));
}
