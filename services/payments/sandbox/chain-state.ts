import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as startTimer } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { type Hex, isHex, type TestClient } from 'viem';
import { hasCode } from '../../platform/process/system-error.ts';
import type { Lock } from '../payment/context.ts';
import type { TransactionSender } from '../signer/transaction-sender.ts';
import { dumpChain } from './dump-chain.ts';

/** Longest time of a dump, which is one request. */
const DUMP_MS = 30_000;

/** The sandbox chain on disk. anvil keeps its chain in memory and loses it when it stops. */
export function createSavedChain(options: {
  readonly rpcUrl: string;
  readonly anvil: Pick<TestClient, 'loadState'>;
  readonly file: string;
  readonly lock: Lock;
  /** Runs work while the chain does not change: a dump of anvil reads blocks and balances one after the other. */
  readonly whileQuiet: TransactionSender['whileQuiet'];
  /** Whether the chain is set up. A chain that was restarted is empty. */
  readonly isSetUp: () => Promise<boolean>;
  /** Called when a state could not be saved in the background. */
  readonly onError: (error: unknown) => void;
}) {
  const { rpcUrl, anvil, file, lock, whileQuiet, isSetUp, onError } = options;
  // A lock over all copies of the service: an older state must not replace a newer one.
  const alone = <T>(work: () => Promise<T>) => lock('sandbox-state', work);
  const saving = coalesce(
    () =>
      alone(async () => {
        await removeTemporaries(file);
        await replaceFile(file, async (temporary) => {
          const dump = await whileQuiet(() => dumpChain(rpcUrl, DUMP_MS));
          await dump.writeTo(temporary);
          // The dump of a chain that was just restarted would replace everything that was saved. The lock excludes `load`,
          // so a chain that is set up after the dump was set up before it.
          if (!(await isSetUp())) throw new Error('the sandbox chain was restarted');
        });
      }),
    onError,
  );
  return {
    /**
     * Resolves when a state from after the call is on disk.
     * @throws when the chain was restarted and is empty
     */
    save: saving.run,
    /** Saves a state within about a second, at most once a second. */
    saveSoon: saving.runSoon,
    /** Resolves when no state waits to be saved. */
    flush: saving.flush,
    /** @returns false when nothing was saved before */
    load: (): Promise<boolean> =>
      alone(async () => {
        await removeTemporaries(file);
        const state = await readState(file);
        if (state !== undefined) await anvil.loadState({ state });
        return state !== undefined;
      }),
  };
}

/** anvil does nothing else during a dump. It gets at least four times as long for its other work. */
const REST_FACTOR = 4;
/** A save may also have waited for a copy of the service that died. */
const LONGEST_REST_MS = 2000;
const BACKGROUND_MS = 1000;

/** Runs one call of `work` at a time, with a pause after each. */
export function coalesce(work: () => Promise<void>, onError: (error: unknown) => void) {
  let queued: Promise<void> | undefined;
  let tail: Promise<unknown> = Promise.resolve();
  let soon: NodeJS.Timeout | undefined;
  const run = () => {
    if (queued === undefined) {
      clearTimeout(soon);
      soon = undefined;
      let startedMs = 0;
      queued = tail.then(() => {
        queued = undefined;
        startedMs = performance.now();
        return work();
      });
      const rest = () => setTimeout(Math.min(LONGEST_REST_MS, REST_FACTOR * (performance.now() - startedMs)));
      tail = queued.then(rest, rest);
    }
    return queued;
  };
  return {
    /** Runs the work once more. Calls that come before it begins share the run. */
    run,
    /** Runs the work a second later, unless another call runs it before. Errors go to `onError`. */
    runSoon(): void {
      if (queued !== undefined) return;
      soon ??= startTimer(() => run().catch(onError), BACKGROUND_MS);
    },
    /** Resolves when no work is left. */
    async flush(): Promise<void> {
      if (soon !== undefined) await run();
      await tail;
    },
  };
}

/**
 * Removes the temporary files of processes that died, and of copies that lost their lock: without its file, such a copy
 * cannot replace the state of the copy that has the lock now.
 */
async function removeTemporaries(file: string): Promise<void> {
  const folder = dirname(file);
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  const isTemporary = (name: string) => name.startsWith(`${basename(file)}.`) && name.endsWith('.tmp');
  for (const name of names.filter(isTemporary)) await rm(join(folder, name), { force: true });
}

/** Replaces a file atomically, even if the machine stops. The new file is there from before `write` begins. */
async function replaceFile(file: string, write: (temporary: FileHandle) => Promise<void>): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await write(handle);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  await sync(dirname(file));
}

/** Waits until a folder is on disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readState(file: string): Promise<Hex | undefined> {
  const state = await readFile(file, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (state === undefined) return undefined;
  if (!isHex(state, { strict: false })) throw new Error(`${file} does not hold a state of anvil`);
  return state;
}
