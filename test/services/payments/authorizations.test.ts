import test, { type ExecutionContext } from 'ava';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { placesOf, readColumns } from '../../kit/stored-texts.ts';
import { expectCase, present } from './harness.ts';
import { CONFIRMATIONS, startOwnPayee } from './own-payee.ts';

const { SETTLEMENT_OUTCOME_SETTLED, SETTLEMENT_OUTCOME_FAILED, SETTLEMENT_OUTCOME_NOT_SENT } = SettlementOutcome;
const stack = await startOwnPayee();
const { chain, database } = stack;
test.after.always(() => stack.stop());

type Executed = Awaited<ReturnType<typeof stack.executed>>;

/** Looks for the signature of a payment in all tables, and whether its authorization is stored. */
async function isStored(t: ExecutionContext, { payment, claimId }: Pick<Executed, 'payment' | 'claimId'>) {
  const { signature } = payment.payload;
  const columns = new Map((await readColumns(database)).map(([place, text]) => [place, text.toLowerCase()]));
  t.deepEqual(placesOf(columns, signature), []);
  t.deepEqual(placesOf(columns, signature.slice(2)), []);
  return (await stack.authorizationOf(claimId)) !== undefined;
}

const settle = async ({ claimId }: Executed) => (await stack.service().settle(claimId)).outcome;

test.serial('an authorization is stored with its claim, and deleted when the claim is released', async (t) => {
  const begun = await stack.begun();
  t.true(await isStored(t, begun));
  await stack.service().release(begun.claimId);
  t.false(await isStored(t, begun));
});

test.serial('an authorization is deleted when the settlement is final', async (t) => {
  const paid = await stack.executed();
  t.is(await settle(paid), SETTLEMENT_OUTCOME_SETTLED);
  t.true(await isStored(t, paid));
  await chain.node.mine({ blocks: CONFIRMATIONS });
  t.true(await stack.untilClaim(paid.claimId, ({ finalized_at }) => finalized_at !== null));
  t.false(await isStored(t, paid));
});

test.serial('an authorization is deleted when the settlement has failed', async (t) => {
  const { wallet, ...failed } = await stack.executed();
  await chain.cancel(wallet, stack.offer, failed.payment.payload.authorization.nonce);
  t.is(await settle({ wallet, ...failed }), SETTLEMENT_OUTCOME_FAILED);
  t.false(await isStored(t, failed));
});

test.serial('a payment whose authorization is lost is settled when it is sent again', async (t) => {
  for (const lose of [
    (id: string) => database.deleteFrom('payment_authorization').where('claim_id', '=', id),
    (id: string) => database.updateTable('payment_authorization').set({ key_id: 'gone' }).where('claim_id', '=', id),
  ]) {
    const paid = await stack.executed();
    await lose(paid.claimId).execute();
    t.is(await settle(paid), SETTLEMENT_OUTCOME_NOT_SENT);
    expectCase(await stack.service().begin(present(paid.payment, { operationTimeoutMs: 1000 })), 'resume');
    t.true(await isStored(t, paid));
    t.is(await settle(paid), SETTLEMENT_OUTCOME_SETTLED);
    t.is(await stack.chargedTo(paid.payment), 3000n);
  }
});
