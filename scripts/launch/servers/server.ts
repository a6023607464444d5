import type { Log } from '../processes/log-file.ts';

export interface ServerPlace {
  /** The folder of the data that must survive. Created if it is missing. */
  readonly dataDir: string;
  /** The folder of sockets, which `runFolderOf` creates. */
  readonly runDir: string;
  readonly log: Log;
}

export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  /** Resolves when the server has ended, with the reason. */
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}
