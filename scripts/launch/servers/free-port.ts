import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below the ports that systems choose by themselves: 32768 and up on Linux, 49152 and up by RFC 6335. */
const [FIRST_PORT, END_PORT] = [10_000, 32_768];
/** `fetch` refuses this one (WHATWG Fetch, port blocking). */
const BLOCKED_PORT = 10_080;
const TRIES = 100;

/**
 * A free TCP port on the loopback interface, for a server that starts soon, and may stop and start again. Until this
 * process ends, no other process on this network gets the port from this function, whatever its container or user.
 *
 * @throws {Error} if no free port is found
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST_PORT, END_PORT);
    if (port !== BLOCKED_PORT && (await isFree(port)) && (await reserve(port))) return port;
  }
  throw new Error(`found no free port in ${TRIES} tries`);
}

/** Holds the UDP port of the same number, which nobody needs. The kernel releases it, even after SIGKILL. */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.unref();
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
