import { TRANSFER_TYPES } from '../../services/payments/contract/transfer-types.ts';
import type { Signer } from './connection.ts';
import { fromBase64, isText, membersOf, toBase64, toHex, toPrice } from './values.ts';

type Hex = `0x${string}`;

/** A signed payment. Everything but the header is read from it. */
export interface Payment {
  /** The value of PAYMENT-SIGNATURE. */
  readonly header: string;
  readonly payer: string;
  /** CAIP-2. */
  readonly network: string;
  readonly amountMicroUsd: bigint;
  /** Seconds since 1970. Until then it may be settled. */
  readonly validBefore: number;
  /** Without 0x. */
  readonly nonce: string;
}

interface Offer {
  readonly network: string;
  readonly asset: Hex;
  readonly payTo: Hex;
  readonly amountMicroUsd: bigint;
  readonly maxTimeoutSeconds: number;
  readonly name: string;
  /** As it was offered. The payment repeats it. */
  readonly accepted: Readonly<Record<string, unknown>>;
  readonly resource: unknown;
}

/** USDC alone, because an amount of another token could be worth anything. The sandbox has its own at Base's address. */
const BASE = { asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', name: 'USD Coin' };
const TOKENS: Readonly<Record<string, { readonly asset: string; readonly name: string }>> = {
  'eip155:8453': BASE,
  'eip155:84532': { asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e', name: 'USDC' },
  'eip155:31337': BASE,
};
const TOKEN_VERSION = '2';
const MAX_VALID_S = 3600;

const isAddress = (value: unknown): value is Hex => isText(value, /^0x[0-9a-fA-F]{40}$/);

/** The price of a call, without a check of the rest of the offer. */
export const priceOf = (required: Readonly<Record<string, unknown>>): bigint | undefined =>
  toPrice(exactOf(required)?.['amount']);

function exactOf({ accepts }: Readonly<Record<string, unknown>>): Offer['accepted'] | undefined {
  return Array.isArray(accepts) ? accepts.map(membersOf).find(({ scheme }) => scheme === 'exact') : undefined;
}

/** The offer of the scheme `exact`. Undefined unless it asks for USDC on a known network. */
export function readOffer(required: Readonly<Record<string, unknown>>): Offer | undefined {
  const accepted = exactOf(required);
  const amountMicroUsd = priceOf(required);
  if (accepted === undefined || amountMicroUsd === undefined) return undefined;
  const { network, asset, payTo, maxTimeoutSeconds, extra } = accepted;
  const { name, version } = membersOf(extra);
  if (typeof network !== 'string' || !Object.hasOwn(TOKENS, network) || !isAddress(asset) || !isAddress(payTo))
    return undefined;
  const token = TOKENS[network];
  if (token?.asset !== asset.toLowerCase() || token.name !== name || version !== TOKEN_VERSION) return undefined;
  if (typeof maxTimeoutSeconds !== 'number' || !(maxTimeoutSeconds >= 1 && maxTimeoutSeconds <= MAX_VALID_S))
    return undefined;
  const { resource } = required;
  return { network, asset, payTo, amountMicroUsd, maxTimeoutSeconds, name: token.name, accepted, resource };
}

/** Signs an authorization of exactly the price, and repeats the offer unchanged. @throws the error of the wallet */
export async function signPayment(offer: Offer, signer: Signer): Promise<string> {
  const { network, asset, payTo, amountMicroUsd, maxTimeoutSeconds, name, accepted, resource } = offer;
  const nonce: Hex = `0x${toHex(crypto.getRandomValues(new Uint8Array(32)))}`;
  const validBefore = Math.floor(Date.now() / 1000) + Math.floor(maxTimeoutSeconds);
  const common = { from: signer.address, to: payTo, nonce };
  const signature = await signer.signTypedData({
    domain: {
      name,
      version: TOKEN_VERSION,
      chainId: Number(network.slice('eip155:'.length)),
      verifyingContract: asset,
    },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: { ...common, value: amountMicroUsd, validAfter: 0n, validBefore: BigInt(validBefore) },
  });
  if (!isText(signature, /^0x(?:[0-9a-fA-F]{2})+$/)) throw new TypeError('the wallet returned no signature');
  const times = { validAfter: '0', validBefore: `${validBefore}` };
  const authorization = { ...common, value: `${amountMicroUsd}`, ...times };
  return toBase64({ x402Version: 2, resource, accepted, payload: { signature, authorization } });
}

/** Reads a payment that was made here. Undefined if the store returned something else. */
export function readPayment(header: string): Payment | undefined {
  const { accepted, payload } = fromBase64(header);
  const { network } = membersOf(accepted);
  const { from, value, validBefore, nonce } = membersOf(membersOf(payload)['authorization']);
  const amountMicroUsd = toPrice(value);
  if (!isAddress(from) || typeof network !== 'string' || amountMicroUsd === undefined) return undefined;
  if (!isText(validBefore, /^\d{1,12}$/) || !isText(nonce, /^0x[0-9a-f]{64}$/)) return undefined;
  return { header, payer: from, network, amountMicroUsd, validBefore: Number(validBefore), nonce: nonce.slice(2) };
}

/** The transaction in PAYMENT-RESPONSE. Undefined unless it says that this payment was settled. */
export function transactionOf(response: string | null, payment: Payment): string | undefined {
  const { success, network, payer = payment.payer, amount, transaction } = fromBase64(response);
  const isOfPayment =
    success === true &&
    network === payment.network &&
    isAddress(payer) &&
    payer.toLowerCase() === payment.payer.toLowerCase() &&
    (amount === undefined || amount === `${payment.amountMicroUsd}`);
  return isOfPayment && isText(transaction, /^0x[0-9a-fA-F]{64}$/) ? transaction : undefined;
}
