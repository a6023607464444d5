import { type Envelope, preAuthenticationEncoding } from '../contract/proof/envelope.ts';
import { PAYLOAD_TYPE } from '../contract/proof-file.ts';
import { type SigningKey, signBytes } from './ed25519.ts';

/** Signs a payload as a DSSE envelope, version 1. */
export function signEnvelope(payload: Uint8Array, key: SigningKey): Envelope {
  const sig = signBytes(key, preAuthenticationEncoding(PAYLOAD_TYPE, payload)).toString('base64');
  return {
    payloadType: PAYLOAD_TYPE,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid: key.keyid, sig }],
  };
}
