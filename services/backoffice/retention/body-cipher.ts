import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync, zstdDecompress } from 'node:zlib';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { MAX_MESSAGE_BYTES } from '../../platform/grpc/size-limits.ts';
import type { NamedKeys } from '../../platform/process/named-keys.ts';
import { createKeyRing, MissingKeyError, paddedSize } from '../../platform/process/sealed-bytes.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Up to this size, handing a body to a thread of libuv takes longer than compressing it. */
const SMALL_BYTES = 64 * 1024;
/** The least that Node accepts. */
const LEAST_CHUNK_BYTES = 64;
/** Level 1 takes two thirds of the time of the default level, 3, for results of nearly the same size. */
const FAST = 1;

/** A frame that decompressors skip (RFC 8878, section 3.1.2) has this magic number, and then its length in 32 bits. */
const SKIPPABLE_MAGIC = 0x18_4d_2a_50;
const SKIPPABLE_HEADER_BYTES = 8;

/** Identifies a body. The ciphertext is bound to it, so that rows and columns cannot be swapped. */
export interface BodyAddress {
  readonly recordId: string;
  readonly part: 'request' | 'response';
}

/** The size lets zstd, and Node, take buffers of that size. By default they take more than a hundred kilobytes. */
const compressSmall = (body: Buffer): Buffer =>
  zstdCompressSync(body, {
    pledgedSrcSize: body.length,
    chunkSize: Math.max(LEAST_CHUNK_BYTES, body.length),
    params: { [constants.ZSTD_c_compressionLevel]: FAST },
  });

/** Appends a skippable frame. */
function pad(packed: Buffer): Buffer {
  const frame = Buffer.alloc(paddedSize(packed.length + SKIPPABLE_HEADER_BYTES) - packed.length);
  frame.writeUInt32LE(SKIPPABLE_MAGIC, 0);
  frame.writeUInt32LE(frame.length - SKIPPABLE_HEADER_BYTES, 4);
  return Buffer.concat([packed, frame]);
}

const subjectOf = ({ recordId, part }: BodyAddress): string => `${recordId}\0${part}`;

export type BodyCipher = ReturnType<typeof createBodyCipher>;

/** Compresses with zstd, pads, then encrypts. Binds each ciphertext to its record and part. */
export function createBodyCipher(keys: NamedKeys) {
  const ring = createKeyRing('body', keys);
  return {
    /** Id of the key that `seal` uses. */
    keyId: ring.keyId,
    async seal(body: Buffer, address: BodyAddress): Promise<Buffer> {
      const packed = body.length <= SMALL_BYTES ? compressSmall(body) : await compress(body);
      return ring.seal(pad(packed), subjectOf(address));
    },
    /** @throws {ServiceError} RETENTION_KEY_MISSING, or RETAINED_BODY_UNREADABLE if not sealed for this address by the key */
    async open(sealed: Buffer, keyId: string, address: BodyAddress): Promise<Buffer> {
      try {
        return await decompress(ring.open(sealed, keyId, subjectOf(address)), { maxOutputLength: MAX_MESSAGE_BYTES });
      } catch (cause) {
        if (cause instanceof MissingKeyError) {
          throw new ServiceError('RETENTION_KEY_MISSING', `the retention key ${keyId} is not configured`, { cause });
        }
        const what = `the ${address.part} of record ${address.recordId}`;
        throw new ServiceError('RETAINED_BODY_UNREADABLE', `${what} does not decrypt with the key ${keyId}`, { cause });
      }
    },
  };
}
