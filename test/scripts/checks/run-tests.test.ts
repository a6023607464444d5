import test from 'ava';
import { countTap } from '../../../scripts/checks/run-tests.ts';

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split('\n');
}

async function count(text: string) {
  const shown: string[] = [];
  return { ...(await countTap(linesOf(text), (line) => shown.push(line))), shown };
}

test('passed, failed and skipped tests are counted, and only failures are shown', async (t) => {
  const tap = 'TAP version 13\nok 1 - a\nnot ok 2 - b\n  ---\n  message: no\n  ...\nok 3 - c # SKIP\n\n1..3\n# tests 3';
  t.deepEqual(await count(tap), {
    passed: 1,
    failed: 1,
    skipped: 1,
    shown: ['not ok 2 - b', '  ---', '  message: no', '  ...'],
  });
});

test('a test whose name looks like a result is one test', async (t) => {
  const { passed, failed } = await count('ok 1 - not ok 2 - says the name');
  t.deepEqual({ passed, failed }, { passed: 1, failed: 0 });
});

test('a failing TODO is not a failure', async (t) => {
  const { failed, skipped } = await count('not ok 1 - later # TODO');
  t.deepEqual({ failed, skipped }, { failed: 0, skipped: 1 });
});
