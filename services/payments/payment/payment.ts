import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { getAddress, type Hex, parseErc6492Signature } from 'viem';
import { recoverSigner } from '../../platform/ethereum/recover-address.ts';
import { describeSchemaFault } from '../../platform/schema-fault.ts';
import { type Authorization, createAuthorizationHasher } from './authorization.ts';
import { Address, Bytes32, NonEmptyBytes, toLowerHex } from './hex.ts';
import { findMismatch } from './mismatch.ts';
import { parseJson } from './parse-json.ts';
import { explain, type PaymentFault } from './reason.ts';
import { type Offer, offerOf, type Terms } from './terms.ts';

/**
 * A payment with the signature of its payer: of its key, which is valid, or one that only the token can judge. Its balance, time and
 * use are not checked yet.
 */
export interface Payment {
  /** What is offered now, by the payee of the authorization. */
  readonly offer: Offer;
  readonly authorization: Authorization;
  /** Checksummed; equals `authorization.from`. */
  readonly payer: Hex;
  readonly signature: Hex;
  /**
   * What the token asks the code of the payer about (ERC-1271): the signature, out of its wrapper (ERC-6492). Nobody has checked it:
   * until the token agrees, anybody may have made it up. Undefined where the key of the payer signed.
   */
  readonly walletSignature: Hex | undefined;
  /**
   * EIP-712 digest of the authorization; with what only the token can judge, SHA-256 over that and the signature. So what matches
   * the digest of a claim is the signature that the token agreed to.
   */
  readonly digest: string;
  /** `resource` and `extensions` of the client, without its payment identifier, for the facilitator. */
  readonly attachments: { readonly resource?: Record<string, unknown>; readonly extensions?: Record<string, unknown> };
}

export type ReadPayment =
  /** `mismatch`: why it does not match what is offered now. A price or an address may have changed since. */
  | { readonly ok: true; readonly payment: Payment; readonly mismatch: string | undefined }
  | ({ readonly ok: false } & PaymentFault);

const Uint256 = Type.String({ pattern: '^(0|[1-9][0-9]{0,77})$' });
const AnyObject = Type.Record(Type.String(), Type.Unknown());
/** Clients whose types have no absent members send null, which the reference's schema takes. */
const OptionalObject = Type.Optional(Type.Union([AnyObject, Type.Null()]));
const WireAuthorization = Type.Object(
  {
    from: Address,
    to: Address,
    value: Uint256,
    validAfter: Uint256,
    validBefore: Uint256,
    nonce: Bytes32,
  },
  { additionalProperties: false },
);

/** Unknown members are ignored, but in what is signed. */
const Payload = Compile(
  Type.Object({
    x402Version: Type.Literal(2),
    resource: OptionalObject,
    extensions: OptionalObject,
    accepted: Type.Object({
      extra: OptionalObject,
      scheme: Type.String(),
      network: Type.String(),
      amount: Type.String(),
      asset: Type.String(),
      payTo: Type.String(),
      maxTimeoutSeconds: Type.Number(),
    }),
    payload: Type.Object({
      signature: NonEmptyBytes,
      authorization: WireAuthorization,
    }),
  }),
);
const Version1 = Compile(
  Type.Object({ x402Version: Type.Literal(1), scheme: Type.String(), network: Type.String(), payload: AnyObject }),
);
const Permit2 = Compile(
  Type.Object({
    x402Version: Type.Literal(2),
    accepted: AnyObject,
    payload: Type.Object({ signature: Type.String(), permit2Authorization: AnyObject }),
  }),
);
const MAX_UINT256 = 2n ** 256n - 1n;
/** Those of wallets with passkeys have less than 1 KB. */
const MAX_SIGNATURE_BYTES = 4096;

const LONG_SIGNATURE = explain(
  'invalid_exact_evm_signature',
  `payload.signature must be at most ${MAX_SIGNATURE_BYTES} bytes`,
);
const WRONG_WRAPPER = explain(
  'invalid_exact_evm_signature',
  'payload.signature must be ABI-encoded as (address, bytes, bytes) before its ending of ERC-6492',
);

const refuse = (code: PaymentFault['code'], reason: string): ReadPayment => ({ ok: false, code, reason });
const malformed = (sentence = 'the payment is malformed'): ReadPayment =>
  refuse('MALFORMED', explain('invalid_payload', sentence));

/** Creates a reader of x402 version 2 `PaymentPayload` JSON. It checks everything that needs no clock and no network. */
export type PaymentReader = ReturnType<typeof createPaymentReader>;
export function createPaymentReader(terms: Terms) {
  const digestOf = createAuthorizationHasher(terms);
  return (paymentJson: string, amount: string): ReadPayment => {
    const value = parseJson(paymentJson);
    if (!Payload.Check(value)) {
      if (Version1.Check(value)) {
        return refuse('NOT_ACCEPTED', explain('invalid_x402_version', 'x402Version must be 2'));
      }
      if (Permit2.Check(value)) {
        return refuse(
          'NOT_ACCEPTED',
          explain('unsupported_payload_type', 'payload.authorization is required (EIP-3009)'),
        );
      }
      return malformed(describeSchemaFault(Payload, value));
    }
    const { accepted, payload, resource, extensions } = value;
    const authorization = toAuthorization(payload.authorization);
    if (authorization === undefined) return malformed('payload.authorization has a number that is not a uint256');
    const offer = offerOf(terms, amount);
    const mismatch = findMismatch(accepted, authorization, offer);
    if (payload.signature.length > 2 + 2 * MAX_SIGNATURE_BYTES)
      return refuse('NOT_ACCEPTED', mismatch ?? LONG_SIGNATURE);
    const signature = toLowerHex(payload.signature);
    const authorized = digestOf(authorization);
    const isByKey = recoverSigner(authorized, signature) === authorization.from;
    const walletSignature = isByKey ? undefined : unwrap(signature);
    if (walletSignature === 'malformed') return refuse('NOT_ACCEPTED', mismatch ?? WRONG_WRAPPER);
    const attachments = {
      ...(resource && { resource }),
      ...(extensions && { extensions: withoutIdentifier(extensions) }),
    };
    const payment = {
      offer: { ...offer, payTo: authorization.to },
      authorization,
      payer: authorization.from,
      signature,
      walletSignature,
      digest: isByKey ? Buffer.from(authorized).toString('hex') : boundDigest(authorized, signature),
      attachments,
    };
    return { ok: true, payment, mismatch };
  };
}

/** The signature inside the wrapper of ERC-6492, whose account may be deployed by now; any other one as it is. */
function unwrap(signature: Hex): Hex | 'malformed' {
  try {
    return parseErc6492Signature(signature).signature;
  } catch {
    return 'malformed';
  }
}

const boundDigest = (digest: Uint8Array, signature: Hex): string =>
  createHash('sha256').update(digest).update(signature).digest('hex');

/** The client's own identifier unlocks the stored answer, so no other service receives it. */
function withoutIdentifier({ 'payment-identifier': _, ...others }: Record<string, unknown>): Record<string, unknown> {
  return others;
}

/** The payload for facilitators: the checked fields in canonical form, and nothing else of the authorization. */
export function toPayload({ offer, authorization, signature, attachments }: Payment) {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
    x402Version: 2,
    ...attachments,
    accepted: offer,
    payload: {
      signature,
      authorization: { from, to, value: `${value}`, validAfter: `${validAfter}`, validBefore: `${validBefore}`, nonce },
    },
  };
}

type WireAuthorization = Static<typeof WireAuthorization>;

function toAuthorization(wire: WireAuthorization): Authorization | undefined {
  const [value, validAfter, validBefore] = [BigInt(wire.value), BigInt(wire.validAfter), BigInt(wire.validBefore)];
  if (value > MAX_UINT256 || validAfter > MAX_UINT256 || validBefore > MAX_UINT256) return undefined;
  return {
    from: getAddress(wire.from),
    to: getAddress(wire.to),
    value,
    validAfter,
    validBefore,
    nonce: toLowerHex(wire.nonce),
  };
}
