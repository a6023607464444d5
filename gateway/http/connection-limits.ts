import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../errors/app-error.ts';
import { clientOf } from './client-address.ts';
import { answerOnSocket } from './socket-answers.ts';
import type { TrustsAddress } from './trusted-proxies.ts';

/** Refused connections that are answered at a time. Any other one is closed without an answer. */
const REFUSED_AT_ONCE = 32;

export interface ConnectionLimits {
  readonly total: number;
  /** Connections of one client, as the rate limit counts clients. 0: any number. */
  readonly perClient: number;
  /** Connections of trusted proxies carry many clients, and count only in the total. */
  readonly isTrustedProxy: TrustsAddress;
}

/** Counts the open connections of a server and refuses those over the limits, before anything is read from them. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  // Connections over this number are closed by Node itself.
  server.maxConnections = limits.total + REFUSED_AT_ONCE;
  const accept = server.listeners('connection');
  server.removeAllListeners('connection');
  const clients = createCounter();
  let accepted = 0;
  let refused = 0;

  function refuse(socket: Socket, message: string): void {
    if (refused >= REFUSED_AT_ONCE) {
      socket.destroy();
      return;
    }
    refused += 1;
    socket.once('close', () => {
      refused -= 1;
    });
    answerOnSocket(socket, new AppError('OVERLOADED', message, { headers: { 'Retry-After': '1' } }));
    socket.resume();
  }

  server.on('connection', (socket: Socket) => {
    if (accepted >= limits.total) return refuse(socket, 'too many connections are open');
    const address = socket.remoteAddress;
    const isLimited = limits.perClient > 0 && address !== undefined && !limits.isTrustedProxy(address);
    if (isLimited) {
      const client = clientOf(address);
      if (clients.count(client) >= limits.perClient) {
        return refuse(socket, 'too many connections are open from your address');
      }
      clients.add(client);
      socket.once('close', () => clients.remove(client));
    }
    accepted += 1;
    socket.once('close', () => {
      accepted -= 1;
    });
    for (const listener of accept) listener.call(server, socket);
  });
}

function createCounter() {
  const counts = new Map<string, number>();
  const count = (key: string) => counts.get(key) ?? 0;
  return {
    count,
    add: (key: string) => counts.set(key, count(key) + 1),
    remove(key: string) {
      if (count(key) > 1) counts.set(key, count(key) - 1);
      else counts.delete(key);
    },
  };
}
