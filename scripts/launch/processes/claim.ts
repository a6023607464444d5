import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isListening } from './wait-for.ts';

const TRIES = 4;

export class ClaimedError extends Error {
  readonly pid: number;

  constructor(what: string, pid: number) {
    super(`${what} is in use by process ${pid}`);
    this.name = 'ClaimedError';
    this.pid = pid;
  }
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(path, () => resolve(server.unref()));
  });
}

/** The process that holds another claim, if one lives; claims of the dead are removed. */
async function otherHolder(runDir: string, prefix: string, own: string): Promise<number | undefined> {
  for (const entry of readdirSync(runDir)) {
    if (!entry.startsWith(prefix) || entry === own) continue;
    if (await isListening(join(runDir, entry))) return Number.parseInt(entry.slice(prefix.length), 10);
    rmSync(join(runDir, entry), { force: true });
  }
  return undefined;
}

/**
 * Claims `what` within a run folder for as long as this process lives; the kernel gives it back, after SIGKILL too.
 * Every claimant listens on a socket of its own name first and looks for others after, so of two at once at most one
 * succeeds, and removing the claim of a dead process can never remove another's.
 *
 * @returns a function that gives the claim back
 * @throws ClaimedError when another process holds it
 */
export async function claim(runDir: string, what: string): Promise<() => void> {
  const prefix = `${what}.claim-`;
  let holder = 0;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const own = `${prefix}${process.pid}-${randomInt(1e6)}`;
    const server = await listen(join(runDir, own));
    const other = await otherHolder(runDir, prefix, own);
    if (other === undefined && existsSync(join(runDir, own))) return () => void server.close();
    server.close();
    holder = other ?? holder;
    // two that met step back for different times
    if (attempt < TRIES) await delay(randomInt(20, 120));
  }
  throw new ClaimedError(what, holder);
}
