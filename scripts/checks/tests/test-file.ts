import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AvaError, formatError, loadAva, type Runner, type RunnerState } from './ava-runner.ts';
import { cpuSeconds } from './cpu-seconds.ts';

export interface TestFile {
  /** From the root of the checkout. */
  readonly path: string;
  /** Whether its tests run one after the other. */
  readonly isSerial: boolean;
  /** Patterns of the titles of tests that run; all if empty. */
  readonly match: readonly string[];
}

/** What happened in a test file. */
export type FileEvent =
  | { readonly type: 'declared' | 'passed' | 'skipped' }
  | { readonly type: 'failed'; readonly title: string; readonly text: string }
  | { readonly type: 'ended'; readonly cpuSeconds: number };

const { Runner: AvaRunner, describeError } = await loadAva();

/** Runs the tests of the file that is being loaded, or was loaded last. */
let runner: Runner | undefined;

function currentChain(): object {
  if (runner === undefined) throw new Error('a test is declared outside of a test file');
  return runner.chain;
}

/** Takes the place of ava's `test`, also in modules that several test files import: it declares tests of the current file. */
export const test: unknown = new Proxy(() => {}, {
  apply: (_target, self, args) => Reflect.apply(Object(currentChain()), self, args),
  get: (_target, name) => Reflect.get(currentChain(), name),
});

/** Loads a test file and runs its tests. The file's own faults are told as failures. */
export async function runTestFile(root: string, { path, isSerial, match }: TestFile, tell: (event: FileEvent) => void) {
  const file = join(root, path);
  const startedS = cpuSeconds();
  const own = new AvaRunner({ file, projectDir: root, serial: isSerial, match });
  runner = own;
  let declared = 0;
  const fail = (title: string, error: AvaError) => tell({ type: 'failed', title, text: formatError(error) });
  const finished = new Promise<void>((resolve, reject) => {
    own.on('error', reject);
    own.on('finish', resolve);
  });
  own.on('stateChange', (state: RunnerState) => {
    if (state.type === 'declared-test') {
      declared += 1;
      tell({ type: 'declared' });
    } else if (state.type === 'test-passed') tell({ type: 'passed' });
    else if (state.type === 'selected-test' && (state.skip || state.todo)) tell({ type: 'skipped' });
    else if (state.type === 'test-failed' || state.type === 'hook-failed') fail(state.title, state.err);
  });
  const unhandled = new Map<Promise<unknown>, unknown>();
  const onUnhandled = (reason: unknown, promise: Promise<unknown>) => unhandled.set(promise, reason);
  const onHandled = (promise: Promise<unknown>) => unhandled.delete(promise);
  process.on('unhandledRejection', onUnhandled).on('rejectionHandled', onHandled);
  try {
    await import(pathToFileURL(file).href);
    if (declared === 0) throw new Error(`${path} declares no test`);
    await finished;
    // What nobody handles by now is a fault.
    await new Promise((resolve) => setImmediate(resolve));
  } catch (error) {
    fail('the file', describeError(error, { testFile: file }));
  }
  process.off('unhandledRejection', onUnhandled).off('rejectionHandled', onHandled);
  for (const reason of unhandled.values()) fail('an unhandled rejection', describeError(reason, { testFile: file }));
  tell({ type: 'ended', cpuSeconds: cpuSeconds() - startedS });
}
