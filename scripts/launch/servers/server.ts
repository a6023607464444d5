import type { LogFile } from '../processes/log-file.ts';

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
