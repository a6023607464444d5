import { randomBytes } from 'node:crypto';
import { createTestClient, createWalletClient, type Hex, http, parseAbi, parseSignature, publicActions } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { TRANSFER_TYPES } from '../../services/payments/contract/transfer-types.ts';

/** Anvil's sixth development account. It sends other people's transactions; the service's signer is another account. */
const STRANGER: Hex = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc';

const ABI = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);
const TYPES = {
  ...TRANSFER_TYPES,
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

export type Wallet = PrivateKeyAccount;

/** One offer of a 402: x402's `PaymentRequirements` of the scheme `exact`. */
export interface Offer {
  readonly scheme: string;
  readonly network: string;
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string; readonly offerSecret?: string };
}

export interface WireAuthorization {
  readonly from: Hex;
  readonly to: Hex;
  readonly value: string;
  readonly validAfter: string;
  readonly validBefore: string;
  readonly nonce: Hex;
}

export interface PaymentPayload {
  readonly x402Version: 2;
  readonly accepted: Offer;
  readonly payload: { readonly signature: Hex; readonly authorization: WireAuthorization };
}

export const createWallet = (): Wallet => privateKeyToAccount(generatePrivateKey());
export const createNonce = (): Hex => `0x${randomBytes(32).toString('hex')}`;

const domainOf = ({ network, asset, extra }: Offer) => ({
  name: extra.name,
  version: extra.version,
  chainId: Number(network.split(':')[1]),
  verifyingContract: asset as Hex,
});

/** Signs an authorization for an offer's token as the official client does, with optional changes. */
export async function signPayment(
  wallet: Wallet,
  offer: Offer,
  changes: Partial<WireAuthorization> = {},
): Promise<PaymentPayload> {
  const authorization: WireAuthorization = {
    from: wallet.address,
    to: offer.payTo as Hex,
    value: offer.amount,
    validAfter: '0',
    validBefore: `${Math.floor(Date.now() / 1000) + offer.maxTimeoutSeconds}`,
    nonce: createNonce(),
    ...changes,
  };
  const signature = await wallet.signTypedData({
    domain: domainOf(offer),
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
  });
  return { x402Version: 2, accepted: offer, payload: { signature, authorization } };
}

/** The value of a PAYMENT-SIGNATURE header. */
export const encodePayment = (payment: PaymentPayload): string =>
  Buffer.from(JSON.stringify(payment)).toString('base64');

export type TestChain = ReturnType<typeof connectChain>;

/** Lets tests act on a sandbox chain without the service. Every method resolves when its transaction is mined. */
export function connectChain(rpcUrl: string, asset: Hex) {
  const node = createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 20 }).extend(publicActions);
  const stranger = createWalletClient({ account: STRANGER, transport: http(rpcUrl) });
  const token = { address: asset, abi: ABI } as const;
  // Transactions are sent one by one, because anvil gives simultaneous transactions the same nonce.
  let tail: Promise<unknown> = Promise.resolve();
  const mined = (send: () => Promise<Hex>): Promise<Hex> => {
    const sent = tail.then(async () => {
      const hash = await send();
      const receipt = await node.waitForTransactionReceipt({ hash });
      if (receipt.status !== 'success') throw new Error('the transaction failed');
      return hash;
    });
    tail = sent.catch(() => {});
    return sent;
  };
  return {
    node,
    balanceOf: (account: Hex) => node.readContract({ ...token, functionName: 'balanceOf', args: [account] }),
    isUsed: (authorizer: Hex, nonce: Hex) =>
      node.readContract({ ...token, functionName: 'authorizationState', args: [authorizer, nonce] }),
    mint: async (to: Hex, value: bigint) =>
      mined(() => stranger.writeContract({ ...token, chain: null, functionName: 'mint', args: [to, value] })),
    /** Removes a wallet's tokens, as if the wallet had spent them. */
    async drain(wallet: Wallet) {
      const value = await node.readContract({ ...token, functionName: 'balanceOf', args: [wallet.address] });
      await node.impersonateAccount({ address: wallet.address });
      await node.setBalance({ address: wallet.address, value: 10n ** 18n });
      const own = createWalletClient({ account: wallet.address, transport: http(rpcUrl) });
      await mined(() =>
        own.writeContract({ ...token, chain: null, functionName: 'transfer', args: [STRANGER, value] }),
      );
      await node.stopImpersonatingAccount({ address: wallet.address });
    },
    /** Anyone who has seen an authorization can submit it. */
    async submit({ payload: { authorization: a, signature } }: PaymentPayload) {
      const { r, s, v } = parseSignature(signature);
      const args = [
        a.from,
        a.to,
        BigInt(a.value),
        BigInt(a.validAfter),
        BigInt(a.validBefore),
        a.nonce,
        Number(v),
        r,
        s,
      ] as const;
      return mined(() =>
        stranger.writeContract({ ...token, chain: null, functionName: 'transferWithAuthorization', args }),
      );
    },
    /** The payer takes the nonce away before the payment settles. */
    async cancel(wallet: Wallet, offer: Offer, nonce: Hex) {
      const signature = await wallet.signTypedData({
        domain: domainOf(offer),
        types: TYPES,
        primaryType: 'CancelAuthorization',
        message: { authorizer: wallet.address, nonce },
      });
      const { r, s, v } = parseSignature(signature);
      const args = [wallet.address, nonce, Number(v), r, s] as const;
      return mined(() => stranger.writeContract({ ...token, chain: null, functionName: 'cancelAuthorization', args }));
    },
    /** The payer uses the nonce up by paying himself the same amount. */
    async payOneself(wallet: Wallet, offer: Offer, nonce: Hex) {
      return this.submit(await signPayment(wallet, offer, { to: wallet.address, nonce }));
    },
    send: async (to: Hex, data: Hex) => mined(() => stranger.sendTransaction({ chain: null, to, data })),
    /** Moves the chain's clock past a time in Unix seconds. */
    async passTime(untilS: number) {
      await node.setNextBlockTimestamp({ timestamp: BigInt(untilS) });
      await node.mine({ blocks: 1 });
    },
  };
}
