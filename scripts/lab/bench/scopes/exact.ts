import type { PaymentRequirements } from '@x402/core/types';
import { getAddress } from 'viem';
import { SettlementOutcome } from '../../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { connectChain, type Offer, type PaymentPayload, signPayment } from '../../../../test/kit/chain.ts';
import { expectCase, offerOf, present, startPayments } from '../../../../test/services/payments/harness.ts';
import { openKeptAnswers } from '../../../../test/services/payments/kept-answers.ts';
import { startSandbox } from '../../../../test/services/payments/test-sandbox.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createFastWallet } from '../../load/scenarios/wallets.ts';
import { type Contender, keepInFlight } from '../measure/compare.ts';
import type { Scope } from '../measure/scope.ts';
import { withCpu } from '../measure/with-cpu.ts';
import { createX402Flow } from '../measure/x402-flow.ts';

const IN_FLIGHT = [1, 8, 64] as const;
/** The target for the most calls in flight. */
const TARGET = 10;
const PAYERS = 32;
/** Payments that are signed for the first round, for each call in flight. */
const FIRST_SIGNED = 100;
/** Part of the last round's payments that are signed for the next one. A round ends early if it needs more. */
const RESERVE = 1.5;
const VALID_S = 1800;

/**
 * Compares the payments service (verify, retain a result, settle in batches) with verify and settle of the x402 packages
 * one by one, on the same chain. Payments are signed before a round begins.
 */
export const exact: Scope = async () => {
  const sandbox = await startSandbox();
  const service = await startPayments({ env: sandbox.env });
  const terms = await service.terms();
  const results = await openKeptAnswers(sandbox.databaseUrl, 'eip155:31337');
  const offer = offerOf(terms);
  const sign = await createPayers(sandbox.rpcUrl, offer);
  const requirements: PaymentRequirements = { ...offer, network: 'eip155:31337' };
  const reference = createX402Flow(sandbox.rpcUrl);

  const pay = async (payment: PaymentPayload) => {
    const execute = expectCase(await service.begin(present(payment)), 'execute');
    await results.keep(execute.claimId);
    const { outcome } = await service.settle(execute.claimId);
    if (outcome !== SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED) throw new Error(`a payment ended with ${outcome}`);
  };
  const payReference = (payment: PaymentPayload) =>
    reference([{ ...payment, accepted: requirements, resource: { url: 'http://127.0.0.1/' } }, requirements]);
  return {
    comparisons: IN_FLIGHT.map((inFlight) => ({
      title: `verify, execute and settle, ${inFlight} in flight`,
      ours: { name: 'payments service', run: runnerOf(inFlight, sign, pay) },
      reference: { name: 'x402 verify and settle', run: runnerOf(inFlight, sign, payReference) },
      ...(inFlight === IN_FLIGHT.at(-1) && { target: TARGET }),
    })),
    async stop() {
      await results.close();
      await service.kill();
      await sandbox.stop();
    },
  };
};

type Sign = () => Promise<PaymentPayload>;

/** Funds wallets. @returns a function that signs a payment of the next one */
async function createPayers(rpcUrl: string, offer: Offer): Promise<Sign> {
  const chain = connectChain(rpcUrl, getAddress(offer.asset));
  const wallets = Array.from({ length: PAYERS }, createFastWallet);
  for (const { address } of wallets) await chain.mint(address, 10n ** 15n);
  let next = 0;
  return () => {
    next += 1;
    const validBefore = `${Math.floor(Date.now() / 1000) + VALID_S}`;
    return signPayment(defined(wallets[next % PAYERS]), offer, { validBefore });
  };
}

function runnerOf(inFlight: number, sign: Sign, pay: (payment: PaymentPayload) => Promise<void>): Contender['run'] {
  let wanted = inFlight * FIRST_SIGNED;
  return async (durationMs) => {
    const signed: PaymentPayload[] = [];
    while (signed.length < wanted) signed.push(await sign());
    const { round, cpuMsByProcess } = await withCpu(() =>
      keepInFlight(
        inFlight,
        () => pay(defined(signed.pop())),
        () => signed.length > 0,
      )(durationMs),
    );
    wanted = Math.ceil((round.perSecond * RESERVE * durationMs) / 1000) + inFlight;
    return { ...round, cpuMsByProcess };
  };
}
