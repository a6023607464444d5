import type { NamedKeys } from '../../platform/process/named-keys.ts';
import { createKeyRing, paddedSize } from '../../platform/process/sealed-bytes.ts';

export type AuthorizationCipher = ReturnType<typeof createAuthorizationCipher>;

/** Pads with spaces, which JSON allows at its end. */
function pad(json: string): Buffer {
  const padded = Buffer.alloc(paddedSize(Buffer.byteLength(json)), ' ');
  padded.write(json);
  return padded;
}

/** Binds each ciphertext to its claim. */
export function createAuthorizationCipher(keys: NamedKeys) {
  const { keyId, seal, open } = createKeyRing('authorization', keys);
  return {
    /** Id of the key that `seal` uses. */
    keyId,
    /** @param json JSON text */
    seal: (json: string, claimId: string): Buffer => seal(pad(json), claimId),
    /** @returns the JSON text, which may end in spaces. @throws when the key is unknown, or the bytes were not sealed for this claim */
    open: (sealed: Buffer, sealedWith: string, claimId: string): string => open(sealed, sealedWith, claimId).toString(),
  };
}
