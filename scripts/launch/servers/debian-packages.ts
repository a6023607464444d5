import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);

/** The C library and its loader belong together. The one of the machine is used. */
const OF_THE_MACHINE = /^(?:libc6|libc-bin|libgcc-s1|gcc-\d+-base|tar)_/;

export interface DebianPackages {
  readonly names: readonly string[];
  /** Whether everything that they depend on is downloaded too. Only the C library is of the machine. */
  readonly withDependencies: boolean;
  /** The folder to unpack into. It is there only if it is complete. */
  readonly folder: string;
  /** Fails if the unpacked packages cannot be used. */
  readonly check: (folder: string) => Promise<void>;
}

/**
 * Downloads packages of this Debian and unpacks them into a folder, unless that is there. It needs no root and changes
 * nothing else of the machine.
 * @throws {Error} if there is no apt, no network, or no such package
 */
export async function unpackDebian(packages: DebianPackages, cacheDir: string): Promise<void> {
  if (existsSync(packages.folder)) return;
  mkdirSync(cacheDir, { recursive: true });
  const work = mkdtempSync(join(cacheDir, 'fetch-'));
  try {
    const tree = await unpackInto(work, packages);
    await packages.check(tree);
    moveInto(packages.folder, tree);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Folders with libraries of unpacked packages. */
export function librariesIn(folder: string): readonly string[] {
  return [join(folder, 'usr/lib'), join(folder, 'lib')]
    .filter((lib) => existsSync(lib))
    .flatMap((lib) => readdirSync(lib).map((triplet) => join(lib, triplet)));
}

async function unpackInto(work: string, { names, withDependencies }: DebianPackages): Promise<string> {
  const options = aptOptions(work);
  await run('apt-get', [...options, '-qq', 'update'], work);
  if (withDependencies) {
    const only = ['install', '--download-only', '--no-install-recommends', '--yes'];
    await run('apt-get', [...options, '-qq', ...only, ...names], work);
  } else {
    await run('apt-get', [...options, '-qq', 'download', ...names], work);
  }
  const from = withDependencies ? join(work, 'cache/archives') : work;
  const tree = join(work, 'tree');
  for (const each of readdirSync(from).filter((name) => name.endsWith('.deb') && !OF_THE_MACHINE.test(name))) {
    await run('dpkg-deb', ['-x', join(from, each), tree], work);
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
