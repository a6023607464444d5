import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Hex, TestClient } from 'viem';
import type { Lock } from '../signer/signer-lock.ts';
import type { TransactionSender } from '../signer/transaction-sender.ts';

/** anvil keeps its chain in memory; this file is what survives it. */
export interface ChainState {
  /**
   * Ends when a state from after the call is safe on disk.
   * @throws when the chain was started again, and has nothing worth saving
   */
  save(): Promise<void>;
  /** @returns false when nothing was saved before. */
  load(): Promise<boolean>;
}

export function createChainState(options: {
  readonly anvil: TestClient;
  readonly file: string;
  readonly lock: Lock;
  /** Runs work while the chain does not change: anvil reads blocks and balances of a dump one after the other. */
  readonly whileQuiet: TransactionSender['whileQuiet'];
  /** Whether the chain is the one that was set up: a chain that was started again is empty. */
  readonly isSetUp: () => Promise<boolean>;
}): ChainState {
  const { anvil, file, lock, whileQuiet, isSetUp } = options;
  // Over all copies of the service: an older state must not be renamed over a newer one.
  const alone = <T>(work: () => Promise<T>) => lock('sandbox-state', work);
  return {
    save: coalesce(() =>
      alone(async () => {
        const state = await whileQuiet(() => anvil.dumpState());
        // The state may be that of a chain that has just been started again. It would replace all that was saved. The
        // lock keeps `load` away, so that a chain that is set up after the dump was set up before it.
        if (!(await isSetUp())) throw new Error('the sandbox chain was started again');
        await replaceFile(file, state);
      }),
    ),
    load: () =>
      alone(async () => {
        const state = await readState(file);
        if (state !== undefined) await anvil.loadState({ state });
        return state !== undefined;
      }),
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
