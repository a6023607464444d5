import { createSecretKey } from 'node:crypto';
import { defined } from '../../../workers/exact/defined.ts';
import type { NamedKeys } from '../../platform/process/named-keys.ts';
import { openBytes, paddedSize, sealBytes } from '../../platform/process/sealed-bytes.ts';

export interface AuthorizationCipher {
  /** Id of the key that `seal` uses. */
  readonly keyId: string;
  /** @param json JSON text */
  seal(json: string, claimId: string): Buffer;
  /** @returns the JSON text, which may end in spaces. @throws when the key is unknown, or the bytes were not sealed for this claim */
  open(sealed: Buffer, keyId: string, claimId: string): string;
}

const associatedData = (keyId: string, claimId: string) =>
  Buffer.from(`tollhouse:authorization:v1\0${keyId}\0${claimId}`);

/** Pads with spaces, which JSON allows at its end. */
function pad(json: string): Buffer {
  const padded = Buffer.alloc(paddedSize(Buffer.byteLength(json)), ' ');
  padded.write(json);
  return padded;
}

/** Binds each ciphertext to its claim. */
export function createAuthorizationCipher(keys: NamedKeys): AuthorizationCipher {
  const secrets = new Map(keys.map(({ id, secret }) => [id, createSecretKey(secret)]));
  const [{ id: current }] = keys;
  return {
    keyId: current,
    seal: (json, claimId) => sealBytes(defined(secrets.get(current)), pad(json), associatedData(current, claimId)),
    open(sealed, keyId, claimId) {
      const secret = secrets.get(keyId);
      if (secret === undefined) throw new Error(`the authorization key ${keyId} is not configured`);
      return openBytes(secret, sealed, associatedData(keyId, claimId)).toString();
    },
  };
}
