import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 8192;

/** Random text in hex. One system call serves hundreds of texts, because the call is nearly all of the cost. */
export function createRandomHex(sizeBytes: number): () => string {
  const pool = Buffer.alloc(POOL_BYTES);
  let next = POOL_BYTES;
  return () => {
    if (next + sizeBytes > POOL_BYTES) {
      randomFillSync(pool);
      next = 0;
    }
    next += sizeBytes;
    return pool.toString('hex', next - sizeBytes, next);
  };
}
