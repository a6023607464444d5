import test, { type ExecutionContext } from 'ava';
import { NIL } from 'uuid';
import { createUnfinalClaims } from '../../../../services/payments/finality/unfinal-claims.ts';
import type { Context } from '../../../../services/payments/payment/context.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { createLedgerDatabase } from '../../ledger/store/store-fixture.ts';
import { ASSET, FAILED, openClaims, SETTLED, SIGNED } from '../claims/claims-fixture.ts';
import { hex32 } from '../settlement/claim-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** Claims of a new network, and how to send and settle one. */
async function open(t: ExecutionContext) {
  const { ledger, claims, begun, settled } = await openClaims(t, database);
  const unfinal = createUnfinalClaims(
    contextOf<Context>({ database: database.database, network: ledger.network, terms: { asset: ASSET } }),
  );
  const send = async () => {
    const { claim, attemptId } = await begun();
    t.false((await unfinal.unlocated(NIL, 100)).some(({ claimId }) => claimId === claim.claimId));
    await claims.noteTransaction(claim, attemptId, hex32('1'), SIGNED);
    return { claim, attemptId };
  };
  return { claims, unfinal, send, settle: settled };
}

test('a settled claim is unlocated, and says whether its transaction was missing before', async (t) => {
  const { claims, unfinal, settle } = await open(t);
  const { claimId } = await settle();
  t.deepEqual(await unfinal.unlocated(NIL, 10), [{ claimId, wasMissing: false }]);
  await unfinal.noteMissing(claimId);
  await unfinal.noteTransaction(claimId, hex32('A'), SIGNED);
  t.deepEqual(await unfinal.unlocated(NIL, 10), [{ claimId, wasMissing: true }]);
  t.is((await claims.findById(claimId))?.transaction, hex32('a'));
});

test('unlocated claims are read in the order of their ids, a page at a time', async (t) => {
  const { unfinal, settle, send } = await open(t);
  const ids = [await settle(), (await send()).claim, await settle()].map(({ claimId }) => claimId).toSorted();
  const page = async (after: string, limit: number) =>
    (await unfinal.unlocated(after, limit)).map(({ claimId }) => claimId);
  t.deepEqual(await page(NIL, 2), ids.slice(0, 2));
  t.deepEqual(await page(ids[1] ?? '', 2), ids.slice(2));
  t.deepEqual(await page(ids[2] ?? '', 2), []);
});

test('a claim whose block is forgotten is unlocated again, and its transaction counts as missing for the first time', async (t) => {
  const { unfinal, settle } = await open(t);
  const [one, other] = [await settle(), await settle()];
  const [block, later] = [
    { number: 8n, hash: hex32('8') },
    { number: 9n, hash: hex32('9') },
  ];
  await unfinal.noteMissing(one.claimId);
  await unfinal.locate(one.claimId, { transaction: hex32('1'), block });
  await unfinal.locate(other.claimId, { transaction: hex32('2'), block: later });
  t.deepEqual(await unfinal.blocks(), [block, later]);
  t.deepEqual(await unfinal.unlocated(NIL, 10), []);
  t.deepEqual(await unfinal.forget({ ...block, hash: later.hash }), [], 'another block of that number');
  t.deepEqual(await unfinal.forget(block), [one.claimId]);
  t.deepEqual(await unfinal.unlocated(NIL, 10), [{ claimId: one.claimId, wasMissing: false }]);
  t.deepEqual(await unfinal.blocks(), [later]);
});

test('a claim that is final or lost is not looked at again', async (t) => {
  const { claims, unfinal, settle } = await open(t);
  const [kept, lost] = [await settle(), await settle()];
  const block = { number: 8n, hash: hex32('8') };
  await unfinal.locate(kept.claimId, { transaction: hex32('1'), block });
  await unfinal.finalize(block);
  await unfinal.lose(lost.claimId, 'the authorization expired');
  t.deepEqual([await unfinal.blocks(), await unfinal.unlocated(NIL, 10)], [[], []]);
  t.deepEqual(await unfinal.forget(block), []);
  await unfinal.noteTransaction(kept.claimId, hex32('3'), SIGNED);
  t.is((await claims.findById(kept.claimId))?.transaction, hex32('1'));
});

test('a claim whose transaction was noted is unlocated until it has failed or has a block', async (t) => {
  const { claims, unfinal, send } = await open(t);
  const [one, two] = [await send(), await send()];
  const ids = async () => (await unfinal.unlocated(NIL, 10)).map(({ claimId }) => claimId);
  t.deepEqual((await ids()).toSorted(), [one, two].map(({ claim }) => claim.claimId).toSorted());
  await claims.finish(one.claim, one.attemptId, { ...FAILED, final: true });
  t.deepEqual(await ids(), [two.claim.claimId]);
  await claims.finish(two.claim, two.attemptId, SETTLED);
  t.deepEqual(await ids(), [two.claim.claimId]);
  await unfinal.locate(two.claim.claimId, { transaction: hex32('1'), block: { number: 8n, hash: hex32('8') } });
  t.deepEqual(await ids(), []);
});
