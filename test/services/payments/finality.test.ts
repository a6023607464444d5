import test from 'ava';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { until } from '../../helpers/until.ts';
import { AMOUNT, expectCase, present } from './harness.ts';
import { startNodeWithout } from './node-before.ts';
import { REORGANIZED_BLOCKS, startOwnPayee } from './own-payee.ts';

// One test waits until a settlement is out of time.
const stack = await startOwnPayee({ SETTLE_TIMEOUT_MS: '1000' });
test.after.always(() => stack.stop());

test.serial('a settlement is final after enough blocks, and its authorization is deleted then', async (t) => {
  const { claimId, payment, transaction } = await stack.settled();
  t.like(await stack.claimOf(claimId), { state: 'settled', transaction, finalized_at: null, lost_at: null });
  const kept = defined(await stack.authorizationOf(claimId));
  t.false(kept.sealed.includes(payment.payload.signature.slice(2, 20)));
  t.false(kept.sealed.includes(Buffer.from(payment.payload.signature.slice(2), 'hex').subarray(0, 8)));
  await stack.chain.node.mine({ blocks: 3 });
  t.is((await stack.claimOf(claimId)).finalized_at, null);
  await stack.chain.node.mine({ blocks: 1 });
  t.true(await stack.untilClaim(claimId, ({ finalized_at }) => finalized_at !== null));
  t.is(await stack.authorizationOf(claimId), undefined);
  t.is(await stack.chargedTo(payment), BigInt(AMOUNT));
});

test.serial(
  'a settlement that a reorganization removes is sent again, once, also by a service that restarts',
  async (t) => {
    const { claimId, payment, transaction } = await stack.settled();
    await stack.service().stop();
    await stack.chain.reorganize(REORGANIZED_BLOCKS);
    t.is(await stack.chargedTo(payment), 0n, 'the reorganization took the money back');
    await stack.restart();
    await until(async () => (await stack.chargedTo(payment)) > 0n);
    t.true(await stack.untilClaim(claimId, ({ block_number }) => block_number !== null));
    await stack.chain.node.mine({ blocks: 8 });
    t.true(await stack.untilClaim(claimId, ({ finalized_at }) => finalized_at !== null));
    t.is(await stack.chargedTo(payment), BigInt(AMOUNT));
    t.not((await stack.claimOf(claimId)).transaction, transaction);
    t.is(await stack.authorizationOf(claimId), undefined);
    const replay = expectCase(await stack.service().begin(present(payment, { operationTimeoutMs: 1000 })), 'replay');
    t.is(replay.claimId, claimId, 'the operation is not executed again');
  },
);

test.serial('a settlement that returns by itself after a reorganization is not sent again', async (t) => {
  const { claimId, payment } = await stack.settled();
  await stack.service().stop();
  await stack.chain.reorganize(REORGANIZED_BLOCKS);
  const transaction = await stack.chain.submit(payment);
  await stack.restart();
  await stack.chain.node.mine({ blocks: 8 });
  t.true(await stack.untilClaim(claimId, ({ finalized_at }) => finalized_at !== null));
  t.like(await stack.claimOf(claimId), { transaction });
  t.is(await stack.chargedTo(payment), BigInt(AMOUNT));
});

test.serial('a settlement stays located while a node with later blocks does not have its block', async (t) => {
  const { claimId } = await stack.settled();
  const { block_number, block_hash } = await stack.claimOf(claimId);
  if (block_number === null) throw new Error('the settlement is not located');
  const node = await startNodeWithout(stack.sandbox.rpcUrl, block_number);
  t.teardown(node.stop);
  await stack.restart({ X402_RPC_URL: node.url });
  const isLocated = async () => (await stack.claimOf(claimId)).block_number !== null;
  // The second question shows that the first answer was worked through.
  await until(async () => node.asked() >= 2 || !(await isLocated()));
  const found = await stack.claimOf(claimId);
  await stack.restart();
  t.like(found, { block_number, block_hash });
  await stack.finalize(claimId);
});

test.serial('a settlement that is removed after its authorization expired is lost', async (t) => {
  const validBefore = `${Math.floor(Date.now() / 1000) + 120}`;
  const { claimId, payment } = await stack.settled({ validBefore });
  await stack.service().stop();
  await stack.chain.reorganize(REORGANIZED_BLOCKS);
  await stack.chain.passTime(Number(validBefore));
  await stack.restart();
  await stack.chain.node.mine({ blocks: 6 });
  t.is((await stack.claimOf(claimId)).lost_at, null, 'another reorganization could bring it back');
  await stack.chain.node.mine({ blocks: 2 });
  t.true(await stack.untilClaim(claimId, ({ lost_at }) => lost_at !== null));
  t.like(await stack.claimOf(claimId), {
    state: 'settled',
    finalized_at: null,
    lost_reason: 'invalid_exact_evm_payload_authorization_valid_before',
  });
  t.is(await stack.chargedTo(payment), 0n);
  await until(async () => (await stack.authorizationOf(claimId)) === undefined);
});

test.serial('a stuck settlement without a caller is replaced, and recorded when it is mined', async (t) => {
  const { payment, claimId } = await stack.executed({ validBefore: `${Math.floor(Date.now() / 1000) + 3000}` });
  const { node } = stack.chain;
  await node.setAutomine(false);
  t.teardown(() => node.setAutomine(true));
  const { outcome } = await stack.service().settle(claimId, JSON.stringify(payment));
  t.is(outcome, SettlementOutcome.SETTLEMENT_OUTCOME_PENDING);
  const { transaction } = await stack.claimOf(claimId);
  t.true(await stack.untilClaim(claimId, (claim) => claim.transaction !== transaction), 'it is replaced');
  await node.mine({ blocks: 1 });
  t.true(await stack.untilClaim(claimId, (claim) => claim.state === 'settled'));
  t.is(await stack.chargedTo(payment), BigInt(AMOUNT));
});
