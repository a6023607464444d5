import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { Type } from 'typebox';
import { createReader } from '../../scripts/launch/parse/json-reader.ts';
import { adminUrlOf } from './owned-database.ts';

const run = promisify(execFile);
const readStopped = createReader(
  Type.Tuple([Type.Object({ labelfile: Type.String() })]),
  'the answer of pg_backup_stop',
);

/** Uses `cp -a`, because the files belong to the user of the server, and may change while they are copied. */
const copy = (from: string, to: string) => run('cp', ['-a', from, to]);

export interface Place {
  /** The folder of the server's data. */
  readonly dataDir: string;
  readonly url: string;
}

/** A copy of a server's data, taken while the server ran. */
export interface Backup {
  /** Replaces the data of a stopped server with the copy. The copy stays. */
  restore(): Promise<void>;
}

/**
 * A base backup with the low-level API (PostgreSQL, "Continuous Archiving and Point-in-Time Recovery"). The copy has all
 * commits until `pg_backup_stop`, and all WAL that it needs. It recovers like one from an archive, on a new timeline.
 */
export async function backUpPostgres({ dataDir, url }: Place, to: string): Promise<Backup> {
  const cluster = join(realpathSync(dataDir), 'cluster');
  mkdirSync(to, { recursive: true });
  const saved = join(to, 'cluster');
  const client = new pg.Client(adminUrlOf(url));
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('drill', true)");
    await copyChanging(cluster, saved);
    const [{ labelfile }] = readStopped((await client.query('SELECT labelfile FROM pg_backup_stop(false)')).rows);
    rmSync(join(saved, 'pg_wal'), { recursive: true });
    await copyChanging(join(cluster, 'pg_wal'), join(saved, 'pg_wal'));
    rmSync(join(saved, 'postmaster.pid'), { force: true });
    writeLike(saved, 'backup_label', labelfile);
    writeLike(saved, 'recovery.signal', '');
    writeLike(saved, 'postgresql.auto.conf', "restore_command = 'false'\n");
  } finally {
    await client.end();
  }
  return {
    async restore() {
      rmSync(cluster, { recursive: true });
      await copy(saved, cluster);
    },
  };
}

/** Files may be removed while they are copied. `cp` reports that, and PostgreSQL expects it. */
async function copyChanging(from: string, to: string): Promise<void> {
  await copy(from, to).catch((error: unknown) => {
    if (!existsSync(to)) throw error;
  });
}

/** Writes a file that belongs to the owner of its folder. */
export function writeLike(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  writeFileSync(path, text);
  const { uid, gid } = statSync(folder);
  chownSync(path, uid, gid);
}
