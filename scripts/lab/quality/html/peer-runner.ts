import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { createReader } from '../../../launch/parse/json-reader.ts';
import type { PeerReply, PeerRequest } from './peer-process.ts';

const PROGRAM = fileURLToPath(new URL('peer-process.ts', import.meta.url));

const OptionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const ReplySchema = Type.Union([
  Type.Object({ markdown: Type.String(), title: OptionalText, byline: OptionalText }),
  Type.Null(),
]);
const readReply = createReader(ReplySchema, 'the reply of the peer process');

/** Runs peers in a child process, because some take minutes for a page or crash their process. */
export class PeerRunner implements AsyncDisposable {
  private readonly timeoutMs: number;
  private child: ChildProcess | undefined;

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
  }

  /** @returns null if the peer failed or did not finish in time */
  async convert(request: PeerRequest): Promise<PeerReply> {
    this.child ??= fork(PROGRAM, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const { child } = this;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => resolve(this.stop()), this.timeoutMs);
    const onExit = () => resolve(this.stop());
    child.once('exit', onExit);
    child.once('message', resolve);
    child.send(request);
    try {
      return readReply(await promise);
    } finally {
      clearTimeout(timer);
      child.off('exit', onExit);
      child.off('message', resolve);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
  }

  /** Ends the process. The next page gets a new one. */
  private stop(): null {
    this.child?.kill('SIGKILL');
    this.child = undefined;
    return null;
  }
}
