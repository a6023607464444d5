import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import test from 'ava';
import { sql } from 'kysely';
import { startPostgres } from '../../../../scripts/launch/servers/postgres.ts';
import type { RunningServer } from '../../../../scripts/launch/servers/server.ts';
import { acceptDatabase } from '../../../../services/store/accept-database.ts';
import { readDatabaseIdentity } from '../../../../services/store/database-identity.ts';
import { listActs } from '../../../../services/store/operator-acts.ts';
import { areConsistent, openCheckpoint } from '../../../../services/verification/contract/proof/checkpoint.ts';
import { readKeyFile } from '../../../../services/verification/contract/proof/key-file.ts';
import { isIncluded } from '../../../../services/verification/contract/proof/merkle-proof.ts';
import { appendToLog, readConsistency } from '../../../../services/verification/log/log-store.ts';
import { getLogCheckpoint, getLogKeys } from '../../../../services/verification/log/public-log.ts';
import { signingKeyFromSeed } from '../../../../services/verification/proof/ed25519.ts';
import { backUpPostgres } from '../../../helpers/base-backup.ts';
import { until } from '../../../helpers/until.ts';
import { startVerificationDatabase } from '../verification-database.ts';

const log = { origin: 'tollhouse/test', key: signingKeyFromSeed(Buffer.alloc(32, 7)) };
const issuer = signingKeyFromSeed(Buffer.alloc(32, 8));
const BY = { operator: 'ops', reason: 'a drill' };
const CLOSED = { code: 'RECORDS_UNAVAILABLE', message: /the log is closed/ };

/** The server on the restored data. */
let restored: RunningServer | undefined;
const database = await startVerificationDatabase();
test.after.always(async () => {
  await restored?.stop();
  await database.stop();
});

const append = (leafHash = randomBytes(32)) =>
  database.service.transaction().execute((transaction) => appendToLog(transaction, leafHash, log));
const readHead = () => getLogCheckpoint({ database: database.service, issuer, log });
const readKeys = async () => readKeyFile((await getLogKeys({ database: database.service, issuer, log })).file);
const consistency = (first: number, second: number) =>
  database.service.transaction().execute((transaction) => readConsistency(transaction, first, second));

/** The pools may still have connections to the server that was killed. */
async function untilConnected(): Promise<void> {
  for (const pool of [database.owner, database.service]) {
    await until(() => readDatabaseIdentity(pool).then(Boolean));
  }
}

test.serial('a log whose database lost leaves signs nothing until it continues under another name', async (t) => {
  const { server } = database;
  const dataDir = server.folder.place('postgres').dataDir;
  const kept = await append();
  const backup = await backUpPostgres({ dataDir, url: server.url }, join(server.folder.path, 'backup'));
  const lostLeaf = randomBytes(32);
  const lost = await append(lostLeaf);
  await server.kill();
  await backup.restore();
  restored = await startPostgres(server.folder.place('postgres'));
  await untilConnected();
  await t.throwsAsync(append(), CLOSED);
  await t.throwsAsync(readHead(), CLOSED);
  await t.throwsAsync(consistency(1, 1), CLOSED);

  const { logSuffix, logSize } = await acceptDatabase(database.owner, { ...BY, isComplete: false });
  t.is(logSize, 1n);
  const next = await append();
  t.deepEqual([next.origin, next.index], [`tollhouse/test/${logSuffix}`, lost.index]);
  const { logKeys } = await readKeys();
  const open = (checkpoint: string) => openCheckpoint(checkpoint, logKeys);
  // The lost proof is still valid, under the first name, and is not confused with the new leaf of the same index.
  const [lostHead, nextHead] = await Promise.all([open(lost.checkpoint), open(next.checkpoint)]);
  t.true(await isIncluded({ index: lost.index, size: 2, leafHash: lostLeaf, root: lostHead.root, proof: lost.hashes }));
  t.not(lostHead.origin, nextHead.origin);
  t.false(await areConsistent(lostHead, nextHead, []));
  // What was not lost is the beginning of both.
  const keptHead = await open(kept.checkpoint);
  t.true(await areConsistent({ ...keptHead, origin: nextHead.origin }, nextHead, (await consistency(1, 2)) ?? []));
  const [act] = await listActs(database.owner, { limit: 1 });
  t.like(act, { operator: 'ops', action: 'database.accept', reason: 'a drill' });
});

test.serial('a log whose database was moved without a loss keeps its name', async (t) => {
  const { current } = await readDatabaseIdentity(database.owner);
  const before = await append();
  await database.owner.updateTable('database_identity').set({ identity: 'another server' }).execute();
  await t.throwsAsync(append(), CLOSED);
  const accepted = await acceptDatabase(database.owner, { ...BY, isComplete: true });
  t.is(accepted.identity, current);
  t.is((await append()).origin, before.origin);
});

test.serial('a database that was dumped and created again is another one', async (t) => {
  const { owner } = database;
  const before = await readDatabaseIdentity(owner);
  t.is(before.recorded, before.current);
  // What pg_restore does with the table.
  await sql`ALTER TABLE database_identity RENAME TO old_identity`.execute(owner);
  await sql`CREATE TABLE database_identity AS TABLE old_identity`.execute(owner);
  const { recorded, current } = await readDatabaseIdentity(owner);
  t.is(recorded, before.recorded);
  t.not(current, before.current);
});
