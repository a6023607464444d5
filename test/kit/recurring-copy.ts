import { createLockSessions, type LockSession, openLockSession } from '../../services/store/recurring/lock-session.ts';
import { startRecurringJobs } from '../../services/store/recurring/recurring-jobs.ts';
import { adminUrlOf, connected } from './owned-database.ts';
import { until } from './until.ts';

/** Starts recurring jobs as a copy of a service does, with a session of its own. */
export function startRecurringCopy(url: string, options: Omit<Parameters<typeof startRecurringJobs>[0], 'sessions'>) {
  const sessions = createLockSessions(url);
  const jobs = startRecurringJobs({ ...options, sessions });
  return {
    async close() {
      await jobs.close();
      await sessions.close();
    },
  };
}

/** Ends the session that holds the lock of a group of recurring jobs. */
export const endRecurring = (url: string, group: string) =>
  connected(adminUrlOf(url), (admin) =>
    admin.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_locks
        WHERE locktype = 'advisory' AND objid = (hashtext($1)::bigint & 4294967295)::oid`,
      [group],
    ),
  );

/** Takes the jobs of a group from a service, as another copy that runs them, until the session ends. */
export async function takeRecurring(url: string, group: string): Promise<LockSession> {
  const session = await openLockSession(url);
  await until(async () => {
    if (await session.tryLock(group)) return true;
    await endRecurring(url, group);
    return false;
  });
  return session;
}
