import test from 'ava';
import { getAddress } from 'viem';
import { SettlementOutcome } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { connectChain, createWallet, signPayment } from '../../../kit/chain.ts';
import { AMOUNT, expectCase, offerOf, present, startPayments } from '../harness.ts';
import { startSandbox } from '../test-sandbox.ts';

const sandbox = await startSandbox();
const env = { ...sandbox.env, SETTLE_TIMEOUT_MS: '3000', CLAIM_LEASE_MARGIN_MS: '1000' };
const healthy = await startPayments({ env });
const chain = connectChain(sandbox.rpcUrl, getAddress((await healthy.terms()).asset));
test.after.always(async () => {
  await healthy.kill();
  await sandbox.stop();
});

/** Kills a process at `step` while it serves a payment. Returns what a healthy copy does with that payment. */
async function crashAt(step: string) {
  const wallet = createWallet();
  await healthy.fund(wallet.address);
  const payment = await signPayment(wallet, offerOf(await healthy.terms()));
  const doomed = await startPayments({ env, killAt: step });
  const request = present(payment, { operationTimeoutMs: 1000 });
  const executed: string[] = [];
  const serve = async () => {
    const { claimId } = expectCase(await doomed.begin(request), 'execute');
    executed.push(claimId);
    await doomed.settle(claimId);
  };
  const died = await serve().then(
    () => false,
    () => true,
  );
  await doomed.exited;
  await doomed.kill();
  return {
    died,
    executed,
    begin: () => healthy.begin(request),
    settle: (claimId: string) => healthy.settle(claimId),
    settleOutcome: async (claimId: string) => (await healthy.settle(claimId)).outcome,
    charged: async () => 10_000_000n - (await chain.balanceOf(wallet.address)),
  };
}

for (const step of ['verify.before', 'verify.after', 'claim.before', 'claim.after']) {
  test.serial(`after a crash at ${step}, the payment is executed and charged once`, async (t) => {
    const { died, executed, begin, settleOutcome, charged } = await crashAt(step);
    t.true(died);
    t.deepEqual(executed, []);
    const { claimId } = expectCase(await begin(), 'execute');
    t.is(await settleOutcome(claimId), SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
    expectCase(await begin(), 'replay');
    t.is(await charged(), BigInt(AMOUNT));
  });
}

test('after a crash before anything is sent, the payment is resumed and not executed again', async (t) => {
  const { executed, begin, settleOutcome, charged } = await crashAt('settle.before');
  const { claimId } = expectCase(await begin(), 'resume');
  t.deepEqual(executed, [claimId]);
  t.is(await charged(), 0n);
  t.is(await settleOutcome(claimId), SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
  t.is(await charged(), BigInt(AMOUNT));
});

for (const step of ['settle.sent', 'settle.after']) {
  test.serial(`after a crash at ${step}, the settlement is found on the chain and replayed`, async (t) => {
    const { executed, begin, settle, charged } = await crashAt(step);
    const replay = expectCase(await begin(), 'replay');
    t.deepEqual(executed, [replay.claimId]);
    t.is((await settle(replay.claimId)).paymentResponseJson, replay.paymentResponseJson);
    t.is(await charged(), BigInt(AMOUNT));
  });
}

test.serial('resolves a claim that a crash left open', async (t) => {
  const { executed, charged } = await crashAt('settle.sent');
  t.is(await healthy.outcomeOf(defined(executed[0])), SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
  t.is(await charged(), BigInt(AMOUNT));
});
