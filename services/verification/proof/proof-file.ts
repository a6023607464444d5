import { Compile } from 'typebox/schema';
import { shapeFault } from '../../../workers/exact/shape-fault.ts';
import { StrictJsonError } from '../../../workers/exact/strict-json.ts';
import { decodeBase64 } from '../../platform/base64.ts';
import { ProofFile } from '../contract/proof-file.ts';
import { canonicalBytes, isCanonicalOf, parseRecord } from './canonical-json.ts';
import { areConsistent, type Checkpoint, openCheckpoint } from './checkpoint.ts';
import { openEnvelope } from './dsse.ts';
import type { TrustedKeys } from './keys.ts';
import { hashLeaf } from './merkle-hash.ts';
import { isIncluded } from './merkle-proof.ts';
import { type ProofCode, ProofError } from './proof-error.ts';
import { readStatement, type Statement } from './statement.ts';

const MAX_PROOF_BYTES = 4 * 1024 * 1024;

export interface VerifyProofOptions extends TrustedKeys {
  /** A checkpoint of the same log that the verifier stored earlier. */
  readonly rememberedCheckpoint?: string;
  /** Consistency proof between it and the file's checkpoint, from the smaller to the larger, in base64. */
  readonly consistency?: readonly string[];
}

export type ProofVerification =
  /** `checkpoint`: the signed note, for the verifier to store. */
  | { readonly ok: true; readonly statement: Statement; readonly checkpoint: string }
  | { readonly ok: false; readonly code: ProofCode; readonly message: string };

const proofFile = Compile(ProofFile);

/** The bytes of a proof file, which are its canonical form. */
export function encodeProofFile(file: ProofFile): Buffer {
  return canonicalBytes(file);
}

/**
 * Verifies a proof: that a trusted issuer signed the statement, that a trusted log contains it and, with a remembered
 * checkpoint, that the log is the one that was seen before. The verdicts are the issuer's word until they are worked out
 * again from the records. Only a remembered checkpoint detects a log that shows different trees to different people.
 */
export function verifyProofFile(bytes: Uint8Array, options: VerifyProofOptions): ProofVerification {
  try {
    const file = readProofFile(bytes);
    const { payload, signed } = openEnvelope(file.envelope, options.issuerKeys);
    const statement = readStatement(payload);
    if (statement.predicate.proof_id !== file.proof_id) {
      throw new ProofError('PROOF_ID_MISMATCH', `the statement is of proof ${statement.predicate.proof_id}`);
    }
    const checkpoint = openCheckpoint(file.log.checkpoint, options.logKeys);
    assertIncluded(file.log, checkpoint, hashLeaf(signed));
    if (options.rememberedCheckpoint !== undefined) {
      assertSameLog(checkpoint, openRemembered(options.rememberedCheckpoint, options), options.consistency);
    }
    return { ok: true, statement, checkpoint: file.log.checkpoint };
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return { ok: false, code: error.code, message: error.message };
  }
}

function readProofFile(bytes: Uint8Array): ProofFile {
  let value: unknown;
  try {
    value = parseRecord(bytes, MAX_PROOF_BYTES);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new ProofError('PROOF_NOT_JSON', `the proof cannot be read: ${error.message}`, { cause: error });
  }
  if (!isCanonicalOf(bytes, value)) throw new ProofError('PROOF_NOT_CANONICAL', 'the proof is not in canonical form');
  if (!proofFile.Check(value)) {
    const { path, message } = shapeFault(proofFile.Errors(value)[1]);
    throw new ProofError('PROOF_MALFORMED', `not a proof: ${path} ${message}`);
  }
  return value;
}

function assertIncluded(log: ProofFile['log'], { origin, size, root }: Checkpoint, leafHash: Uint8Array): void {
  if (log.origin !== origin || log.tree_size !== size) {
    throw new ProofError('CHECKPOINT_MISMATCH', `the checkpoint is of ${origin} with ${size} leaves`);
  }
  const proof = decodeHashes(log.inclusion, 'PROOF_MALFORMED');
  if (!isIncluded({ index: log.index, size, leafHash, root, proof })) {
    throw new ProofError('NOT_INCLUDED', `the statement is not leaf ${log.index} of the log`);
  }
}

function openRemembered(checkpoint: string, { logKeys }: TrustedKeys): Checkpoint {
  try {
    return openCheckpoint(checkpoint, logKeys);
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    throw new ProofError('REMEMBERED_CHECKPOINT_INVALID', `remembered: ${error.message}`, { cause: error });
  }
}

function assertSameLog(checkpoint: Checkpoint, remembered: Checkpoint, consistency?: readonly string[]): void {
  if (remembered.origin !== checkpoint.origin) {
    throw new ProofError('REMEMBERED_CHECKPOINT_INVALID', `remembered: a checkpoint of ${remembered.origin}`);
  }
  if (consistency === undefined && remembered.size !== checkpoint.size) {
    const sizes = `${remembered.size} and ${checkpoint.size}`;
    throw new ProofError('CONSISTENCY_REQUIRED', `a consistency proof between ${sizes} leaves is needed`);
  }
  // Equal sizes need no proof.
  if (!areConsistent(remembered, checkpoint, decodeHashes(consistency ?? [], 'INCONSISTENT'))) {
    throw new ProofError('INCONSISTENT', 'the log is not the one that was remembered');
  }
}

function decodeHashes(hashes: readonly string[], code: ProofCode): readonly Uint8Array[] {
  return hashes.map((text) => {
    const hash = decodeBase64(text);
    if (hash === undefined) throw new ProofError(code, 'a hash is not canonical base64');
    return hash;
  });
}
