import type { ProofFile } from '../contract/proof-file.ts';
import { canonicalBytes } from './digests.ts';

/** The bytes of a proof file, which are its canonical form. */
export function encodeProofFile(file: ProofFile): Buffer {
  return canonicalBytes(file);
}
