import { TRANSFER_TYPES } from '../../services/payments/contract/transfer-types.ts';
import type { Hex, Signer, TypedData } from './connection.ts';
import { fromBase64, isText, membersOf, toBase64, toHex, toPrice } from './values.ts';

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

export interface Offer {
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

export const isAddress = (value: unknown): value is Hex => isText(value, /^0x[0-9a-fA-F]{40}$/);

export type Scheme = 'exact' | 'batch-settlement';

/** The entry of a scheme in a decoded PAYMENT-REQUIRED. */
export function entryOf({ accepts }: Readonly<Record<string, unknown>>, wanted: Scheme): Offer['accepted'] | undefined {
  return Array.isArray(accepts) ? accepts.map(membersOf).find(({ scheme }) => scheme === wanted) : undefined;
}

/** The offer of a scheme. Undefined unless it asks for USDC on a known network. */
export function readOffer(required: Readonly<Record<string, unknown>>, scheme: Scheme): Offer | undefined {
  const accepted = entryOf(required, scheme);
  const amountMicroUsd = toPrice(accepted?.['amount']);
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

/** The domain of what the token of an offer accepts. */
export const tokenDomain = ({ name, network, asset }: Offer): TypedData['domain'] => ({
  name,
  version: TOKEN_VERSION,
  chainId: chainIdOf(network),
  verifyingContract: asset,
});

/** Of a CAIP-2 network. */
export const chainIdOf = (network: string): number => Number(network.slice('eip155:'.length));

/** The last second in which an authorization for this offer, signed now, may be used. */
export const validBeforeOf = ({ maxTimeoutSeconds }: Offer): number =>
  Math.floor(Date.now() / 1000) + Math.floor(maxTimeoutSeconds);

export const random32 = (): Hex => `0x${toHex(crypto.getRandomValues(new Uint8Array(32)))}`;

/** @throws the error of the wallet */
export async function signData(signer: Signer, data: TypedData): Promise<string> {
  const signature = await signer.signTypedData(data);
  if (!isText(signature, /^0x(?:[0-9a-fA-F]{2})+$/)) throw new TypeError('the wallet returned no signature');
  return signature;
}

/** The value of PAYMENT-SIGNATURE. It repeats the offer unchanged. */
export const encodePayment = ({ resource, accepted }: Offer, payload: object): string =>
  toBase64({ x402Version: 2, resource, accepted, payload });

/** Signs an authorization of exactly the price. @throws the error of the wallet */
export async function signPayment(offer: Offer, signer: Signer): Promise<string> {
  const validBefore = validBeforeOf(offer);
  const common = { from: signer.address, to: offer.payTo, nonce: random32() };
  const signature = await signData(signer, {
    domain: tokenDomain(offer),
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: { ...common, value: offer.amountMicroUsd, validAfter: 0n, validBefore: BigInt(validBefore) },
  });
  const times = { validAfter: '0', validBefore: `${validBefore}` };
  return encodePayment(offer, { signature, authorization: { ...common, value: `${offer.amountMicroUsd}`, ...times } });
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

export const isTransaction = (value: unknown): value is Hex => isText(value, /^0x[0-9a-fA-F]{64}$/);

/** The transaction in PAYMENT-RESPONSE. Undefined unless it says that this payment was settled. */
export function transactionOf(response: string | null, payment: Payment): string | undefined {
  const { success, network, payer = payment.payer, amount, transaction } = fromBase64(response);
  const isOfPayment =
    success === true &&
    network === payment.network &&
    isAddress(payer) &&
    payer.toLowerCase() === payment.payer.toLowerCase() &&
    (amount === undefined || amount === `${payment.amountMicroUsd}`);
  return isOfPayment && isTransaction(transaction) ? transaction : undefined;
}
