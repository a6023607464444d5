import test, { type ExecutionContext } from 'ava';
import { NIL } from 'uuid';
import { createUnfinalClaims } from '../../../../services/payments/finality/unfinal-claims.ts';
import { toLowerHex } from '../../../../services/payments/payment/hex.ts';
import { createWallet } from '../../../kit/chain.ts';
import { createLedgerDatabase } from '../../ledger/store/store-fixture.ts';
import { ASSET, attempt, leased, newDetails, openClaims, SETTLED, SIGNED } from '../claims/claims-fixture.ts';
import { hex32 } from '../settlement/claim-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

/** Claims of a new network, and how to settle one. */
async function open(t: ExecutionContext) {
  const { ledger, claims, start } = await openClaims(t, database);
  const unfinal = createUnfinalClaims({ database: database.database, network: ledger.network, asset: ASSET });
  const settle = async () => {
    const claim = newDetails(createWallet().address);
    await claims.open(claim, leased());
    const { attemptId, leaseMs } = attempt();
    await start(claim, { attemptId, leaseMs });
    await claims.finish(claim, attemptId, SETTLED);
    return claim;
  };
  return { claims, unfinal, start, settle };
}

test('a settled claim is unlocated, and says whether its transaction was missing before', async (t) => {
  const { unfinal, settle } = await open(t);
  const { claimId, payer, nonce, payTo, amount, validBeforeS, fromBlock } = await settle();
  const addresses = { payer: toLowerHex(payer), payTo: toLowerHex(payTo) };
  const expected = { claimId, ...addresses, nonce, amount, validBeforeS, fromBlock, transaction: undefined };
  t.deepEqual(await unfinal.unlocated(NIL, 10), [{ ...expected, wasMissing: false }]);
  await unfinal.noteMissing(claimId);
  t.deepEqual(await unfinal.unlocated(NIL, 10), [{ ...expected, wasMissing: true }]);
  await unfinal.noteTransaction(claimId, hex32('A'), SIGNED);
  t.deepEqual(await unfinal.unlocated(NIL, 10), [{ ...expected, transaction: hex32('a'), wasMissing: true }]);
});

test('unlocated claims are read in the order of their ids, a page at a time', async (t) => {
  const { unfinal, settle } = await open(t);
  const ids = [await settle(), await settle(), await settle()].map(({ claimId }) => claimId).toSorted();
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
  t.like(await unfinal.unlocated(NIL, 10), [{ claimId: one.claimId, transaction: hex32('1'), wasMissing: false }]);
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

test('a claim whose transaction was noted is sent until it has an outcome', async (t) => {
  const { claims, unfinal, start } = await open(t);
  const claim = newDetails(createWallet().address);
  await claims.open(claim, leased());
  const { attemptId, leaseMs } = attempt();
  await start(claim, { attemptId, leaseMs });
  t.deepEqual(await unfinal.sent(NIL, 10), []);
  await claims.noteTransaction(claim, attemptId, hex32('1'), SIGNED);
  t.deepEqual(await unfinal.sent(NIL, 10), [claim.claimId]);
  t.deepEqual(await unfinal.sent(claim.claimId, 10), []);
  await claims.finish(claim, attemptId, SETTLED);
  t.deepEqual(await unfinal.sent(NIL, 10), []);
});
