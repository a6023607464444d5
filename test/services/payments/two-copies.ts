import { getAddress } from 'viem';
import { SettlementOutcome } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { connectChain, createWallet, type PaymentPayload } from '../../kit/chain.ts';
import { expectCase, offerOf, type Payments, present, startPayments } from './harness.ts';
import { openKeptAnswers } from './kept-answers.ts';
import { startSandbox } from './test-sandbox.ts';

let shared: ReturnType<typeof startTwoCopies> | undefined;

/**
 * Two copies of the payments service of the sandbox, for all test files of this process that need no settings of their own.
 * They end with the process. Nobody stops them, changes the clock of their chain or keeps it from mining.
 */
export function useTwoCopies(): ReturnType<typeof startTwoCopies> {
  shared ??= startTwoCopies();
  return shared;
}

async function startTwoCopies() {
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
  };
}

/** Executes and settles a payment. @returns the id of its claim */
export async function settled(service: Payments, payment: PaymentPayload): Promise<string> {
  const { claimId } = expectCase(await service.begin(present(payment)), 'execute');
  const { outcome } = await service.settle(claimId, JSON.stringify(payment));
  if (outcome !== SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED) throw new Error(`settled with ${outcome}`);
  return claimId;
}
