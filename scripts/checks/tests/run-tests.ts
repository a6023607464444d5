import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { createJsonReader } from '../../launch/parse/json-reader.ts';
import { createDisplay } from './display.ts';
import { createTestProgress, type KnownFile, type TestCount } from './progress.ts';
import { type Batch, runBatches } from './worker-pool.ts';

/** Most tests wait for other processes, and others have the processors meanwhile. */
const PROCESSES = 6;
/** A file that takes longer hangs, on a busy machine too. */
const LIMIT_MS = { file: 25 * 60_000, longFile: 3 * 3_600_000 };

/** How many files are named at the end. A long run names all that it ran. */
const SLOWEST = 10;

const parseKnown = createJsonReader(
  Type.Record(Type.String(), Type.Object({ tests: Type.Number(), seconds: Type.Number(), cpuSeconds: Type.Number() })),
  'the times of tests',
);

export interface TestRun {
  readonly root: string;
  readonly batches: readonly Batch[];
  /** The environment of the test processes, once what they need is running. */
  readonly env: Promise<NodeJS.ProcessEnv>;
  readonly isLong: boolean;
}

/** Runs test files and shows how far they are, what fails, and which of them took longest. */
export async function runTests({ root, batches, env, isLong }: TestRun): Promise<TestCount> {
  const paths = batches.flatMap(({ files }) => files.map(({ path }) => path));
  const timesFile = join(root, '.cache/test-times.json');
  const known = readKnown(timesFile);
  const progress = createTestProgress({ paths, known });
  const display = createDisplay(() => progress.line());
  await runBatches(batches, {
    root,
    env,
    processes: PROCESSES,
    hangMs: isLong ? LIMIT_MS.longFile : LIMIT_MS.file,
    listener: {
      started: progress.started,
      printed: display.print,
      happened(path, event) {
        progress.happened(path, event);
        if (event.type === 'failed') display.print(formatFailure(path, event));
      },
    },
  });
  display.close();
  console.log(['', ...progress.slowest(isLong ? paths.length : SLOWEST)].join('\n'));
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(timesFile, JSON.stringify({ ...Object.fromEntries(known), ...Object.fromEntries(progress.known()) }));
  const count = progress.count();
  // A run without a test proves nothing.
  return count.passed === 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
}

/** Shows a failure, and the command that repeats just this test. */
function formatFailure(path: string, { title, text }: { readonly title: string; readonly text: string }): string {
  const pattern = title.replaceAll(/[\\*!]/g, String.raw`\$&`).replaceAll("'", String.raw`'\''`);
  return `\nFAILED  ${title}\n${text.replaceAll(/^/gm, '    ')}\n    npm test -- ${path} --match '${pattern}'\n`;
}

function readKnown(file: string): ReadonlyMap<string, KnownFile> {
  try {
    return new Map(Object.entries(parseKnown(readFileSync(file, 'utf8'))));
  } catch {
    // Without earlier times, the estimate is only worse.
    return new Map();
  }
}
