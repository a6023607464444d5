import type { PaymentRequirements } from '@x402/core/types';
import { connectChain, createWallet, signPayment } from '../../../../test/helpers/chain.ts';
import { CONVERT, pay, post, requirementsOf } from '../../../../test/helpers/client.ts';
import { startStack } from '../../../../test/helpers/stack.ts';
import { keepInFlight } from '../measure/compare.ts';
import type { Scope } from '../measure/scope.ts';
import { createX402Flow } from '../measure/x402-flow.ts';

const IN_FLIGHT = 8;
const BODY = { html: '<p>Paid' };

/** Compares a paid call over HTTP with verify and settle of the x402 packages, on the same chain. */
export const payments: Scope = async () => {
  const stack = await startStack();
  const required = requirementsOf(await post(stack.urls[0] + CONVERT, {}));
  const [offer] = required.accepts;
  const requirements: PaymentRequirements = { ...offer, network: 'eip155:31337' };
  const chain = connectChain(stack.chainUrl, offer.asset);
  const wallet = createWallet();
  await chain.mint(wallet.address, 10n ** 15n);

  const paidCall = async () => {
    const answer = await post(stack.urls[0] + CONVERT, BODY, { 'payment-signature': await pay(required, wallet) });
    if (answer.status !== 200) throw new Error(`the paid call failed: ${answer.status} ${answer.text}`);
  };

  const reference = createX402Flow(stack.chainUrl);
  const referenceFlow = async () => {
    const payment = await signPayment(wallet, offer);
    await reference([{ ...payment, accepted: requirements, resource: required.resource }, requirements]);
  };
  return {
    comparisons: [
      {
        title: `paid call, ${IN_FLIGHT} in flight`,
        ours: { name: 'whole gateway', run: keepInFlight(IN_FLIGHT, paidCall) },
        reference: { name: 'x402 verify, execute, settle', run: keepInFlight(IN_FLIGHT, referenceFlow) },
      },
    ],
    stop: stack.stop,
  };
};
