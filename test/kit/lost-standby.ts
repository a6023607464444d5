import type pg from 'pg';
import { adminUrlOf, connected, setServer } from './owned-database.ts';
import { until } from './until.ts';

const STANDBYS = 'synchronous_standby_names';

/** Makes each commit of a server wait for a standby that is away. Resolves when commits do wait. */
export async function loseStandby(url: string): Promise<void> {
  const adminUrl = adminUrlOf(url);
  await connected(adminUrl, async (admin) => {
    await setServer(admin, STANDBYS, 'away');
    await connected(adminUrl, (other) => until(() => doesWait(admin, other)));
  });
}

export const findStandby = (url: string): Promise<void> =>
  connected(adminUrlOf(url), (admin) => setServer(admin, STANDBYS, ''));

/** The server takes a new setting some time after `pg_reload_conf`, and no session can see when. */
async function doesWait(admin: pg.Client, other: pg.Client): Promise<boolean> {
  const { pid } = (await other.query('SELECT pg_backend_pid() AS pid')).rows[0];
  let isDone = false;
  const commit = other.query("SELECT pg_logical_emit_message(true, '', '')").then(() => {
    isDone = true;
  });
  const waiting = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid = $1";
  await until(async () => isDone || (await admin.query(waiting, [pid])).rows.length > 0);
  if (isDone) return false;
  await admin.query('SELECT pg_cancel_backend($1)', [pid]);
  await commit;
  return true;
}
