import { createRequire } from 'node:module';
import type { Logger } from '../process/logger.ts';

/** The package of secp256k1 has no native library for some platforms. It then works, slowly and in silence. */
export function warnWithoutNativeCurve(logger: Pick<Logger, 'warn'>): void {
  try {
    createRequire(import.meta.url)('secp256k1/bindings');
  } catch {
    logger.warn('no native secp256k1 for this platform: signatures are recovered in JavaScript, some 30 times slower');
  }
}
