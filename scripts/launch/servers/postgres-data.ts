import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { privateFolder } from '../processes/run-folder.ts';
import { canReach, rootStateDir } from './postgres-binaries.ts';

const run = promisify(execFile);

/** The role that owns the database. Whoever can enter the socket's folder may use this role. */
export const ROLE = 'tollhouse';

export interface Cluster {
  /** The folder that has `initdb` and `postgres`. */
  readonly binDir: string;
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** The user of the server. Undefined if it is the user of this process. */
  readonly uid: number | undefined;
}

/** The data folder. If the server's user cannot reach it, the data folder becomes a link to a folder elsewhere. */
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
 * Creates the cluster if there is none. The folder gets its final name when the cluster is complete, so a killed start
 * leaves no incomplete cluster.
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
 * Removes the pid file of a dead server if a zombie or another program now has the pid, which is usual in containers.
 * PostgreSQL would take that process for a second server. The file stays if the pid belongs to a live PostgreSQL:
 * PostgreSQL itself then refuses to start. It also finds children of a dead server by their shared memory.
 */
export function forgetDeadServer(clusterDir: string): void {
  const file = join(clusterDir, 'postmaster.pid');
  if (!existsSync(file) || !existsSync('/proc/self')) return;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  if (!existsSync(`/proc/${pid}/stat`)) return;
  const live = / \(postgres\) [^ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (!live) rmSync(file);
}
