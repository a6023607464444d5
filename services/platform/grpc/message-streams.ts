import { type ClientDuplexStream, type ServiceError as GrpcServiceError, status } from '@grpc/grpc-js';
import { startDeadlineTimer } from '../deadline-timer.ts';
import { CallError } from './grpc-client.ts';

/** Sends messages over streams, on each of which one message is answered before the next is sent. */
export interface MessageStreams<Request, Response> {
  /** Sends a message and returns its answer. Opens a stream if none is free. @throws {CallError} */
  ask(message: Request, timeoutMs: number): Promise<Response>;
  close(): void;
}

/**
 * A stream ends after this time. New streams go to all copies of a service in turn, and a service that closes, or closes a
 * connection of a certain age, does not wait longer than that for a stream.
 */
const LIFETIME_MS = 1000;

/** A message on an open stream costs a small part of a call of its own. */
export function createMessageStreams<Request, Response>(
  open: () => ClientDuplexStream<Request, Response>,
  lifetimeMs = LIFETIME_MS,
): MessageStreams<Request, Response> {
  const streams = new Set<MessageStream<Request, Response>>();
  const free: MessageStream<Request, Response>[] = [];

  function take(): MessageStream<Request, Response> {
    for (let stream = free.pop(); stream !== undefined; stream = free.pop()) if (stream.isOpen()) return stream;
    const stream = openStream(open(), lifetimeMs, () => streams.delete(stream));
    streams.add(stream);
    return stream;
  }

  return {
    async ask(message, timeoutMs) {
      const stream = take();
      const answer = await stream.ask(message, timeoutMs);
      if (stream.isOpen()) free.push(stream);
      return answer;
    },
    close() {
      for (const stream of streams) stream.cancel();
    },
  };
}

interface MessageStream<Request, Response> {
  /** Whether a message may still be sent. */
  isOpen(): boolean;
  ask(message: Request, timeoutMs: number): Promise<Response>;
  cancel(): void;
}

function openStream<Request, Response>(
  call: ClientDuplexStream<Request, Response>,
  lifetimeMs: number,
  onOver: () => void,
): MessageStream<Request, Response> {
  let waiting: PromiseWithResolvers<Response> | undefined;
  let isOpen = true;

  function settle(): PromiseWithResolvers<Response> | undefined {
    const settled = waiting;
    waiting = undefined;
    if (!isOpen) call.end();
    return settled;
  }
  const expire = () => {
    isOpen = false;
    if (waiting === undefined) call.end();
  };
  const lifetime = setTimeout(expire, lifetimeMs);
  const over = (error: CallError) => {
    isOpen = false;
    clearTimeout(lifetime);
    onOver();
    settle()?.reject(error);
  };
  call.on('data', (response: Response) => settle()?.resolve(response));
  call.on('error', (error: GrpcServiceError) => over(new CallError(error)));
  call.on('end', () => over(CallError.ofStatus(status.UNAVAILABLE, 'the service ended the stream')));

  return {
    isOpen: () => isOpen,
    ask(message, timeoutMs) {
      waiting = Promise.withResolvers<Response>();
      const { promise } = waiting;
      const timer = startDeadlineTimer(() => {
        over(CallError.ofStatus(status.DEADLINE_EXCEEDED, `no answer within ${timeoutMs} ms`));
        call.cancel();
      }, timeoutMs);
      call.write(message);
      return promise.finally(() => clearTimeout(timer));
    },
    cancel: () => call.cancel(),
  };
}
