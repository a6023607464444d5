import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Creates a folder that only its owner may enter. Anyone can guess a name under /tmp, and could create a link or a
 * folder there to get at the sockets, so an existing entry must be a folder of the right owner.
 *
 * @param ownerUid the owner; this process's user by default
 * @throws {Error} if `path` is not a folder, or belongs to another user
 */
export function privateFolder(path: string, ownerUid?: number): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const self = userId();
  const owner = ownerUid ?? self;
  const found = lstatSync(path);
  if (!found.isDirectory() || (found.uid !== self && found.uid !== owner)) {
    throw new Error(
      `${path} belongs to user ${found.uid}: start as that user, or name another folder in TOLLHOUSE_DATA`,
    );
  }
  if (found.uid !== owner) chownSync(path, owner, owner);
  chmodSync(path, 0o700);
  return path;
}

/**
 * The folder of sockets that belongs to a data folder. Its path is always short, because the path of a Unix socket has
 * at most 107 bytes.
 */
export function runFolderOf(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return findRunFolder(dataDir);
}

/** The same folder for commands, which do not make a data folder that is missing. */
export const findRunFolder = (dataDir: string): string => privateFolder(runFolderPath(dataDir));

/** The path of the folder that `runFolderOf` creates. */
export function runFolderPath(dataDir: string): string {
  const hash = createHash('sha256')
    .update(existsSync(dataDir) ? realpathSync(dataDir) : resolve(dataDir))
    .digest('hex')
    .slice(0, 12);
  return `/tmp/tollhouse-${hash}`;
}

/** @throws {Error} on Windows, which has no user ids */
function userId(): number {
  if (process.getuid === undefined) throw new Error('Tollhouse needs Linux or macOS');
  return process.getuid();
}
