import { ServiceError } from './service-error.ts';

/** Runs work that holds `sizeBytes` until it ends. @throws {ServiceError} RETENTION_UNAVAILABLE if too many are held */
export type HoldBytes = <Value>(sizeBytes: number, work: () => Promise<Value>) => Promise<Value>;

/** Bounds the memory of work that waits for a slow store. */
export function createByteBound(maxBytes: number): HoldBytes {
  let heldBytes = 0;
  return async (sizeBytes, work) => {
    if (heldBytes + sizeBytes > maxBytes) throw new ServiceError('RETENTION_UNAVAILABLE', 'too many bytes wait');
    heldBytes += sizeBytes;
    try {
      return await work();
    } finally {
      heldBytes -= sizeBytes;
    }
  };
}
