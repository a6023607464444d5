import test from 'ava';
import { RefusalCode, SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { connectChain, createWallet, signPayment } from '../../kit/chain.ts';
import { AMOUNT, expectCase, offerOf, present, refusalOf, someHash, startPayments } from './harness.ts';
import { answer, startFacilitator } from './lying-facilitator.ts';
import { placeContracts, SANDBOX_ASSET, startSandbox } from './test-sandbox.ts';

const { SETTLEMENT_OUTCOME_FAILED, SETTLEMENT_OUTCOME_PENDING } = SettlementOutcome;

test('an authorization that expires unused fails once that is final, and keeps its identifier until then', async (t) => {
  const sandbox = await startSandbox();
  t.teardown(sandbox.stop);
  await placeContracts(sandbox.rpcUrl);
  const chain = connectChain(sandbox.rpcUrl, SANDBOX_ASSET);
  const wallet = createWallet();
  await chain.mint(wallet.address, 10n * BigInt(AMOUNT));
  const facilitator = await startFacilitator(chain);
  t.teardown(facilitator.stop);
  const service = await startPayments({
    env: {
      DATABASE_URL: sandbox.databaseUrl,
      X402_FACILITATOR_URL: facilitator.url,
      X402_RPC_URL: sandbox.rpcUrl,
      X402_PAY_TO: createWallet().address,
      X402_NETWORK: 'eip155:31337',
      X402_CONFIRMATIONS: '3',
    },
  });
  t.teardown(service.kill);
  const offer = offerOf(await service.terms());

  const payment = await signPayment(wallet, offer);
  const paymentIdentifierHash = someHash();
  const { nonce, validBefore } = payment.payload.authorization;
  // A settlement that the facilitator cannot name is for the chain to decide.
  const nameless = { success: true, transaction: null, network: null, payer: '' };
  facilitator.behaviours.set(nonce, (_, response) => answer(response, nameless));
  const { claimId } = expectCase(await service.begin(present(payment, { paymentIdentifierHash })), 'execute');
  t.is((await service.settle(claimId, JSON.stringify(payment))).outcome, SETTLEMENT_OUTCOME_PENDING);
  t.is(await service.outcomeOf(claimId), SETTLEMENT_OUTCOME_PENDING);
  await chain.passTime(Number(validBefore));
  t.is(await service.outcomeOf(claimId), SETTLEMENT_OUTCOME_PENDING);
  const repeated = present(await signPayment(wallet, offer), { paymentIdentifierHash });
  t.is(refusalOf(await service.begin(repeated)), RefusalCode.REFUSAL_CODE_SETTLEMENT_PENDING);

  await chain.node.mine({ blocks: 2 });
  t.is(await service.outcomeOf(claimId), SETTLEMENT_OUTCOME_FAILED);
  t.is(refusalOf(await service.begin(present(payment, { paymentIdentifierHash }))), RefusalCode.REFUSAL_CODE_CLOSED);
});
