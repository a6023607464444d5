import { decodeBase64 } from '../../platform/base64.ts';
import { PAYLOAD_TYPE } from '../contract/proof-file.ts';
import { isSignedBy, type SigningKey, signBytes, type VerificationKey } from './ed25519.ts';
import { ProofError } from './proof-error.ts';

/** A DSSE envelope, version 1, with one signature. */
export interface Envelope {
  readonly payloadType: typeof PAYLOAD_TYPE;
  /** Base64. */
  readonly payload: string;
  /** `sig`: base64 of the Ed25519 signature over the pre-authentication encoding. */
  readonly signatures: readonly [{ readonly keyid: string; readonly sig: string }];
}

/**
 * The signed bytes (pre-authentication encoding, DSSE v1): "DSSEv1" SP LEN(type) SP type SP LEN(body) SP body. Lengths
 * are in bytes, in decimal. They prevent moving bytes from the type into the body.
 */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

export function signEnvelope(payload: Uint8Array, key: SigningKey): Envelope {
  const sig = signBytes(key, preAuthenticationEncoding(PAYLOAD_TYPE, payload)).toString('base64');
  return {
    payloadType: PAYLOAD_TYPE,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid: key.keyid, sig }],
  };
}

/** An envelope with a valid signature: its payload, and the encoding that was signed and is logged. */
export interface OpenedEnvelope {
  readonly payload: Buffer;
  readonly signed: Buffer;
}

/**
 * Opens an envelope that one of `keys` signed. The key id, which is not signed, selects the key.
 * @throws {ProofError} PROOF_MALFORMED for malformed base64, ISSUER_UNKNOWN, SIGNATURE_INVALID
 */
export function openEnvelope(envelope: Envelope, keys: readonly VerificationKey[]): OpenedEnvelope {
  const [{ keyid, sig }] = envelope.signatures;
  const payload = decodeBase64(envelope.payload);
  const signature = decodeBase64(sig);
  if (payload === undefined) throw new ProofError('PROOF_MALFORMED', 'the payload is not canonical base64');
  if (signature === undefined) throw new ProofError('PROOF_MALFORMED', 'the signature is not canonical base64');
  const key = keys.find((candidate) => candidate.keyid === keyid);
  if (key === undefined) throw new ProofError('ISSUER_UNKNOWN', `no trusted issuer has the key ${keyid}`);
  const signed = preAuthenticationEncoding(envelope.payloadType, payload);
  if (!isSignedBy(key, signed, signature)) throw new ProofError('SIGNATURE_INVALID', 'the issuer did not sign this');
  return { payload, signed };
}
