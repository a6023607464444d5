import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type AppError, toAppError } from '../errors/app-error.ts';
import { answerOnSocket, closeSoon } from './socket-answers.ts';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  isAnswered: boolean;
}

export interface Exchanges {
  /** Follows a request until its answer ends. */
  follow(request: IncomingMessage, response: ServerResponse): void;
  /** Answers a message that Node's parser refuses, after the answers that are still due on the connection. */
  refuseUnparsed(error: Error & { readonly code?: string }, socket: Socket): void;
  /** Answers a message that takes its connection away from the server, such as CONNECT, and closes the connection. */
  refuse(error: AppError, socket: Socket): void;
  /** Follows a connection until it closes. */
  open(socket: Socket): void;
  /**
   * Prepares the end of the process. The server must stop to accept connections as soon as this resolves. Connections
   * without a due answer are closed after `idleMs`: a proxy may send on them until it gives them up. The others are closed
   * some seconds later if the request has not arrived, or the client has not read its answer.
   */
  drain(idleMs: number): Promise<void>;
  /** Whether every answer must end its connection. */
  isDraining(): boolean;
}

/** Most requests of a connection that wait for answers. Node handles all requests that arrive together at once. */
const MAX_PIPELINED = 32;

/**
 * Longest times, once the process exits: for the first request of a new connection to begin, for a request to arrive, and
 * for an answer to be made and read.
 */
const BEGIN_MS = 1000;
const ARRIVE_MS = 3000;
const FINISH_MS = 30_000;

/**
 * Follows the requests and answers of every connection, so that an answer outside of a request never displaces another
 * one.
 */
export function createExchanges({ takeAnswerMs }: { readonly takeAnswerMs: number }): Exchanges {
  const queues = createQueues();
  const refuse = createRefusal(queues);
  const sockets = new Set<Socket>();
  let isDraining = false;
  return {
    isDraining: () => isDraining,
    follow(request, response) {
      const exchange = { request, response, isAnswered: false };
      if (queues.add(request.socket, exchange) > MAX_PIPELINED) request.socket.destroy();
      endExchange(exchange, takeAnswerMs);
    },
    refuseUnparsed(error, socket) {
      if (error.code === 'ECONNRESET' || (!socket.writable && !refuse.hasRefused(socket))) socket.destroy();
      else refuse.answer(toAppError(error), socket);
    },
    refuse: refuse.answer,
    open(socket) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      // No request can follow, so the last answer says that it ends the connection.
      socket.once('end', () => {
        const last = queues.dueOn(socket).at(-1);
        if (last !== undefined) last.response.shouldKeepAlive = false;
      });
      // A reset must not end the process, even after Node has let go of the socket.
      socket.on('error', () => {});
    },
    async drain(idleMs) {
      isDraining = true;
      // The system resets connections that wait to be accepted when the server closes. Now it has just accepted them.
      await turn();
      const destroyUnless = (isKept: (due: readonly Exchange[], socket: Socket) => boolean) => {
        for (const socket of sockets) if (!isKept(queues.dueOn(socket), socket)) socket.destroy();
      };
      const hasArrived = ({ request }: Exchange) => request.complete;
      const isNew = (socket: Socket) => queues.all(socket).length === 0;
      const after = (ms: number, isKept: Parameters<typeof destroyUnless>[0]) => {
        setTimeout(() => destroyUnless(isKept), ms).unref();
      };
      after(idleMs, (due, socket) => due.length > 0 || isNew(socket));
      after(idleMs + BEGIN_MS, (due) => due.length > 0);
      after(idleMs + ARRIVE_MS, (due) => due.length > 0 && due.every(hasArrived));
      after(idleMs + FINISH_MS, () => false);
    },
  };
}

type Queues = ReturnType<typeof createQueues>;

/** The exchanges of each connection, in order. */
function createQueues() {
  /** Exchanges that are not answered, and always the last one. */
  const exchanges = new WeakMap<Socket, Exchange[]>();
  const all = (socket: Socket): readonly Exchange[] => exchanges.get(socket) ?? [];
  const dueOn = (socket: Socket) => all(socket).filter(({ isAnswered }) => !isAnswered);
  return {
    all,
    dueOn,
    /** Returns how many answers are due on the connection. */
    add(socket: Socket, exchange: Exchange): number {
      const queue = exchanges.get(socket);
      if (queue === undefined) {
        exchanges.set(socket, [exchange]);
        return 1;
      }
      // On nearly every connection, the queue is one answered exchange.
      while (queue[0]?.isAnswered === true) queue.shift();
      return queue.push(exchange);
    },
  };
}

/** Marks an exchange as answered once it is, and cuts off a client that does not read the answer in time. */
function endExchange(exchange: Exchange, takeAnswerMs: number): void {
  const { request, response } = exchange;
  const { socket } = request;
  let timer: NodeJS.Timeout | undefined;
  response.once('prefinish', () => {
    // Most answers are in the buffers of the kernel by now.
    if (socket.writableLength > 0) timer = setTimeout(() => socket.destroy(), takeAnswerMs);
  });
  response.once('close', () => {
    exchange.isAnswered = true;
    clearTimeout(timer);
  });
}

/** Answers a message that no route sees, once per connection, after the answers that are due before it. */
function createRefusal(queues: Queues) {
  const refused = new WeakSet<Socket>();
  return {
    hasRefused: (socket: Socket) => refused.has(socket),
    answer(error: AppError, socket: Socket): void {
      if (refused.has(socket)) return;
      refused.add(socket);
      // Node has let go of the socket, and does not end the answers that are still due on it.
      socket.once('close', () => {
        for (const { response } of queues.dueOn(socket)) response.emit('close');
      });
      const all = queues.all(socket);
      const last = all.at(-1);
      // A fault in the body of a request is answered instead of that request. Any other fault is in the next message.
      const isOfLast = last !== undefined && !last.request.complete;
      const isAnswered = isOfLast && (last.isAnswered || last.response.headersSent);
      const close = () => (isAnswered ? closeSoon(socket) : answerOnSocket(socket, error));
      const before = (isOfLast ? all.slice(0, -1) : all).findLast((one) => !one.isAnswered);
      if (before === undefined) close();
      else before.response.once('close', () => socket.writable && close());
    },
  };
}
