import type { NamedKeys } from '../../platform/process/named-keys.ts';
import { createKeyRing, paddedSize } from '../../platform/process/sealed-bytes.ts';

export interface AuthorizationCipher {
  /** Id of the key that `seal` uses. */
  readonly keyId: string;
  /** @param json JSON text */
  seal(json: string, claimId: string): Buffer;
  /** @returns the JSON text, which may end in spaces. @throws when the key is unknown, or the bytes were not sealed for this claim */
  open(sealed: Buffer, keyId: string, claimId: string): string;
}

/** Pads with spaces, which JSON allows at its end. */
function pad(json: string): Buffer {
  const padded = Buffer.alloc(paddedSize(Buffer.byteLength(json)), ' ');
  padded.write(json);
  return padded;
}

/** Binds each ciphertext to its claim. */
export function createAuthorizationCipher(keys: NamedKeys): AuthorizationCipher {
  const { keyId, seal, open } = createKeyRing('authorization', keys);
  return {
    keyId,
    seal: (json, claimId) => seal(pad(json), claimId),
    open: (sealed, sealedWith, claimId) => open(sealed, sealedWith, claimId).toString(),
  };
}
