import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { MAX_MESSAGE_BYTES } from '../../platform/grpc/size-limits.ts';
import type { NamedKey } from '../../platform/process/named-keys.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type RetentionKey = NamedKey;

/** Identifies a body. The ciphertext is bound to it, so that rows and columns cannot be swapped. */
export interface BodyAddress {
  readonly recordId: string;
  readonly part: 'request' | 'response';
}

export interface BodyCipher {
  /** Id of the key that `seal` uses. */
  readonly keyId: string;
  seal(body: Buffer, address: BodyAddress): Promise<Buffer>;
  /** @throws {ServiceError} RETENTION_KEY_MISSING, or RETAINED_BODY_UNREADABLE if not sealed for this address by the key */
  open(sealed: Buffer, keyId: string, address: BodyAddress): Promise<Buffer>;
}

function associatedData(keyId: string, { recordId, part }: BodyAddress): Buffer {
  return Buffer.from(`tollhouse:body:v1\0${keyId}\0${recordId}\0${part}`);
}

/** zstd, then AES-256-GCM with a random 96-bit nonce: `nonce ‖ ciphertext ‖ tag` (NIST SP 800-38D). */
export function createBodyCipher(keys: readonly [RetentionKey, ...RetentionKey[]]): BodyCipher {
  const [current] = keys;
  const secrets = new Map(keys.map(({ id, secret }) => [id, secret]));
  return {
    keyId: current.id,
    async seal(body, address) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.secret, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(associatedData(current.id, address));
      const packed = await compress(body);
      return Buffer.concat([nonce, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
    },
    async open(sealed, keyId, address) {
      const secret = secrets.get(keyId);
      if (secret === undefined) {
        throw new ServiceError('RETENTION_KEY_MISSING', `the retention key ${keyId} is not configured`);
      }
      try {
        return await openWith(secret, sealed, associatedData(keyId, address));
      } catch (cause) {
        const what = `the ${address.part} of record ${address.recordId}`;
        throw new ServiceError('RETAINED_BODY_UNREADABLE', `${what} does not decrypt with the key ${keyId}`, { cause });
      }
    },
  };
}

async function openWith(secret: Buffer, sealed: Buffer, associated: Buffer): Promise<Buffer> {
  const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associated);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const packed = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  return decompress(packed, { maxOutputLength: MAX_MESSAGE_BYTES });
}
