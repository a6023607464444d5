import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Hex } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { formatSiwxMessage } from '../../../gateway/access/challenge/siwx-message.ts';
import { TRANSFER_TYPES } from '../../../services/payments/contract/transfer-types.ts';

const Offer = Type.Object({
  scheme: Type.String(),
  network: Type.String(),
  amount: Type.String(),
  asset: Type.String(),
  payTo: Type.String(),
  maxTimeoutSeconds: Type.Number(),
  extra: Type.Object({ name: Type.String(), version: Type.String() }),
});
type Offer = Type.Static<typeof Offer>;

const ChallengeInfo = Type.Object({
  domain: Type.String(),
  uri: Type.String(),
  version: Type.Literal('1'),
  nonce: Type.String(),
  issuedAt: Type.String(),
  expirationTime: Type.String(),
  requestId: Type.String(),
  statement: Type.String(),
  resources: Type.Array(Type.String()),
});

const Required = Type.Object({
  resource: Type.Object({}),
  // The exact payment comes first. Channels may follow.
  accepts: Type.Unsafe<[Offer, ...Offer[]]>(Type.Array(Offer, { minItems: 1 })),
  extensions: Type.Object({
    'sign-in-with-x': Type.Optional(
      Type.Object({ info: ChallengeInfo, supportedChains: Type.Array(Type.Object({ chainId: Type.String() })) }),
    ),
    'seller-trial': Type.Optional(Type.Object({ info: Type.Object({}) })),
  }),
});

/** What a 402 asks for: offers of payment, and a sign-in challenge if a trial is possible. */
export type Required = Type.Static<typeof Required>;

const check = Compile(Required);

/** Undefined if the value is not what a 402 carries. */
export function readRequired(value: unknown): Required | undefined {
  return check.Check(value) ? value : undefined;
}

/** Reads the PAYMENT-REQUIRED header of a 402. Undefined if there is none, or if it is something else. */
export function requiredOf(answer: { readonly headers: Headers } | undefined): Required | undefined {
  const header = answer?.headers.get('payment-required');
  return header ? readRequired(fromBase64(header)) : undefined;
}

/** The JSON value of a base64 header. */
export const fromBase64 = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64').toString('utf8'));

/** A JSON value as a base64 header. */
export const toBase64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');

export interface Proof {
  /** The value of SIGN-IN-WITH-X. */
  readonly header: string;
  readonly nonce: string;
  readonly signature: Hex;
}

/** Signs the challenge of a 402. Undefined if the 402 has no challenge. */
export async function signIn({ extensions }: Required, wallet: LocalAccount): Promise<Proof | undefined> {
  const challenge = extensions['sign-in-with-x'];
  const chainId = challenge?.supportedChains[0]?.chainId;
  if (challenge === undefined || chainId === undefined) return undefined;
  const { info } = challenge;
  const message = formatSiwxMessage(info, wallet.address, chainId.slice(chainId.indexOf(':') + 1));
  const signature = await wallet.signMessage({ message });
  const header = toBase64({ ...info, address: wallet.address, chainId, type: 'eip191', signature });
  return { header, nonce: info.nonce, signature };
}

export interface SignedPayment {
  /** The object that a tool call sends in `_meta`. */
  readonly payload: { readonly x402Version: number; readonly payload: Record<string, unknown> };
  /** The value of PAYMENT-SIGNATURE. */
  readonly header: string;
  readonly nonce: Hex;
  readonly signature: Hex;
  /** Micro-USD. */
  readonly amount: bigint;
  readonly payTo: Hex;
}

/**
 * Signs an EIP-3009 authorization of exactly the price, which is x402's scheme `exact`. The payment repeats the offer
 * unchanged, because the offer holds the gateway's secret.
 * @param validSeconds how long it can be settled; by default the time of the offer
 */
export async function signPayment(
  { accepts, resource }: Required,
  wallet: LocalAccount,
  validSeconds?: number,
): Promise<SignedPayment> {
  const [accepted] = accepts;
  const nonce = toHex(Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex'));
  const payTo = toHex(accepted.payTo);
  const validBefore = String(Math.floor(Date.now() / 1000) + (validSeconds ?? accepted.maxTimeoutSeconds));
  const authorization = {
    from: wallet.address,
    to: payTo,
    value: accepted.amount,
    validAfter: '0',
    validBefore,
    nonce,
  };
  const { name, version } = accepted.extra;
  const signature = await wallet.signTypedData({
    domain: {
      name,
      version,
      chainId: Number(accepted.network.slice(accepted.network.indexOf(':') + 1)),
      verifyingContract: toHex(accepted.asset),
    },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      ...authorization,
      value: BigInt(accepted.amount),
      validAfter: 0n,
      validBefore: BigInt(validBefore),
    },
  });
  const payload = { x402Version: 2, resource, accepted, payload: { signature, authorization } };
  return { payload, header: toBase64(payload), nonce, signature, payTo, amount: BigInt(accepted.amount) };
}

function toHex(text: string): Hex {
  return `0x${text.replace(/^0x/, '')}`;
}
