import { randomBytes } from 'node:crypto';
import test from 'ava';
import { sql, type Transaction } from 'kysely';
import type { Tables } from '../../../../services/store/tables.ts';
import {
  areConsistent,
  type Checkpoint,
  openCheckpoint,
} from '../../../../services/verification/contract/proof/checkpoint.ts';
import { isIncluded } from '../../../../services/verification/contract/proof/merkle-proof.ts';
import { signingKeyFromSeed } from '../../../../services/verification/proof/ed25519.ts';
import { appendToLog, readCheckpoint, readConsistency } from '../../../../services/verification/proof/log-store.ts';
import { createMemoryNodeStore } from '../../../../services/verification/proof/memory-node-store.ts';
import { proveInclusion } from '../../../../services/verification/proof/merkle-tree.ts';
import { startVerificationDatabase } from '../verification-database.ts';

const leaves = Array.from({ length: 5 }, () => randomBytes(32));
const log = { origin: 'tollhouse/test', key: signingKeyFromSeed(Buffer.alloc(32, 7)) };

/** The checkpoints of the log with 1, 2 … leaves. */
const remembered: string[] = [];
const database = await startVerificationDatabase();
for (const leafHash of leaves) {
  await database.service.transaction().execute((transaction) => appendToLog(transaction, leafHash, log));
  remembered.push(await database.service.transaction().execute((transaction) => readCheckpoint(transaction, log)));
}
test.after.always(() => database.stop());

const open = (checkpoint: string) => openCheckpoint(checkpoint, [log]);

/** Whether the stored nodes prove that the log includes the first leaves. */
async function areLeavesIncluded(transaction: Transaction<Tables>, { size, root }: Checkpoint): Promise<boolean> {
  const rows = await transaction.selectFrom('verification.log_node').selectAll().execute();
  const store = createMemoryNodeStore(rows.map((row) => ({ ...row, index: Number(row.index) })));
  const included = leaves.map((leafHash, index) =>
    isIncluded({ index, size, leafHash, root, proof: proveInclusion(store, index, size) }),
  );
  return (await Promise.all(included)).every(Boolean);
}

/** Whether later proofs are right: the log includes each new leaf, and is consistent with the remembered checkpoints. */
async function areProofsRight(transaction: Transaction<Tables>): Promise<boolean> {
  for (let more = 1; more <= leaves.length; more++) {
    const leafHash = randomBytes(32);
    const { index, size, hashes, checkpoint } = await appendToLog(transaction, leafHash, log);
    const head = await open(checkpoint);
    if (!(await isIncluded({ index, size, leafHash, root: head.root, proof: hashes }))) return false;
    if (!(await areLeavesIncluded(transaction, head))) return false;
    for (const before of await Promise.all(remembered.map(open))) {
      const proof = await readConsistency(transaction, before.size, size);
      if (proof === undefined || !(await areConsistent(before, head, proof))) return false;
    }
  }
  return true;
}

class Undo extends Error {}

/** Makes a change to the log, and undoes it. @returns whether later proofs were right with the change */
async function after(change: (transaction: Transaction<Tables>) => Promise<unknown>): Promise<boolean> {
  let isRight = false;
  const undone = database.owner.transaction().execute(async (transaction) => {
    await change(transaction);
    isRight = await areProofsRight(transaction);
    throw new Undo();
  });
  await undone.catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return isRight;
}

test.serial('an unchanged log proves its consistency', async (t) => {
  t.true(await after(async () => {}));
});

test.serial('a change of any byte of any node invalidates later proofs', async (t) => {
  const nodes = await database.owner.selectFrom('verification.log_node').select(['level', 'index']).execute();
  t.is(nodes.length, 8);
  for (const { level, index } of nodes) {
    for (let byte = 0; byte < 32; byte++) {
      const isRight = await after((transaction) =>
        sql`UPDATE verification.log_node SET hash = set_byte(hash, ${byte}, get_byte(hash, ${byte}) # 1)
          WHERE level = ${level} AND index = ${index}`.execute(transaction),
      );
      t.false(isRight, `level ${level}, node ${index}, byte ${byte}`);
    }
  }
});
