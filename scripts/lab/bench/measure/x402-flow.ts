import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Anvil's fourth development account. The reference has its own signer, because signers must not share nonces. */
const REFERENCE_KEY = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6';

type X402Request = readonly [PaymentPayload, PaymentRequirements];

/** Verify, `execute`, and settle of the x402 packages, with a signer of their own on the given chain. */
export function createX402Flow(
  chainUrl: string,
  execute: () => Promise<unknown> = async () => {},
): (request: X402Request) => Promise<void> {
  const account = privateKeyToAccount(REFERENCE_KEY);
  const chain = {
    id: 31_337,
    name: 'sandbox',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chainUrl] } },
  };
  const client = createWalletClient({ account, chain, transport: http(chainUrl), pollingInterval: 20 }).extend(
    publicActions,
  );
  // The types of viem and of the x402 packages describe the same client differently.
  const scheme = new ExactEvmScheme(
    toFacilitatorEvmSigner({ ...client, address: account.address } as unknown as Parameters<
      typeof toFacilitatorEvmSigner
    >[0]),
  );
  // The packages have one signer and no queue. Two concurrent settlements would use the same transaction nonce.
  let tail: Promise<unknown> = Promise.resolve();
  return async (request) => {
    const verified = await scheme.verify(...request);
    if (!verified.isValid) throw new Error(verified.invalidReason);
    await execute();
    const settling = tail.then(() => scheme.settle(...request));
    tail = settling.catch(() => {});
    const settled = await settling;
    if (!settled.success) throw new Error(settled.errorReason);
  };
}
