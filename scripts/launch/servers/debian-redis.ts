import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const PACKAGES = ['redis-server', 'redis-tools', 'liblzf1', 'libjemalloc2'];

export interface Binary {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs a program. @throws {Error} with the last line of its standard error */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await runFile(program, args, { cwd })).stdout;
  } catch (cause) {
    throw new Error(`${program}: ${reasonOf(cause)}`, { cause });
  }
}

/** The last line of a program's standard error, or the message of the error if the program wrote nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stderr: unknown = Reflect.get(error, 'stderr');
  const lines = typeof stderr === 'string' ? stderr.trim().split('\n') : [];
  return lines.at(-1) || error.message;
}

/** Options that give apt separate folders. So it needs no root, and does not depend on the installed packages. */
function aptOptions(folder: string): readonly string[] {
  for (const each of ['state/lists/partial', 'cache/archives/partial']) {
    mkdirSync(join(folder, each), { recursive: true });
  }
  writeFileSync(join(folder, 'status'), '');
  const settings = {
    'Dir::State': join(folder, 'state'),
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': join(folder, 'cache'),
    'Debug::NoLocking': '1',
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

function binaryIn(root: string): Binary | undefined {
  const command = join(root, 'usr/bin/redis-server');
  if (!existsSync(command)) return undefined;
  const libraries = readdirSync(join(root, 'usr/lib')).map((triplet) => join(root, 'usr/lib', triplet));
  return { command, env: { LD_LIBRARY_PATH: libraries.join(':') } };
}

async function assertLinked({ command, env }: Binary): Promise<void> {
  const { stdout } = await runFile('ldd', [command], { env: { ...process.env, ...env } });
  const missing = stdout.split('\n').filter((line) => line.includes('not found'));
  if (missing.length > 0) throw new Error(`the downloaded redis-server lacks libraries: ${missing.join(' ').trim()}`);
}

async function fetchInto(root: string, work: string): Promise<void> {
  const options = aptOptions(work);
  await run('apt-get', [...options, '-qq', 'update'], work);
  await run('apt-get', [...options, '-qq', 'download', ...PACKAGES], work);
  const tree = join(work, 'tree');
  for (const each of readdirSync(work).filter((name) => name.endsWith('.deb'))) {
    await run('dpkg-deb', ['-x', join(work, each), tree], work);
  }
  const binary = binaryIn(tree);
  if (binary === undefined) throw new Error('the downloaded packages have no redis-server');
  await assertLinked(binary);
  try {
    renameSync(tree, root);
  } catch (error) {
    // Another process was faster.
    if (binaryIn(root) === undefined) throw error;
  }
}

/**
 * Returns Redis from the packages of this Debian. The first call downloads and unpacks them under `cacheDir`, which takes
 * about 4 s and needs no root.
 *
 * @throws {Error} if there is no apt, no network, or no such package
 */
export async function debianRedis(cacheDir: string): Promise<Binary> {
  const root = join(cacheDir, `redis-${process.arch}`);
  const kept = binaryIn(root);
  if (kept !== undefined) return kept;
  mkdirSync(cacheDir, { recursive: true });
  const work = mkdtempSync(join(cacheDir, 'fetch-'));
  try {
    await fetchInto(root, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const binary = binaryIn(root);
  if (binary === undefined) throw new Error(`${root} has no redis-server`);
  return binary;
}
