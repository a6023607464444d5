import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FileEvent, TestFile } from './test-file.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));

/** Test files that run in one process, one after the other. */
export interface Batch {
  readonly files: readonly TestFile[];
  /** Whether its files need nothing that is running. */
  readonly isIndependent: boolean;
}

/** What the pool tells: what happens in files, and what their processes print. */
export interface PoolListener {
  started(path: string): void;
  happened(path: string, event: FileEvent): void;
  printed(text: string): void;
}

export interface PoolOptions {
  readonly root: string;
  /** The environment of the processes, once what they need is running. Batches that need nothing start before. */
  readonly env: Promise<NodeJS.ProcessEnv>;
  /** How many processes run at the same time. */
  readonly processes: number;
  /** A file that takes longer hangs. */
  readonly hangMs: number;
  readonly listener: PoolListener;
}

/**
 * Runs batches of test files, each in a process of its own, in the order in which they are given. Until the environment is
 * there, independent batches run, the last one first.
 */
export async function runBatches(batches: readonly Batch[], options: PoolOptions): Promise<void> {
  const waiting = [...batches];
  let env: NodeJS.ProcessEnv | undefined;
  options.env.then(
    (ready) => {
      env = ready;
    },
    // Who waits for the environment is told.
    () => {},
  );
  const takeBatch = async (): Promise<Batch | undefined> => {
    const last = env === undefined ? waiting.findLastIndex(({ isIndependent }) => isIndependent) : -1;
    if (last !== -1) return waiting.splice(last, 1)[0];
    await options.env;
    return waiting.shift();
  };
  const lane = async (): Promise<void> => {
    for (let batch = await takeBatch(); batch !== undefined; batch = await takeBatch()) {
      await runBatch(batch, { ...options, env: env ?? process.env });
    }
  };
  await Promise.all(Array.from({ length: options.processes }, lane));
}

type BatchOptions = Omit<PoolOptions, 'env'> & { readonly env: NodeJS.ProcessEnv };

/** A process that ends in the middle of a file is replaced for the files after it. */
async function runBatch({ files }: Batch, options: BatchOptions): Promise<void> {
  let worker: ChildProcess | undefined;
  for (const file of files) {
    if (worker === undefined || hasEnded(worker)) worker = startWorker(options);
    await runFile(worker, file, options);
  }
  await endWorker(worker);
}

const hasEnded = ({ connected, exitCode, signalCode }: ChildProcess) =>
  !connected || exitCode !== null || signalCode !== null;

/** A message to a process that has just ended: its end is told anyway. */
const ignore = () => {};

function startWorker({ root, env, listener }: BatchOptions): ChildProcess {
  const worker = fork(WORKER, [root], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [worker.stdout, worker.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => listener.printed(text));
  }
  return worker;
}

async function endWorker(worker: ChildProcess | undefined): Promise<void> {
  if (worker === undefined || hasEnded(worker)) return;
  const exited = once(worker, 'exit');
  worker.send('end', ignore);
  await exited;
}

/** Resolves when the file has ended, or its process. */
function runFile(worker: ChildProcess, file: TestFile, { hangMs, listener }: BatchOptions): Promise<void> {
  const { path } = file;
  listener.started(path);
  return new Promise((resolve) => {
    const failed = (text: string) => {
      listener.happened(path, { type: 'failed', title: 'the process', text });
      listener.happened(path, { type: 'ended', cpuSeconds: 0 });
      end();
    };
    const onExit = (code: number | null, signal: string | null) =>
      failed(`${path} ended its process: ${signal ?? `exit code ${code}`}`);
    const onMessage = (event: FileEvent) => {
      listener.happened(path, event);
      if (event.type === 'ended') end();
    };
    const hang = setTimeout(() => {
      worker.off('exit', onExit).kill('SIGKILL');
      worker.disconnect();
      failed(`${path} hangs`);
    }, hangMs);
    const end = () => {
      clearTimeout(hang);
      worker.off('exit', onExit).off('message', onMessage);
      resolve();
    };
    worker.once('exit', onExit).on('message', onMessage).send(file, ignore);
  });
}
