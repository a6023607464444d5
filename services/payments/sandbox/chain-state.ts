import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Hex, TestClient } from 'viem';
import type { Lock } from '../signer/signer-lock.ts';

/** anvil keeps its chain in memory; this file is what survives it. */
export interface ChainState {
  /** Ends when a state from after the call is safe on disk. */
  save(): Promise<void>;
  /** @returns false when nothing was saved before. */
  load(): Promise<boolean>;
}

export function createChainState(options: {
  readonly anvil: TestClient;
  readonly file: string;
  readonly lock: Lock;
}): ChainState {
  const { anvil, file, lock } = options;
  return {
    // Over all copies of the service: an older state must not be renamed over a newer one.
    save: coalesce(() => lock('sandbox-state', async () => replaceFile(file, await anvil.dumpState()))),
    async load() {
      const state = await readState(file);
      if (state !== undefined) await anvil.loadState({ state });
      return state !== undefined;
    },
  };
}

/** Runs one at a time; calls that come while one runs share the next. */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let queued: Promise<void> | undefined;
  let tail: Promise<void> = Promise.resolve();
  return () => {
    if (queued === undefined) {
      queued = tail.then(() => {
        queued = undefined;
        return work();
      });
      tail = queued.catch(() => {});
    }
    return queued;
  };
}

/** Whole or not at all, whenever the machine stops. */
async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function readState(file: string): Promise<Hex | undefined> {
  try {
    return (await readFile(file, 'utf8')) as Hex;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
