import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { type AppError, toEnvelope } from '../errors/app-error.ts';
import { COMMON_HEADERS } from './response-headers.ts';

/** A client that does not close its side within this time after the last answer is cut off. */
const LINGER_MS = 2000;

/** Answers in the envelope on a socket that no request owns, and closes the connection. */
export function answerOnSocket(socket: Socket, error: AppError): void {
  const requestId = uuidv7();
  const body = JSON.stringify(toEnvelope(error, requestId));
  const headers = {
    ...COMMON_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    ...error.headers,
    Connection: 'close',
  };
  const head = [
    `HTTP/1.1 ${error.statusCode} ${STATUS_CODES[error.statusCode]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  closeSoon(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Has Node close the connection with `closeSoon` after the answer, if the client asked it to close. */
export function lingerAfterAnswer(socket: Socket): void {
  socket.destroySoon = () => closeSoon(socket);
}

/**
 * Ends our side and destroys the socket soon after. Destroying it at once would reset the connection of a client that
 * still sends, and could lose the answer.
 */
export function closeSoon(socket: Socket, lastWords?: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => {});
  if (lastWords === undefined) socket.end();
  else socket.end(lastWords);
}
