import test, { type ExecutionContext } from 'ava';
import type { PluginTransformQueryArgs, RootOperationNode } from 'kysely';
import { createTransactionRecords } from '../../../services/payments/channels/transaction-records.ts';
import type { ClaimDetails } from '../../../services/payments/claims/claims.ts';
import { createUnfinalClaims } from '../../../services/payments/finality/unfinal-claims.ts';
import { createFollower, type Followed } from '../../../services/payments/follower.ts';
import type { Context } from '../../../services/payments/payment/context.ts';
import { contextOf } from '../../kit/context-of.ts';
import { keepLog } from '../../kit/keep-log.ts';
import { createLedgerDatabase } from '../ledger/store/store-fixture.ts';
import { ASSET, openClaims, SETTLED, SIGNED, START_MS } from './claims/claims-fixture.ts';
import { hex32 } from './settlement/claim-fixture.ts';
import { storeTransaction } from './stored-transaction.ts';

const stored = await createLedgerDatabase();
test.after.always(() => stored.stop());
const terms = { asset: ASSET };

/** What the follower of a new network does at each run, and how many statements it makes. */
async function open(t: ExecutionContext, { fails }: { readonly fails?: Followed } = {}) {
  const world = await openClaims(t, stored);
  const { network } = world.ledger;
  let statements = 0;
  const database = stored.database.withPlugin({
    transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const { logger, text } = keepLog();
  const done: Followed[] = [];
  const workOn = (kind: Followed) => async () => {
    done.push(kind);
    if (kind === fails) throw new Error('no answer');
  };
  const kinds = ['due', 'claims', 'channels', 'signed'] as const;
  const work = Object.fromEntries(kinds.map((kind) => [kind, workOn(kind)]));
  const follow = createFollower(contextOf<Context>({ database, network, terms, logger }), work);
  return {
    ...{ ...world, network, text },
    /** Lets the time come to ask about a payment. */
    pass: ({ claimId }: ClaimDetails) =>
      world.ledger.query("UPDATE ledger.payment_claim SET due_at = '-infinity' WHERE claim_id = $1", [claimId]),
    async run() {
      done.length = 0;
      statements = 0;
      await follow(new AbortController().signal);
      return { done: done.toSorted(), statements };
    },
  };
}

test('while nothing waits, a run is one statement', async (t) => {
  const { run, opened } = await open(t);
  t.deepEqual(await run(), { done: [], statements: 1 });
  await opened();
  t.deepEqual(await run(), { done: [], statements: 1 }, 'an execution waits for no chain');
});

test('a payment is followed when it is due, from when it is sent, and until it is final', async (t) => {
  const { run, begun, pass, claims, network } = await open(t);
  const { claim, attemptId } = await begun();
  t.deepEqual((await run()).done, []);
  await claims.noteTransaction(claim, attemptId, hex32('1'), SIGNED);
  t.deepEqual((await run()).done, ['claims', 'signed']);
  await pass(claim);
  t.deepEqual((await run()).done, ['claims', 'due', 'signed']);
  await claims.finish(claim, attemptId, SETTLED);
  t.deepEqual((await run()).done, ['claims', 'signed']);
  const unfinal = createUnfinalClaims(contextOf<Context>({ database: stored.database, network, terms }));
  const block = { number: 8n, hash: hex32('8') };
  await unfinal.locate(claim.claimId, { transaction: hex32('1'), block });
  t.deepEqual((await run()).done, ['claims', 'signed']);
  await unfinal.finalize(block);
  t.deepEqual((await run()).done, ['signed']);
});

test('authorizations are followed when they have ended, until they are deleted', async (t) => {
  const { run, opened, network } = await open(t);
  await opened();
  t.deepEqual((await run()).done, []);
  const ended = { valid_before_s: 1n };
  await stored.database.updateTable('payment_authorization').set(ended).where('network', '=', network).execute();
  t.deepEqual((await run()).done, ['claims']);
  await stored.database.deleteFrom('payment_authorization').where('network', '=', network).execute();
  t.deepEqual((await run()).done, []);
});

test('transactions are followed until they have an ending, and until their costs are known', async (t) => {
  const { run, network } = await open(t);
  const records = createTransactionRecords(stored.database, network);
  await records.insert({ id: 'claim:1', kind: 'claim', request: '[]', fromBlock: 1n });
  t.deepEqual((await run()).done, ['channels']);
  await records.end('claim:1', { state: 'refused', reason: 'x' });
  t.deepEqual((await run()).done, []);
  const signed = { hash: hex32('1'), signer: ASSET, nonce: 0 };
  await storeTransaction(stored.database, network, signed);
  t.deepEqual((await run()).done, ['signed']);
  const known = { known_at: new Date(START_MS) };
  await stored.database.updateTable('signer_transaction').set(known).where('network', '=', network).execute();
  t.deepEqual((await run()).done, []);
});

test('what cannot be followed is logged, and stops nothing else', async (t) => {
  const { run, begun, pass, claims, text } = await open(t, { fails: 'claims' });
  const { claim, attemptId } = await begun();
  await claims.noteTransaction(claim, attemptId, hex32('1'), SIGNED);
  await pass(claim);
  t.deepEqual((await run()).done, ['claims', 'due', 'signed']);
  t.regex(text(), /"kind":"claims".*what waits for the chain could not be followed/);
});
