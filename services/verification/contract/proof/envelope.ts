import type { PAYLOAD_TYPE } from '../proof-file.ts';
import { concatBytes, fromBase64 } from './bytes.ts';
import { ProofError } from './proof-error.ts';
import { isSignedBy, type VerificationKey } from './verification-key.ts';

const utf8 = new TextEncoder();

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
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = `DSSEv1 ${utf8.encode(payloadType).length} ${payloadType} ${payload.length} `;
  return concatBytes(utf8.encode(head), payload);
}

/** An envelope with a valid signature: its payload, and the encoding that was signed and is logged. */
export interface OpenedEnvelope {
  readonly payload: Uint8Array;
  readonly signed: Uint8Array;
}

/**
 * Opens an envelope that one of `keys` signed. The key id, which is not signed, selects the key.
 * @throws {ProofError} PROOF_MALFORMED for malformed base64, ISSUER_UNKNOWN, SIGNATURE_INVALID
 */
export async function openEnvelope(envelope: Envelope, keys: readonly VerificationKey[]): Promise<OpenedEnvelope> {
  const [{ keyid, sig }] = envelope.signatures;
  const payload = fromBase64(envelope.payload);
  const signature = fromBase64(sig);
  if (payload === undefined) throw new ProofError('PROOF_MALFORMED', 'the payload is not canonical base64');
  if (signature === undefined) throw new ProofError('PROOF_MALFORMED', 'the signature is not canonical base64');
  const key = keys.find((candidate) => candidate.keyid === keyid);
  if (key === undefined) throw new ProofError('ISSUER_UNKNOWN', `no trusted issuer has the key ${keyid}`);
  const signed = preAuthenticationEncoding(envelope.payloadType, payload);
  if (!(await isSignedBy(key, signed, signature))) {
    throw new ProofError('SIGNATURE_INVALID', 'the issuer did not sign this');
  }
  return { payload, signed };
}
