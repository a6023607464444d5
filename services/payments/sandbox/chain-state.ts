import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
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

/** anvil does nothing else while it dumps: it gets four times as long for its other work. */
const REST_FACTOR = 4;

/** Runs one at a time, with a rest after each; calls that come meanwhile share the next. */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let queued: Promise<void> | undefined;
  let tail: Promise<unknown> = Promise.resolve();
  return () => {
    if (queued === undefined) {
      let startedMs = 0;
      queued = tail.then(() => {
        queued = undefined;
        startedMs = performance.now();
        return work();
      });
      const rest = () => setTimeout(REST_FACTOR * (performance.now() - startedMs));
      tail = queued.then(rest, rest);
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
