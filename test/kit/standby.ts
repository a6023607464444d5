import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../scripts/launch/servers/postgres.ts';
import { ROLE } from '../../scripts/launch/servers/postgres-data.ts';
import { backUpPostgres, type Place, writeLike } from './base-backup.ts';
import { adminUrlOf, connected, setServer } from './owned-database.ts';
import { createTestFolder } from './test-folder.ts';
import { until } from './until.ts';

/** An asynchronous standby, whose server runs. */
export interface Standby {
  /** Resolves when it has every commit that the primary has confirmed until now. */
  caughtUp(): Promise<void>;
  /** Nothing that the primary commits from now on reaches it. */
  cutOff(): Promise<void>;
  /** Makes it a primary on a new timeline, which has the address of the killed one. */
  takeOver(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a standby in a folder of its own, which streams from a running server. */
export async function startStandby(primary: Place): Promise<Standby> {
  const folder = createTestFolder();
  const place = folder.place('standby');
  await backUpPostgres(primary, place.dataDir);
  const cluster = join(place.dataDir, 'cluster');
  rmSync(join(cluster, 'recovery.signal'));
  writeLike(cluster, 'standby.signal', '');
  const from = `host=${socketDirOf(primary.url)} user=${ROLE}`;
  writeLike(cluster, 'postgresql.auto.conf', `primary_conninfo = ${pg.escapeLiteral(from)}\n`);
  const server = await startPostgres(place);
  const [primaryUrl, standbyUrl] = [adminUrlOf(primary.url), adminUrlOf(server.url)];
  return {
    async caughtUp() {
      const flushed = await connected(primaryUrl, async (admin) => {
        const { rows } = await admin.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn() AS lsn');
        return rows[0]?.lsn;
      });
      const has = 'SELECT FROM pg_last_wal_replay_lsn() AS lsn WHERE lsn >= $1';
      await connected(standbyUrl, (admin) => until(async () => (await admin.query(has, [flushed])).rows.length === 1));
    },
    cutOff: () =>
      connected(standbyUrl, async (admin) => {
        await setServer(admin, 'primary_conninfo', '');
        await until(async () => (await admin.query('SELECT FROM pg_stat_wal_receiver')).rows.length === 0);
      }),
    async takeOver() {
      await connected(standbyUrl, (admin) => admin.query('SELECT pg_promote()'));
      const socket = '.s.PGSQL.5432';
      const taken = join(socketDirOf(primary.url), socket);
      rmSync(taken, { force: true });
      symlinkSync(join(socketDirOf(server.url), socket), taken);
    },
    async stop() {
      await server.stop();
      folder.remove();
    },
  };
}

/** The folder of a server's socket. @throws {Error} if the server has another address */
function socketDirOf(url: string): string {
  const folder = new URL(url).searchParams.get('host');
  if (folder === null) throw new Error(`no socket in ${url}`);
  return folder;
}
