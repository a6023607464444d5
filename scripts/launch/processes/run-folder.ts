import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';

/**
 * Makes `path` as a folder of ours that nobody else may enter. Under /tmp the name can be guessed: a link, or a folder
 * of another user, would hand our sockets to them.
 *
 * @throws Error when something of another kind or owner stands there
 */
export function privateFolder(path: string, ownerUid?: number): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const self = process.getuid?.() ?? 0;
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
 * The folder of sockets that goes with a data folder. Short, wherever the data lies: the path of a Unix socket has 107
 * bytes at most.
 */
export function runFolderOf(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const hash = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12);
  return privateFolder(`/tmp/tollhouse-${hash}`);
}
