import { createSecretKey } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompress } from 'node:zlib';
import { defined } from '../../../workers/exact/defined.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { MAX_MESSAGE_BYTES } from '../../platform/grpc/size-limits.ts';
import type { NamedKeys } from '../../platform/process/named-keys.ts';
import { openBytes, sealBytes } from '../../platform/process/sealed-bytes.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Up to this size, handing a body to a thread of libuv takes longer than compressing it. */
const SMALL_BYTES = 64 * 1024;
/** Room for the output. zlib takes no less. */
const SMALLEST_CHUNK_BYTES = 64;

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

/**
 * Names the size ahead. Otherwise zstd allocates a window of megabytes for each body, and V8 collects all garbage several
 * times a second, which took the back office half of its time.
 */
function compressSmall(body: Buffer): Buffer {
  return zstdCompressSync(body, {
    pledgedSrcSize: body.length,
    chunkSize: Math.max(SMALLEST_CHUNK_BYTES, body.length),
  });
}

/** Compresses with zstd, then encrypts. Binds each ciphertext to its record and part. */
export function createBodyCipher(keys: NamedKeys): BodyCipher {
  const secrets = new Map(keys.map(({ id, secret }) => [id, createSecretKey(secret)]));
  const [{ id: current }] = keys;
  return {
    keyId: current,
    async seal(body, address) {
      const packed = body.length <= SMALL_BYTES ? compressSmall(body) : await compress(body);
      return sealBytes(defined(secrets.get(current)), packed, associatedData(current, address));
    },
    async open(sealed, keyId, address) {
      const key = secrets.get(keyId);
      if (key === undefined) {
        throw new ServiceError('RETENTION_KEY_MISSING', `the retention key ${keyId} is not configured`);
      }
      try {
        const packed = openBytes(key, sealed, associatedData(keyId, address));
        return await decompress(packed, { maxOutputLength: MAX_MESSAGE_BYTES });
      } catch (cause) {
        const what = `the ${address.part} of record ${address.recordId}`;
        throw new ServiceError('RETAINED_BODY_UNREADABLE', `${what} does not decrypt with the key ${keyId}`, { cause });
      }
    },
  };
}
