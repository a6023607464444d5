import { createServer } from 'node:net';
import { pid } from 'node:process';

/** Below the ports that systems choose by themselves: 32768 and up on Linux, 49152 and up by RFC 6335. */
const FIRST_PORT = 10_000;
const BLOCKS = 220;
const BLOCK_SIZE = 100;

let taken = 0;

/**
 * A free port on the loopback interface, for a server that starts soon. Another process may still take it; but the system
 * does not give it to somebody else meanwhile, nor does this function in a process that has another block.
 */
export async function freePort(): Promise<number> {
  const block = FIRST_PORT + (pid % BLOCKS) * BLOCK_SIZE;
  for (let tries = 0; tries < BLOCK_SIZE; tries += 1) {
    const port = block + (taken % BLOCK_SIZE);
    taken += 1;
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port between ${block} and ${block + BLOCK_SIZE - 1}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
