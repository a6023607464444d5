import test from 'ava';
import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { createPaymentsOperatorClient } from '../../../services/payments/contract/operator-client.ts';
import { HANG_MS, until } from '../../kit/until.ts';
import { AMOUNT, expectCase, present } from './harness.ts';
import { CONFIRMATIONS, PAYEE, REORGANIZED_BLOCKS, startOwnPayee } from './own-payee.ts';

/** Anvil's fourth development account. */
const OTHER_KEY: Hex = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';
const OTHER = { X402_SIGNER_KEY: OTHER_KEY, X402_PAY_TO: privateKeyToAddress(OTHER_KEY) };
const { SETTLEMENT_OUTCOME_SETTLED, SETTLEMENT_OUTCOME_PENDING } = SettlementOutcome;
const PRICE = BigInt(AMOUNT);

const stack = await startOwnPayee({ SETTLE_TIMEOUT_MS: '1000' });
test.after.always(() => stack.stop());

const { node, balanceOf } = stack.chain;
const CALL = { timeoutMs: HANG_MS };

test.serial(
  'after a change of the payee, a payment that was mined is settled and answered, and one that was executed pays the earlier payee',
  async (t) => {
    const { claimId, payment } = await stack.executed();
    const executed = await stack.executed();
    await node.setAutomine(false);
    t.teardown(() => node.setAutomine(true));
    const { outcome } = await stack.service().settle(claimId, JSON.stringify(payment));
    t.is(outcome, SETTLEMENT_OUTCOME_PENDING);
    await stack.service().stop();
    await node.mine({ blocks: CONFIRMATIONS + 1 });
    await node.setAutomine(true);
    const before = await balanceOf(PAYEE);
    await stack.restart(OTHER);
    t.true(await stack.untilClaim(claimId, ({ state }) => state !== 'settling'));
    expectCase(await stack.service().begin(present(payment)), 'replay');
    const settle = () => stack.service().settle(executed.claimId, JSON.stringify(executed.payment));
    // On a busy machine, a settlement may be pending when its time is over.
    await until(async () => (await settle()).outcome === SETTLEMENT_OUTCOME_SETTLED);
    t.is((await balanceOf(PAYEE)) - before, PRICE);
  },
);

test.serial(
  'after a change of the payee, a settlement that a reorganization removed is sent again, and the earlier payee refunds itself',
  async (t) => {
    await stack.restart();
    const final = await stack.settled();
    await stack.finalize(final.claimId);
    const { claimId, payment } = await stack.settled();
    await stack.service().stop();
    await stack.chain.reorganize(REORGANIZED_BLOCKS);
    t.is(await stack.chargedTo(payment), 0n);
    await stack.restart(OTHER);
    await until(async () => (await stack.chargedTo(payment)) > 0n);
    t.true(await stack.untilClaim(claimId, ({ block_number }) => block_number !== null));
    await stack.finalize(claimId);
    t.is(await stack.chargedTo(payment), PRICE);

    const operator = createPaymentsOperatorClient(stack.service().target);
    t.teardown(() => operator.close());
    const act = { operator: 'alice', reason: 'ticket 17' };
    const { outcome } = await operator.refund({ claimId: final.claimId, act, transaction: undefined }, CALL);
    t.like(outcome, { $case: 'needed', value: { from: PAYEE, amount: AMOUNT } });
    const { differs, reports } = await operator.reconcile(CALL);
    t.false(differs, reports.join('\n'));
    const found: readonly unknown[] = reports.map((report) => JSON.parse(report));
    t.is(found.length, 2);
    t.like(found[0], { payee: PAYEE });
    t.like(found[1], { payee: OTHER.X402_PAY_TO, received: { count: 0 } });
  },
);
