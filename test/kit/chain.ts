import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import {
  createTestClient,
  createWalletClient,
  getAddress,
  type Hex,
  http,
  type PublicClient,
  parseAbi,
  parseSignature,
  publicActions,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { createJsonReader } from '../../scripts/launch/parse/json-reader.ts';
import { TRANSFER_TYPES } from '../../services/payments/contract/transfer-types.ts';
import { Address, Bytes32, NonEmptyBytes } from '../../services/payments/payment/hex.ts';
import { HANG_MS, until } from './until.ts';

/** Anvil's sixth development account. It sends the transactions that do not come from the service. */
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
export const Offer = Type.Object({
  scheme: Type.String(),
  network: Type.String(),
  amount: Type.String(),
  asset: Type.String(),
  payTo: Type.String(),
  maxTimeoutSeconds: Type.Number(),
  extra: Type.Object({ name: Type.String(), version: Type.String(), offerSecret: Type.Optional(Type.String()) }),
});
export type Offer = Readonly<Type.Static<typeof Offer>>;

const WireAuthorization = Type.Object({
  from: Address,
  to: Address,
  value: Type.String(),
  validAfter: Type.String(),
  validBefore: Type.String(),
  nonce: Bytes32,
});
export type WireAuthorization = Readonly<Type.Static<typeof WireAuthorization>>;

const PaymentPayload = Type.Object({
  x402Version: Type.Literal(2),
  accepted: Offer,
  payload: Type.Object({ signature: NonEmptyBytes, authorization: WireAuthorization }),
});
export type PaymentPayload = Readonly<Type.Static<typeof PaymentPayload>>;

export const createWallet = (): Wallet => privateKeyToAccount(generatePrivateKey());
export const createNonce = (): Hex => `0x${randomBytes(32).toString('hex')}`;

const domainOf = ({ network, asset, extra }: Offer) => ({
  name: extra.name,
  version: extra.version,
  chainId: Number(network.split(':')[1]),
  verifyingContract: getAddress(asset),
});

/** Signs an authorization for an offer's token as the official client does, with optional changes. */
export async function signPayment(
  wallet: Pick<Wallet, 'address' | 'signTypedData'>,
  offer: Offer,
  changes: Partial<WireAuthorization> = {},
): Promise<PaymentPayload> {
  const authorization: WireAuthorization = {
    from: wallet.address,
    to: getAddress(offer.payTo),
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

const parsePayment = createJsonReader(PaymentPayload, 'PAYMENT-SIGNATURE');

/** Reads the value of a PAYMENT-SIGNATURE header. */
export const decodePayment = (header: string): PaymentPayload =>
  parsePayment(Buffer.from(header, 'base64').toString('utf8'));

/** Connects to a development chain, for calls that may take long on a busy machine. */
export const toChain = (url: string) => http(url, { timeout: HANG_MS });

/** Polls by itself: the chain mines a block only for a transaction, and viem waits for another block if it misses it. */
export const awaitReceipt = (node: Pick<PublicClient, 'getTransactionReceipt'>, hash: Hex) =>
  until(() => node.getTransactionReceipt({ hash }));

export type TestChain = ReturnType<typeof connectChain>;

/** Lets tests act on a sandbox chain without the service. Every method resolves when its transaction is mined. */
export function connectChain(rpcUrl: string, asset: string) {
  const node = createTestClient({ mode: 'anvil', transport: toChain(rpcUrl) }).extend(publicActions);
  const stranger = createWalletClient({ account: STRANGER, transport: toChain(rpcUrl) });
  const token = { address: getAddress(asset), abi: ABI } as const;
  // Transactions are sent one by one, because anvil gives simultaneous transactions the same nonce.
  let tail: Promise<unknown> = Promise.resolve();
  const mined = (send: () => Promise<Hex>): Promise<Hex> => {
    const sent = tail.then(async () => {
      const hash = await send();
      const receipt = await awaitReceipt(node, hash);
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
    /** Sends tokens of an account whose key anvil holds. */
    async transfer(from: Hex, to: Hex, value: bigint) {
      const own = createWalletClient({ account: from, transport: toChain(rpcUrl) });
      return mined(() => own.writeContract({ ...token, chain: null, functionName: 'transfer', args: [to, value] }));
    },
    /** Removes a wallet's tokens, as if the wallet had spent them. */
    async drain(wallet: Wallet) {
      const value = await node.readContract({ ...token, functionName: 'balanceOf', args: [wallet.address] });
      await node.impersonateAccount({ address: wallet.address });
      await node.setBalance({ address: wallet.address, value: 10n ** 18n });
      const own = createWalletClient({ account: wallet.address, transport: toChain(rpcUrl) });
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
    /** Cancels an authorization before its payment settles. */
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
    /** Replaces the last blocks by empty ones. Their transactions are gone. */
    async reorganize(depth: number) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_reorg', params: [depth, []] });
      const headers = { 'content-type': 'application/json' };
      const reply = await (await fetch(rpcUrl, { method: 'POST', headers, body })).text();
      if (reply.includes('"error"')) throw new Error(`anvil did not reorganize its chain: ${reply}`);
    },
    send: async (to: Hex, data: Hex) => mined(() => stranger.sendTransaction({ chain: null, to, data })),
    /** Moves the chain's clock past a time in Unix seconds. */
    async passTime(untilS: number) {
      await node.setNextBlockTimestamp({ timestamp: BigInt(untilS) });
      await node.mine({ blocks: 1 });
    },
  };
}
