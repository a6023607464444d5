import test from 'ava';
import type { Hex } from 'viem';
import { RefusalCode, SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { connectChain, createWallet, signPayment } from '../../helpers/chain.ts';
import { AMOUNT, expectCase, offerOf, present, refusalOf, startPayments } from './harness.ts';
import { startSandbox } from './test-sandbox.ts';

/** Anvil's third development account. */
const SIGNER_KEY = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a';

test('an own signer verifies, settles, and says so when its node is away', async (t) => {
  const sandbox = await startSandbox();
  t.teardown(sandbox.stop);
  const founder = await startPayments({ env: sandbox.env });
  const wallet = createWallet();
  await founder.fund(wallet.address);
  const { asset } = await founder.terms();
  await founder.kill();
  const payTo = createWallet().address;
  const service = await startPayments({
    env: {
      REDIS_URL: sandbox.redisUrl,
      DATABASE_URL: sandbox.databaseUrl,
      X402_SIGNER_KEY: SIGNER_KEY,
      X402_RPC_URL: sandbox.rpcUrl,
      X402_PAY_TO: payTo,
      X402_NETWORK: 'eip155:31337',
    },
  });
  t.teardown(service.kill);
  const terms = await service.terms();
  t.like(terms, { payTo, sandbox: false });
  const payment = await signPayment(wallet, offerOf(terms));
  const { claimId } = expectCase(await service.begin(present(payment)), 'execute');
  const { outcome } = await service.settle(claimId, JSON.stringify(payment));
  t.is(outcome, SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED);
  t.is(await connectChain(sandbox.rpcUrl, asset as Hex).balanceOf(payTo), BigInt(AMOUNT));

  await sandbox.killChain();
  const next = await signPayment(wallet, offerOf(terms));
  t.is(refusalOf(await service.begin(present(next))), RefusalCode.REFUSAL_CODE_FACILITATOR_FAILURE);
});
