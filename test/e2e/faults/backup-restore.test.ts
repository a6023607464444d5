import { join } from 'node:path';
import test from 'ava';
import { backUpPostgres } from '../../kit/base-backup.ts';
import { assertExact, assertNoticed, startClaimingStack, startLoads } from './lost-commits.ts';

const stack = await startClaimingStack();
test.after.always(() => stack.stop());

test.serial('PostgreSQL is restored from a backup: what it has is exact, and everything goes on', async (t) => {
  const load = startLoads(t, stack);
  await load.more();
  const surelyCharged = load.confirmed();
  const to = join(stack.dataDir, 'backup');
  const backup = await backUpPostgres({ dataDir: join(stack.dataDir, 'postgres'), url: stack.databaseUrl }, to);
  await load.more();
  await stack.kill('postgres');
  await load.stop();
  const sinceMs = performance.now();
  await backup.restore();
  await stack.start('postgres');
  await assertNoticed(t, stack, sinceMs);
  await assertExact(t, stack, load, surelyCharged);
});
