import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { FileEvent } from '../../../../scripts/checks/tests/test-file.ts';
import { runBatches } from '../../../../scripts/checks/tests/worker-pool.ts';

const HANG_MS = 240_000;

interface Run {
  readonly files: Readonly<Record<string, string>>;
  readonly match?: readonly string[];
  readonly hangMs?: number;
}

/** Runs test files with these texts in one batch. @returns what was told of each */
async function run(t: ExecutionContext, { files, match = [], hangMs = HANG_MS }: Run) {
  const root = mkdtempSync(join(tmpdir(), 'tollhouse test runs '));
  t.teardown(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const told: Record<string, FileEvent[]> = {};
  let printed = '';
  const paths = Object.keys(files).filter((path) => path.endsWith('.test.ts'));
  await runBatches([{ files: paths.map((path) => ({ path, isSerial: false, match })), isIndependent: true }], {
    root,
    env: Promise.resolve(process.env),
    processes: 2,
    hangMs,
    listener: {
      started: (path) => {
        told[path] = [];
      },
      happened: (path, event) => told[path]?.push(event),
      printed: (text) => {
        printed += text;
      },
    },
  });
  const failures = (path: string) => (told[path] ?? []).flatMap((event) => (event.type === 'failed' ? [event] : []));
  const counts = (path: string) => {
    const count = (type: FileEvent['type']) => told[path]?.filter((event) => event.type === type).length;
    return { declared: count('declared'), passed: count('passed'), failed: count('failed'), ended: count('ended') };
  };
  return { failures, counts, printed: () => printed };
}

const AVA = "import test from 'ava';\n";
const PASSES = `${AVA}test('passes', (t) => t.pass());`;
const PASSED = { declared: 1, passed: 1, failed: 0, ended: 1 };

test('files of a batch share a process and modules, and hooks and tests stay those of their file', async (t) => {
  const { counts, failures } = await run(t, {
    files: {
      'shared.ts': `${AVA}export const seen = [process.pid];\nexport const declare = (title) => test(title, (t) => t.pass());`,
      'one.test.ts': `${AVA}import { declare, seen } from './shared.ts';
        test.beforeEach((t) => { t.context.who = 'one'; });
        test.after(() => seen.push('one ended'));
        declare('one');
        test('two', (t) => t.is(t.context.who, 'one'));`,
      'two.test.ts': `${AVA}import { declare, seen } from './shared.ts';
        declare('one');
        test('alone', (t) => { t.deepEqual(seen, [process.pid, 'one ended']); t.deepEqual(t.context, {}); });`,
    },
  });
  t.deepEqual(failures('two.test.ts'), []);
  t.deepEqual(counts('one.test.ts'), { declared: 2, passed: 2, failed: 0, ended: 1 });
  t.deepEqual(counts('two.test.ts'), { declared: 2, passed: 2, failed: 0, ended: 1 });
});

test('a failure shows its place, the difference and the values', async (t) => {
  const { failures } = await run(t, { files: { 'a.test.ts': `${AVA}\ntest('adds', (t) => t.is(1 + 1, 3));` } });
  const [failure, ...others] = failures('a.test.ts');
  t.is(others.length, 0);
  t.is(failure?.title, 'adds');
  t.regex(failure?.text ?? '', /a\.test\.ts:3\n/);
  t.regex(failure?.text ?? '', /Difference.*2.*3/s);
});

for (const [what, text, fault] of [
  ['throws while it loads', "throw new Error('no luck');", /no luck/],
  ['is not TypeScript', 'const = 1;', /SyntaxError/],
  ['declares no test', 'export {};', /declares no test/],
  ['leaves a rejection', `${PASSES}\nvoid Promise.reject(new Error('left'));`, /left/],
  ['waits for nothing', `${AVA}test('waits', () => new Promise(() => {}));`, /never resolved/],
  ['waits for nothing while it loads', 'await new Promise(() => {});', /ended its process/],
  ['ends its process', `${AVA}test('ends', () => process.exit(5));`, /exit code 5/],
  [
    'throws outside of its tests',
    `${AVA}test('waits', () => new Promise(() => setTimeout(() => { throw new Error('x') })));`,
    /exit code 1/,
  ],
  ['fails in a hook', `${PASSES}\ntest.after(() => { throw new Error('in the hook'); });`, /in the hook/],
] as const) {
  test(`a file that ${what} fails, and those after it run`, async (t) => {
    const { counts, failures } = await run(t, { files: { 'a.test.ts': text, 'b.test.ts': PASSES } });
    t.is(counts('a.test.ts').ended, 1);
    t.true(
      failures('a.test.ts').some(({ text: shown }) => fault.test(shown)),
      JSON.stringify(failures('a.test.ts')),
    );
    t.deepEqual(counts('b.test.ts'), PASSED);
  });
}

test('a file that hangs is ended, and those after it run', async (t) => {
  const hangs = `${AVA}test('hangs', () => { for (;;); });`;
  const { counts, failures } = await run(t, { files: { 'a.test.ts': hangs, 'b.test.ts': PASSES }, hangMs: 3000 });
  t.regex(failures('a.test.ts')[0]?.text ?? '', /hangs/);
  t.deepEqual(counts('b.test.ts').ended, 1);
});

test('only tests whose title matches run', async (t) => {
  const { counts } = await run(t, {
    files: { 'a.test.ts': `${AVA}test('one * two', (t) => t.pass());\ntest('one and two', (t) => t.fail());` },
    match: [String.raw`one \* two`],
  });
  t.deepEqual(counts('a.test.ts'), { declared: 2, passed: 1, failed: 0, ended: 1 });
});

test('what a process prints is passed on', async (t) => {
  const { printed } = await run(t, { files: { 'a.test.ts': `${PASSES}\nconsole.log('said');` } });
  t.is(printed(), 'said\n');
});
