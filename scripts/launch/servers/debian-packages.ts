import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { CACHE_FOLDER } from '../../../services/platform/process/installation.ts';
import { createProgress } from '../output/progress.ts';

const runFile = promisify(execFile);

/** The C library and its loader belong together, so the machine's own are used. */
const OF_THE_MACHINE = /^(?:libc6|libc-bin|libgcc-s1|gcc-\d+-base|tar)_/;

export interface Binary {
  readonly command: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface DebianProgram {
  /** Names of packages. Everything that they depend on is unpacked too, except the C library. */
  readonly packages: readonly string[];
  /** Path of the program in the packages, such as `usr/bin/redis-server`. */
  readonly path: string;
  /** Of its folder in the cache. By default, the name of the program. */
  readonly name?: string;
  /** Runs the program. Fails if it cannot be used. */
  readonly check: (program: Binary) => Promise<void>;
}

/**
 * Finds a program of this Debian's packages. The first call downloads and unpacks them into the cache, which needs no root
 * and installs nothing. It says on standard error how long that takes.
 *
 * @throws {Error} if there is no apt, no network, or no such package, or if the check fails
 */
export async function unpackDebian(program: DebianProgram): Promise<Binary> {
  const folder = join(CACHE_FOLDER, `${program.name ?? basename(program.path)}-${process.arch}`);
  // The folder is complete if it is there.
  if (existsSync(folder)) return binaryIn(folder, program);
  mkdirSync(CACHE_FOLDER, { recursive: true });
  const work = mkdtempSync(join(CACHE_FOLDER, 'fetch-'));
  using progress = createProgress({ title: `seconds of downloading and unpacking ${program.packages.join(', ')}` });
  const timer = setInterval(() => progress.add(1), 1000);
  try {
    const tree = await unpackInto(work, program.packages);
    await program.check(binaryIn(tree, program));
    moveInto(folder, tree);
  } finally {
    clearInterval(timer);
    rmSync(work, { recursive: true, force: true });
  }
  return binaryIn(folder, program);
}

function binaryIn(folder: string, { path }: DebianProgram): Binary {
  return { command: join(folder, path), env: { LD_LIBRARY_PATH: librariesIn(folder).join(':') } };
}

/** Folders with libraries of unpacked packages. */
function librariesIn(folder: string): readonly string[] {
  return [join(folder, 'usr/lib'), join(folder, 'lib')]
    .filter((lib) => existsSync(lib))
    .flatMap((lib) => readdirSync(lib).map((triplet) => join(lib, triplet)));
}

async function unpackInto(work: string, packages: readonly string[]): Promise<string> {
  const options = aptOptions(work);
  await run('apt-get', [...options, '-qq', 'update'], work);
  const only = ['install', '--download-only', '--no-install-recommends', '--yes'];
  await run('apt-get', [...options, '-qq', ...only, ...packages], work);
  const archives = join(work, 'cache/archives');
  const tree = join(work, 'tree');
  for (const each of readdirSync(archives).filter((name) => name.endsWith('.deb') && !OF_THE_MACHINE.test(name))) {
    await run('dpkg-deb', ['-x', join(archives, each), tree], work);
  }
  return tree;
}

function moveInto(folder: string, tree: string): void {
  try {
    renameSync(tree, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
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
