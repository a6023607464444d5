import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type AppError, toAppError } from '../errors/app-error.ts';
import { answerOnSocket, closeSoon } from './socket-answers.ts';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  isAnswered: boolean;
}

export interface Exchanges {
  /** Follows a request to the end of its answer. */
  follow(request: IncomingMessage, response: ServerResponse): void;
  /** Answers what Node's parser refuses, after the answers that are still due on the connection. */
  refuseUnparsed(error: Error & { readonly code?: string }, socket: Socket): void;
  /** Answers a message that takes its connection away from the server, such as CONNECT, and closes the connection. */
  refuse(error: AppError, socket: Socket): void;
  /** Follows a connection to its end. */
  open(socket: Socket): void;
  /**
   * Closes connections before the process exits: at once where no answer is due, and after some seconds where the
   * request has not arrived, or the answer is not taken.
   */
  drain(): void;
}

/** Requests of a connection that wait for their answers. Node handles all that arrive together before anything else. */
const MAX_PIPELINED = 32;

/** Longest times, once the process is to exit, for a request to arrive and for an answer to be made and taken. */
const ARRIVE_MS = 3000;
const FINISH_MS = 30_000;

/** Requests and answers of every connection, so that an answer outside of a request never displaces another one. */
export function createExchanges(options: { readonly takeAnswerMs: number }): Exchanges {
  /** Those of a connection that are not over, in order, and the last one in any case. */
  const exchanges = new WeakMap<Socket, Exchange[]>();
  const refused = new WeakSet<Socket>();
  const sockets = new Set<Socket>();
  const dueOn = (socket: Socket) => (exchanges.get(socket) ?? []).filter(({ isAnswered }) => !isAnswered);

  function refuse(error: AppError, socket: Socket): void {
    if (refused.has(socket)) return;
    refused.add(socket);
    const due = exchanges.get(socket) ?? [];
    // Node has let go of the socket, and does not end what is still due on it.
    socket.once('close', () => {
      for (const { response } of dueOn(socket)) response.emit('close');
    });
    const last = due.at(-1);
    // A fault in the body of a request is answered instead of that request. Any other fault is one of the next message.
    const isOfLast = last !== undefined && !last.request.complete;
    const answer = isOfLast && (last.isAnswered || last.response.headersSent) ? closeSoon : toAnswer(error);
    const before = (isOfLast ? due.slice(0, -1) : due).filter(({ isAnswered }) => !isAnswered).at(-1);
    if (before === undefined) answer(socket);
    else before.response.once('close', () => socket.writable && answer(socket));
  }

  return {
    follow(request, response) {
      const { socket } = request;
      const exchange = { request, response, isAnswered: false };
      const due = [...dueOn(socket), exchange];
      exchanges.set(socket, due);
      if (due.length > MAX_PIPELINED) socket.destroy();
      let timer: NodeJS.Timeout | undefined;
      response.once('prefinish', () => {
        timer = setTimeout(() => socket.destroy(), options.takeAnswerMs);
      });
      response.once('close', () => {
        exchange.isAnswered = true;
        clearTimeout(timer);
      });
    },
    refuseUnparsed(error, socket) {
      if (error.code === 'ECONNRESET' || (!socket.writable && !refused.has(socket))) socket.destroy();
      else refuse(toAppError(error), socket);
    },
    refuse,
    open(socket) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      // A reset must not end the process, also once Node has let go of the socket.
      socket.on('error', () => {});
    },
    drain() {
      const destroy = (isLeft: (due: readonly Exchange[]) => boolean) => {
        for (const socket of sockets) if (!isLeft(dueOn(socket))) socket.destroy();
      };
      destroy((due) => due.length > 0);
      setTimeout(
        () => destroy((due) => due.length > 0 && due.every(({ request }) => request.complete)),
        ARRIVE_MS,
      ).unref();
      setTimeout(() => destroy(() => false), FINISH_MS).unref();
    },
  };
}

const toAnswer = (error: AppError) => (socket: Socket) => answerOnSocket(socket, error);
