import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import test from 'ava';
import { sql } from 'kysely';
import { startPostgres } from '../../../../scripts/launch/servers/postgres.ts';
import type { RunningServer } from '../../../../scripts/launch/servers/server.ts';
import { continueLog } from '../../../../services/store/continue-log.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { readLogEpoch } from '../../../../services/store/log-epoch.ts';
import { listActs } from '../../../../services/store/operator-acts.ts';
import { areConsistent, openCheckpoint } from '../../../../services/verification/contract/proof/checkpoint.ts';
import { readKeyFile } from '../../../../services/verification/contract/proof/key-file.ts';
import { isIncluded } from '../../../../services/verification/contract/proof/merkle-proof.ts';
import { getLogCheckpoint, getLogKeys } from '../../../../services/verification/operations/public-log.ts';
import { signingKeyFromSeed } from '../../../../services/verification/proof/ed25519.ts';
import { appendToLog, readConsistency } from '../../../../services/verification/proof/log-store.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { backUpPostgres } from '../../../kit/base-backup.ts';
import { until } from '../../../kit/until.ts';
import { startVerificationDatabase } from '../verification-database.ts';

const log = { origin: 'tollhouse/test', key: signingKeyFromSeed(Buffer.alloc(32, 7)) };
const issuer = signingKeyFromSeed(Buffer.alloc(32, 8));
const BY = { operator: 'ops', reason: 'a drill', isComplete: false, isForced: false };
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
const readHead = () => getLogCheckpoint({ database: database.service, log });
const readKeys = async () => readKeyFile(Buffer.from(await getLogKeys({ database: database.service, issuer, log })));
const consistency = (first: number, second: number) =>
  database.service.transaction().execute((transaction) => readConsistency(transaction, first, second));

/** The pools may still have connections to the server that was killed. */
async function untilConnected(): Promise<void> {
  for (const pool of [database.owner, database.service]) {
    await until(() => readLogEpoch(pool).then(Boolean));
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

  const { logSuffix, logSize } = defined(await continueLog(database.owner, BY));
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
  t.like(act, { operator: 'ops', action: 'proofs.accept', reason: 'a drill' });
});

/** Makes the database look like another one. */
const move = () => sql`UPDATE ledger.epoch SET identity = 'another server'`.execute(database.owner);
const readEpochs = async () =>
  (await sql<{ number: number }>`SELECT number FROM ledger.epoch ORDER BY number`.execute(database.owner)).rows.map(
    ({ number }) => number,
  );

test.serial('a log whose database was moved without a loss keeps its name', async (t) => {
  const { current } = await readLogEpoch(database.owner);
  const before = await append();
  await move();
  await t.throwsAsync(append(), CLOSED);
  const continued = await continueLog(database.owner, { ...BY, isComplete: true });
  t.like(continued, { identity: current, logSuffix: undefined });
  t.is((await append()).origin, before.origin);
});

test.serial('the log stays closed when the ledger goes on in another database', async (t) => {
  await move();
  await sql`SELECT ${sql.ref(LEDGER_FUNCTIONS)}.begin_epoch(false)`.execute(database.owner);
  const epochs = await readEpochs();
  await t.throwsAsync(append(), CLOSED);
  t.is(defined(await continueLog(database.owner, BY)).epoch, defined(epochs.at(-1)));
  t.deepEqual(await readEpochs(), epochs, 'the log goes on in the epoch of the ledger');
  await t.notThrowsAsync(append());
});

test.serial('an open log goes on under another name, in a new epoch, only if that is forced', async (t) => {
  const before = await append();
  const epochs = await readEpochs();
  t.is(await continueLog(database.owner, BY), undefined);
  t.is((await append()).origin, before.origin);
  const { epoch, logSuffix } = defined(await continueLog(database.owner, { ...BY, isForced: true }));
  t.deepEqual(await readEpochs(), [...epochs, epoch]);
  t.is((await append()).origin, `tollhouse/test/${logSuffix}`);
});

test.serial('a database that was dumped and created again is another one', async (t) => {
  const { owner } = database;
  const before = await readLogEpoch(owner);
  t.is(before.recorded, before.current);
  // What pg_restore does with the table.
  await sql`ALTER TABLE ledger.epoch RENAME TO old_epoch`.execute(owner);
  await sql`CREATE TABLE ledger.epoch AS TABLE ledger.old_epoch`.execute(owner);
  const { recorded, current } = await readLogEpoch(owner);
  t.is(recorded, before.recorded);
  t.not(current, before.current);
});
