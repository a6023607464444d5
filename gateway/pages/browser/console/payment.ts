import { TRANSFER_TYPES } from '../../../../services/payments/contract/transfer-types.ts';
import type { TabWallet } from './tab-wallet.ts';

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

/** What a 402 asks for. */
export interface Priced {
  readonly offer: Offer;
  readonly resource: unknown;
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** The offer in PAYMENT-REQUIRED. Undefined unless it is of this amount, in micro-USD, on this network. */
export function pricedOf(header: string | null, amount: string, network: string): Priced | undefined {
  const { accepts, resource } = fromBase64(header);
  const offer: unknown = Array.isArray(accepts) ? accepts[0] : undefined;
  return isOffer(offer) && offer.amount === amount && offer.network === network ? { offer, resource } : undefined;
}

function isOffer(value: unknown): value is Offer {
  const { scheme, asset, payTo, maxTimeoutSeconds, extra } = Object(value);
  const isComplete = ADDRESS.test(asset) && ADDRESS.test(payTo) && Number.isInteger(maxTimeoutSeconds);
  return scheme === 'exact' && isComplete && typeof extra?.name === 'string' && typeof extra.version === 'string';
}

/** Signs an authorization of exactly the price (EIP-3009), and repeats the offer. @returns the value of PAYMENT-SIGNATURE */
export async function signPayment({ offer, resource }: Priced, wallet: TabWallet): Promise<string> {
  const { network, amount, asset, payTo, maxTimeoutSeconds, extra } = offer;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const nonce = `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}` as const;
  const validBefore = String(Math.floor(Date.now() / 1000) + maxTimeoutSeconds);
  const signature = await wallet.signTypedData({
    domain: {
      name: extra.name,
      version: extra.version,
      chainId: Number(network.slice('eip155:'.length)),
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
  const authorization = { from: wallet.address, to: payTo, value: amount, validAfter: '0', validBefore, nonce };
  return toBase64({ x402Version: 2, resource, accepted: offer, payload: { signature, authorization } });
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
