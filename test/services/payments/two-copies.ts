import { getAddress } from 'viem';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { connectChain, createWallet, type PaymentPayload } from '../../helpers/chain.ts';
import { expectCase, offerOf, type Payments, present, startPayments } from './harness.ts';
import { openKeptAnswers } from './kept-answers.ts';
import { startSandbox } from './test-sandbox.ts';

/** Starts two copies of the payments service, with their servers. */
export async function startTwoCopies() {
  const sandbox = await startSandbox();
  const [first, second] = await Promise.all([startPayments({ env: sandbox.env }), startPayments({ env: sandbox.env })]);
  const terms = await first.terms();
  const answers = await openKeptAnswers(sandbox.databaseUrl, terms.network);
  return {
    first,
    second,
    offer: offerOf(terms),
    chain: connectChain(sandbox.rpcUrl, getAddress(terms.asset)),
    answers,
    async fundedWallet() {
      const wallet = createWallet();
      await first.fund(wallet.address);
      return wallet;
    },
    async stop() {
      await answers.close();
      await Promise.all([first.kill(), second.kill()]);
      await sandbox.stop();
    },
  };
}

/** Executes and settles a payment. @returns the id of its claim */
export async function settled(service: Payments, payment: PaymentPayload): Promise<string> {
  const { claimId } = expectCase(await service.begin(present(payment)), 'execute');
  const { outcome } = await service.settle(claimId, JSON.stringify(payment));
  if (outcome !== SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED) throw new Error(`settled with ${outcome}`);
  return claimId;
}
