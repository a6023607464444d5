import { fromBase64 } from './bytes.ts';
import { areConsistent, type Checkpoint, openCheckpoint } from './checkpoint.ts';
import type { LogKey } from './key-file.ts';
import { type ProofCode, ProofError } from './proof-error.ts';

/** What is known of a log, and what it says now. Checkpoints are signed notes. */
export interface LogHistory {
  readonly logKeys: readonly LogKey[];
  /** A checkpoint that was seen before. */
  readonly remembered: string;
  /** The head of the log now. */
  readonly head: string;
  /** The consistency proof from the remembered size to the size of the head, in base64. */
  readonly consistency: readonly string[];
}

/**
 * Verifies that the head of a log continues a checkpoint that was seen before: everything that was logged then is still
 * logged, at the same place.
 * @throws {ProofError} LOG_SHRUNK, INCONSISTENT, REMEMBERED_CHECKPOINT_INVALID, and those of `openCheckpoint`
 */
export async function verifyLogContinues({ logKeys, remembered, head, consistency }: LogHistory): Promise<void> {
  const now = await openCheckpoint(head, logKeys);
  const before = await openRemembered(remembered, logKeys);
  // A log only grows. No consistency proof is asked for, because the log has withdrawn what it signed.
  if (before.origin === now.origin && now.size < before.size) {
    throw new ProofError('LOG_SHRUNK', `the log had ${before.size} leaves and now has ${now.size}`);
  }
  await assertSameLog(now, before, consistency);
}

/** Opens a checkpoint that the verifier stored. @throws {ProofError} REMEMBERED_CHECKPOINT_INVALID */
export async function openRemembered(checkpoint: string, logKeys: readonly LogKey[]): Promise<Checkpoint> {
  try {
    return await openCheckpoint(checkpoint, logKeys);
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    throw new ProofError('REMEMBERED_CHECKPOINT_INVALID', `remembered: ${error.message}`, { cause: error });
  }
}

/** @throws {ProofError} REMEMBERED_CHECKPOINT_INVALID, CONSISTENCY_REQUIRED, INCONSISTENT */
export async function assertSameLog(
  checkpoint: Checkpoint,
  remembered: Checkpoint,
  consistency?: readonly string[],
): Promise<void> {
  if (remembered.origin !== checkpoint.origin) {
    throw new ProofError('REMEMBERED_CHECKPOINT_INVALID', `remembered: a checkpoint of ${remembered.origin}`);
  }
  if (consistency === undefined && remembered.size !== checkpoint.size) {
    const sizes = `${remembered.size} and ${checkpoint.size}`;
    throw new ProofError('CONSISTENCY_REQUIRED', `a consistency proof between ${sizes} leaves is needed`);
  }
  // Equal sizes need no proof.
  if (!(await areConsistent(remembered, checkpoint, decodeHashes(consistency ?? [], 'INCONSISTENT')))) {
    throw new ProofError('INCONSISTENT', 'the log is not the one that was remembered');
  }
}

/** Decodes hashes of a proof. @throws {ProofError} with `code` */
export function decodeHashes(hashes: readonly string[], code: ProofCode): readonly Uint8Array[] {
  return hashes.map((text) => {
    const hash = fromBase64(text);
    if (hash === undefined) throw new ProofError(code, 'a hash is not canonical base64');
    return hash;
  });
}
