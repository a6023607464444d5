import { Check, Errors } from 'typebox/schema';
import { shapeFault } from '../../../../workers/exact/shape-fault.ts';
import { StrictJsonError } from '../../../../workers/exact/strict-json.ts';
import { ProofFile } from '../proof-file.ts';
import { type Checkpoint, openCheckpoint } from './checkpoint.ts';
import { openEnvelope } from './envelope.ts';
import type { TrustedKeys } from './key-file.ts';
import { assertSameLog, decodeHashes, openRemembered } from './log-history.ts';
import { leafInput } from './merkle-hash.ts';
import { isIncluded } from './merkle-proof.ts';
import { isCanonicalOf, parseRecord, REFORMATTED } from './parse-record.ts';
import { type ProofCode, ProofError } from './proof-error.ts';
import { sha256 } from './sha256.ts';
import { readStatement, type Statement } from './statement.ts';

/** A larger file is not read. */
export const MAX_PROOF_BYTES = 4 * 1024 * 1024;

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

/**
 * Verifies a proof: that a trusted issuer signed the statement, that a trusted log contains it and, with a remembered
 * checkpoint, that the log is the one that was seen before. The verdicts are the issuer's word until they are worked out
 * again from the records. Only a remembered checkpoint detects a log that shows different trees to different people.
 */
export async function verifyProofFile(bytes: Uint8Array, options: VerifyProofOptions): Promise<ProofVerification> {
  try {
    const file = readProofFile(bytes);
    const { payload, signed } = await openEnvelope(file.envelope, options.issuerKeys);
    const statement = await readStatement(payload);
    if (statement.predicate.proof_id !== file.proof_id) {
      throw new ProofError('PROOF_ID_MISMATCH', `the statement is of proof ${statement.predicate.proof_id}`);
    }
    const checkpoint = await openCheckpoint(file.log.checkpoint, options.logKeys);
    await assertIncluded(file.log, checkpoint, await sha256(leafInput(signed)));
    if (options.rememberedCheckpoint !== undefined) {
      const remembered = await openRemembered(options.rememberedCheckpoint, options.logKeys);
      await assertSameLog(checkpoint, remembered, options.consistency);
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
  if (!isCanonicalOf(bytes, value)) throw new ProofError('PROOF_NOT_CANONICAL', `the proof ${REFORMATTED}`);
  if (!Check(ProofFile, value)) {
    const { path, message } = shapeFault(Errors(ProofFile, value)[1]);
    throw new ProofError('PROOF_MALFORMED', `not a proof: ${path} ${message}`);
  }
  return value;
}

async function assertIncluded(
  log: ProofFile['log'],
  { origin, size, root }: Checkpoint,
  leafHash: Uint8Array,
): Promise<void> {
  if (log.origin !== origin || log.tree_size !== size) {
    throw new ProofError('CHECKPOINT_MISMATCH', `the checkpoint is of ${origin} with ${size} leaves`);
  }
  const proof = decodeHashes(log.inclusion, 'PROOF_MALFORMED');
  if (!(await isIncluded({ index: log.index, size, leafHash, root, proof }))) {
    throw new ProofError('NOT_INCLUDED', `the statement is not leaf ${log.index} of the log`);
  }
}
