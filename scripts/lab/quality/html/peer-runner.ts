import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PeerReply, PeerRequest } from './peer-process.ts';

const PROGRAM = fileURLToPath(new URL('peer-process.ts', import.meta.url));

/**
 * Runs peers in a process of their own: some take minutes for a page, or take their process with them. Null for a page
 * of which nothing came out in time.
 */
export class PeerRunner implements AsyncDisposable {
  private readonly timeoutMs: number;
  private child: ChildProcess | undefined;

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
  }

  async convert(request: PeerRequest): Promise<PeerReply> {
    this.child ??= fork(PROGRAM, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const { child } = this;
    const { promise, resolve } = Promise.withResolvers<PeerReply>();
    const timer = setTimeout(() => resolve(this.stop()), this.timeoutMs);
    const onExit = () => resolve(this.stop());
    child.once('exit', onExit);
    child.once('message', resolve);
    child.send(request);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      child.off('exit', onExit);
      child.off('message', resolve);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
  }

  /** The next page gets a new process. */
  private stop(): null {
    this.child?.kill('SIGKILL');
    this.child = undefined;
    return null;
  }
}
