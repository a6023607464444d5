import { TRANSFER_TYPES } from '../../../../services/payments/contract/transfer-types.ts';

/** An entry of `accepts`: what a payment of the scheme `exact` must be. */
interface Offer {
  readonly scheme: 'exact';
  readonly network: string;
  /** Micro-USD. */
  readonly amount: string;
  readonly asset: `0x${string}`;
  readonly payTo: `0x${string}`;
  readonly maxTimeoutSeconds: number;
  readonly extra: { readonly name: string; readonly version: string };
}

/** What the page says that a call costs. */
export interface Terms {
  /** Micro-USD. */
  readonly amount: string;
  /** CAIP-2 id. */
  readonly network: string;
  readonly asset: string;
}

/** Who signs a payment. */
export interface Payer {
  readonly address: `0x${string}`;
  /** @throws {CallError} if the payment is not signed */
  signTypedData(data: Authorization): Promise<`0x${string}`>;
}

/** What a payer signs (EIP-712): a transfer of a token (EIP-3009). */
export interface Authorization {
  readonly domain: {
    readonly name: string;
    readonly version: string;
    readonly chainId: number;
    readonly verifyingContract: `0x${string}`;
  };
  readonly types: typeof TRANSFER_TYPES;
  readonly primaryType: 'TransferWithAuthorization';
  readonly message: {
    readonly from: `0x${string}`;
    readonly to: `0x${string}`;
    readonly value: bigint;
    readonly validAfter: bigint;
    readonly validBefore: bigint;
    readonly nonce: `0x${string}`;
  };
}

/** A signed payment. */
export interface Payment {
  /** The value of PAYMENT-SIGNATURE. */
  readonly header: string;
  /** Seconds. Until then it may be made. */
  readonly validBefore: number;
}

/** What a 402 asks for. */
export interface Priced {
  readonly offer: Offer;
  readonly resource: unknown;
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** The offer in PAYMENT-REQUIRED. Undefined if it is another than the page says. */
export function pricedOf(header: string | null, { amount, network, asset }: Terms): Priced | undefined {
  const { accepts, resource } = fromBase64(header);
  const offer: unknown = Array.isArray(accepts) ? accepts[0] : undefined;
  const isSaid = isOffer(offer) && offer.amount === amount && offer.network === network && offer.asset === asset;
  return isSaid ? { offer, resource } : undefined;
}

/** The code of the x402 error in PAYMENT-REQUIRED. Undefined without one. */
export function refusalOf(header: string | null): string | undefined {
  const { error } = fromBase64(header);
  return typeof error === 'string' ? /^[a-z0-9_]+(?=:|$)/.exec(error)?.[0] : undefined;
}

/** The chain id in the CAIP-2 id of a network. */
export const chainIdOf = (network: string): number => Number(network.slice('eip155:'.length));

function isOffer(value: unknown): value is Offer {
  const { scheme, asset, payTo, maxTimeoutSeconds, extra } = Object(value);
  const isComplete = ADDRESS.test(asset) && ADDRESS.test(payTo) && Number.isInteger(maxTimeoutSeconds);
  return scheme === 'exact' && isComplete && typeof extra?.name === 'string' && typeof extra.version === 'string';
}

/** Signs an authorization of exactly the price (EIP-3009), and repeats the offer. */
export async function signPayment({ offer, resource }: Priced, wallet: Payer): Promise<Payment> {
  const { network, amount, asset, payTo, maxTimeoutSeconds, extra } = offer;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const nonce = `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}` as const;
  const validBefore = Math.floor(Date.now() / 1000) + maxTimeoutSeconds;
  const signature = await wallet.signTypedData({
    domain: {
      name: extra.name,
      version: extra.version,
      chainId: chainIdOf(network),
      verifyingContract: asset,
    },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: wallet.address,
      to: payTo,
      value: BigInt(amount),
      validAfter: 0n,
      validBefore: BigInt(validBefore),
      nonce,
    },
  });
  const times = { validAfter: '0', validBefore: String(validBefore) };
  const authorization = { from: wallet.address, to: payTo, value: amount, ...times, nonce };
  const header = toBase64({ x402Version: 2, resource, accepted: offer, payload: { signature, authorization } });
  return { header, validBefore };
}

/** The transaction in PAYMENT-RESPONSE. Undefined unless it says that the payment was settled. */
export function transactionOf(header: string | null): string | undefined {
  const { success, transaction } = fromBase64(header);
  return success === true && typeof transaction === 'string' ? transaction : undefined;
}

const toBase64 = (value: object): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));

/** The members of the JSON object in a base64 header. None if it is something else. */
function fromBase64(header: string | null): Readonly<Record<string, unknown>> {
  try {
    const bytes = Uint8Array.from(atob(header ?? ''), (character) => character.charCodeAt(0));
    return Object(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return {};
  }
}
