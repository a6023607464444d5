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

/** The process that holds another claim, if any. Removes the claims of processes that have ended. */
async function otherHolder(runDir: string, prefix: string, own: string): Promise<number | undefined> {
  for (const entry of readdirSync(runDir)) {
    if (!entry.startsWith(prefix) || entry === own) continue;
    if (await isListening(join(runDir, entry))) return Number.parseInt(entry.slice(prefix.length), 10);
    rmSync(join(runDir, entry), { force: true });
  }
  return undefined;
}

/** @returns a function that releases a claim, which the end of the process does as well */
function releaseAtExit(server: Server, path: string): () => void {
  const release = () => {
    process.off('exit', release);
    server.close();
    rmSync(path, { force: true });
  };
  process.once('exit', release);
  return release;
}

/**
 * Claims `what` within a run folder until this process ends. The kernel releases the claim, even after SIGKILL. Every
 * claimant first listens on a socket with its own name and then looks for others. So at most one of two simultaneous
 * claimants succeeds, and removing the claim of a dead process cannot remove another claim.
 *
 * @returns a function that releases the claim
 * @throws {ClaimedError} if another process holds the claim
 */
export async function claim(runDir: string, what: string): Promise<() => void> {
  const prefix = `${what}.claim-`;
  let holder = 0;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const own = `${prefix}${process.pid}-${randomInt(1e6)}`;
    const server = await listen(join(runDir, own));
    const other = await otherHolder(runDir, prefix, own);
    if (other === undefined && existsSync(join(runDir, own))) return releaseAtExit(server, join(runDir, own));
    server.close();
    holder = other ?? holder;
    // Two claimants that met wait for different times.
    if (attempt < TRIES) await delay(randomInt(20, 120));
  }
  throw new ClaimedError(what, holder);
}
