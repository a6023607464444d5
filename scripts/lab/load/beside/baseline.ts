import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runFolderOf } from '../../../launch/processes/run-folder.ts';
import { redisBinary } from '../../../launch/servers/redis-binary.ts';

const run = promisify(execFile);

/** A comparison that cannot be made, and what to do. */
export class BesideError extends Error {
  override readonly name = 'BesideError';
}

export interface Baseline {
  readonly commit: string;
  /** Root of a checkout of the commit. */
  readonly root: string;
  remove(): Promise<void>;
}

const git = async (root: string, ...args: readonly string[]): Promise<string> =>
  (await run('git', ['-C', root, ...args])).stdout.trim();

/** The commit of a checkout, and whether its files differ from it. */
export async function describeCheckout(
  root: string,
): Promise<{ readonly commit: string; readonly isChanged: boolean }> {
  const status = await git(root, 'status', '--porcelain', '--untracked-files=no');
  return { commit: await git(root, 'rev-parse', 'HEAD'), isChanged: status !== '' };
}

/**
 * Checks a commit out into a temporary folder, with the packages of this checkout.
 * @param root of this checkout
 * @throws {BesideError} if there is no such commit, or if it needs other packages
 */
export async function openBaseline(root: string, ref: string): Promise<Baseline> {
  const commit = await resolveCommit(root, ref);
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-baseline-'));
  // For root, PostgreSQL runs as another user, who may use packages below this folder.
  chmodSync(folder, 0o711);
  const checkout = join(folder, 'checkout');
  async function remove(): Promise<void> {
    // Bundling claims a folder of its own for each checkout.
    rmSync(runFolderOf(checkout), { recursive: true, force: true });
    // The folder goes in any case. What git keeps of it in vain is removed by its next clean-up.
    await git(root, 'worktree', 'remove', '--force', checkout).catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    // Hooks are for people who work in a checkout.
    await git(root, '-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--quiet', '--detach', checkout, commit);
    assertSamePackages(root, checkout, ref);
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
    await shareRedis(root, checkout);
    return { commit, root: checkout, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function resolveCommit(root: string, ref: string): Promise<string> {
  try {
    return await git(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
  } catch (cause) {
    throw new BesideError(`--beside is ${ref}: git finds no such commit in ${root}`, { cause });
  }
}

const LOCK_FILE = 'package-lock.json';

function assertSamePackages(root: string, checkout: string, ref: string): void {
  const theirs = join(checkout, LOCK_FILE);
  if (existsSync(theirs) && readFileSync(theirs).equals(readFileSync(join(root, LOCK_FILE)))) return;
  throw new BesideError(
    `${LOCK_FILE} of ${ref} differs from that of this checkout, whose packages both sides use. Name a later commit: ` +
      `\`git log -1 ${LOCK_FILE}\` shows the earliest possible one. Or measure ${ref} in a checkout of its own with ` +
      '--json FILE, and then this checkout with --against FILE',
  );
}

/** Without an installed Redis, both sides use the one that this checkout has unpacked: downloading it again takes time. */
async function shareRedis(root: string, checkout: string): Promise<void> {
  const { command } = await redisBinary();
  const cache = join(root, '.cache');
  if (!command.startsWith(cache)) return;
  const [folder] = command.slice(cache.length + 1).split('/');
  if (folder === undefined) throw new Error(`${command} is not in a folder of ${cache}`);
  mkdirSync(join(checkout, '.cache'), { recursive: true });
  symlinkSync(join(cache, folder), join(checkout, '.cache', folder));
}
