import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { connectChain, createWallet, signPayment } from '../../../../test/helpers/chain.ts';
import { CONVERT, pay, post, requirementsOf } from '../../../../test/helpers/client.ts';
import { startStack } from '../../../../test/helpers/stack.ts';
import { keepInFlight } from '../measure/compare.ts';
import type { Scope } from '../measure/scope.ts';

type VerifyArguments = readonly [PaymentPayload, PaymentRequirements];

const IN_FLIGHT = 8;
const BODY = { html: '<p>Paid' };
/** Anvil's fourth development account. The reference has its own signer, because signers must not share nonces. */
const REFERENCE_KEY = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';

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

  const account = privateKeyToAccount(REFERENCE_KEY);
  const chainOf = {
    id: 31_337,
    name: 'sandbox',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [stack.chainUrl] } },
  };
  const client = createWalletClient({
    account,
    chain: chainOf,
    transport: http(stack.chainUrl),
    pollingInterval: 20,
  }).extend(publicActions);
  // The types of viem and of the x402 packages describe the same client differently.
  const scheme = new ExactEvmScheme(
    toFacilitatorEvmSigner({ ...client, address: account.address } as unknown as Parameters<
      typeof toFacilitatorEvmSigner
    >[0]),
  );
  // The packages have one signer and no queue. Two concurrent settlements would use the same transaction nonce.
  let tail: Promise<unknown> = Promise.resolve();
  const referenceFlow = async () => {
    const payment = await signPayment(wallet, offer);
    const request: VerifyArguments = [
      { ...payment, accepted: requirements, resource: required.resource },
      requirements,
    ];
    const verified = await scheme.verify(...request);
    if (!verified.isValid) throw new Error(verified.invalidReason);
    const settling = tail.then(() => scheme.settle(...request));
    tail = settling.catch(() => {});
    const settled = await settling;
    if (!settled.success) throw new Error(settled.errorReason);
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
