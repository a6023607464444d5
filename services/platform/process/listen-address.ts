import { createConnection } from 'node:net';

export type ListenAddress = { readonly path: string } | { readonly host: string; readonly port: number };

/** @param text as the schema `listenAddress` accepts it: `host:port`, or `unix:path` */
export function readListenAddress(text: string): ListenAddress {
  const [, path] = /^unix:(?:\/\/(?=\/))?(.+)$/.exec(text) ?? [];
  if (path !== undefined) return { path };
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) };
}

/** Whether a server accepts connections at the address. */
export function isListeningOn(address: ListenAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      resolve(true);
      socket.destroy();
    });
  });
}
