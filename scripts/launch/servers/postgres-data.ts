import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { privateFolder } from '../processes/run-folder.ts';
import { canReach, rootStateDir } from './postgres-binaries.ts';

const run = promisify(execFile);

/** The role that owns everything; who may enter the socket's folder is trusted to be it. */
export const ROLE = 'tollhouse';

export interface Cluster {
  /** Folder of `initdb` and `postgres`. */
  readonly binDir: string;
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** The user that the server runs as, when that is not this process's. */
  readonly uid: number | undefined;
}

/** The folder itself; or, for root, where the server's user could not reach it, one elsewhere that it links to. */
function placeFor({ dataDir, uid }: Cluster): string {
  if (uid === undefined) return privateFolder(dataDir);
  const parent = dirname(dataDir);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const found = lstatSync(dataDir, { throwIfNoEntry: false });
  if (found === undefined && !canReach(parent, uid)) {
    symlinkSync(join(rootStateDir(), `postgres-data-${uuidv7()}`), dataDir);
  }
  const linked = lstatSync(dataDir, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return privateFolder(linked ? readlinkSync(dataDir) : dataDir, uid);
}

/**
 * Makes the cluster unless it is there, in a folder that gets its name when it is whole: a start that was killed
 * leaves nothing half made.
 *
 * @returns the cluster's folder
 */
export async function ensureCluster(cluster: Cluster): Promise<string> {
  const place = placeFor(cluster);
  const ready = join(place, 'cluster');
  if (existsSync(ready)) return ready;
  const work = join(place, 'cluster.new');
  rmSync(work, { recursive: true, force: true });
  const options = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions', '-U', ROLE, '-D', work];
  const user = cluster.uid === undefined ? {} : { uid: cluster.uid, gid: cluster.uid };
  await run(join(cluster.binDir, 'initdb'), options, { env: cluster.env, cwd: '/', ...user });
  renameSync(work, ready);
  return ready;
}

/**
 * Removes the pid file of a dead server whose number a zombie or another program has by now (usual in containers):
 * PostgreSQL would take it for a second server. Where the number belongs to a live PostgreSQL, that decides by itself;
 * children of the dead one it finds by their shared memory.
 */
export function forgetDeadServer(clusterDir: string): void {
  const file = join(clusterDir, 'postmaster.pid');
  if (!existsSync(file) || !existsSync('/proc/self')) return;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  if (!existsSync(`/proc/${pid}/stat`)) return;
  const live = / \(postgres\) [^ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (!live) rmSync(file);
}
