import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { BesideError, describeCheckout, openBaseline } from '../../../../../scripts/lab/load/beside/baseline.ts';
import { runFolderOf } from '../../../../../scripts/launch/processes/run-folder.ts';

/** A repository of three commits. The lock file changed with the second. */
function createRepository(t: ExecutionContext) {
  const root = mkdtempSync(join(tmpdir(), 'tollhouse-baseline-test-'));
  t.teardown(() => rmSync(root, { recursive: true }));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=any', '-c', 'user.email=any@example.com', ...args], {
      encoding: 'utf8',
    });
  git('init', '--quiet');
  mkdirSync(join(root, 'node_modules'));
  writeFileSync(join(root, '.gitignore'), 'node_modules\n');
  for (const [index, lock] of ['old', 'new', 'new'].entries()) {
    writeFileSync(join(root, 'package-lock.json'), lock);
    writeFileSync(join(root, 'version'), String(index));
    git('add', '.');
    git('commit', '--quiet', '--message', `Version ${index}`);
  }
  return { root, worktrees: () => git('worktree', 'list', '--porcelain').match(/^worktree /gm)?.length };
}

test('a commit is checked out with the packages of this checkout, and removed without them', async (t) => {
  const { root, worktrees } = createRepository(t);
  const baseline = await openBaseline(root, 'HEAD~1');
  t.is(readFileSync(join(baseline.root, 'version'), 'utf8'), '1');
  t.is((await describeCheckout(baseline.root)).commit, baseline.commit);
  t.is(realpathSync(join(baseline.root, 'node_modules')), realpathSync(join(root, 'node_modules')));
  // A process that runs on the checkout makes this folder elsewhere.
  const runDir = runFolderOf(baseline.root);
  await baseline.remove();
  t.false(existsSync(runDir));
  t.false(existsSync(dirname(baseline.root)));
  t.is(worktrees(), 1);
  t.true(existsSync(join(root, 'node_modules')));
});

test('a commit with another lock file is refused with what to do, and leaves nothing', async (t) => {
  const { root, worktrees } = createRepository(t);
  await t.throwsAsync(openBaseline(root, 'HEAD~2'), { instanceOf: BesideError, message: /git log -1 package-lock/ });
  t.is(worktrees(), 1);
});

for (const ref of ['no-such-branch', '--help', 'HEAD~9', '']) {
  test(`the commit ${JSON.stringify(ref)} is refused`, async (t) => {
    const { root } = createRepository(t);
    await t.throwsAsync(openBaseline(root, ref), { instanceOf: BesideError, message: /no such commit/ });
  });
}

test('changes of tracked files are told', async (t) => {
  const { root } = createRepository(t);
  t.false((await describeCheckout(root)).isChanged);
  writeFileSync(join(root, 'version'), '9');
  t.true((await describeCheckout(root)).isChanged);
});
