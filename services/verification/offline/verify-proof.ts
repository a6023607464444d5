import {
  type InvalidProof,
  type ProofInput,
  type UnusableInput,
  type ValidProof,
  verifyProof as verifyWithoutRecords,
} from '../contract/proof/verify-proof.ts';
import { VERSIONS } from '../contract/versions.ts';
import { verifyRecords } from './verify-records.ts';

/** The version of the engine that this package has. It can work out the verdicts of proofs with this version again. */
export const ENGINE_VERSION: string = VERSIONS.engine;

interface RecordedInput extends ProofInput {
  /** The records of the execution, as `GET /api/v1/executions/{execution_id}/records` answers them. */
  readonly records?: Uint8Array;
}

export type ProofResult =
  /** Signature and log are valid. With records, every hash and every verdict is the same too. */
  | (VerifiedProof & { readonly outcome: 'valid' })
  /**
   * Signature, log and the hashes of the records are valid. The verdicts were not worked out again: they are of an engine
   * version that this package does not have.
   */
  | (VerifiedProof & { readonly outcome: 'verdicts_not_checked'; readonly engine: string })
  | InvalidProof
  /** The records are not those of the proof. */
  | { readonly outcome: 'invalid'; readonly code: undefined; readonly message: string }
  | UnusableInput
  | { readonly outcome: 'unusable_input'; readonly input: 'records'; readonly message: string };

export interface VerifiedProof extends Pick<ValidProof, 'statement' | 'checkpoint'> {
  readonly areRecordsVerified: boolean;
}

/**
 * Verifies a proof as `tollhouse/verify-proof` does and, with `records`, that every hash and every verdict follows from
 * them, which runs the solver on a thread for some seconds.
 * @throws {Error} only when the solver itself fails
 */
export async function verifyProof({ records: bytes, ...input }: RecordedInput): Promise<ProofResult> {
  const proof = await verifyWithoutRecords(input);
  if (proof.outcome !== 'valid') return proof;
  const { statement, checkpoint } = proof;
  if (bytes === undefined) return { outcome: 'valid', statement, checkpoint, areRecordsVerified: false };
  const records = await verifyRecords(statement, bytes);
  switch (records.outcome) {
    case 'confirmed':
      return { outcome: 'valid', statement, checkpoint, areRecordsVerified: true };
    case 'engine_unknown':
      return {
        outcome: 'verdicts_not_checked',
        engine: records.engine,
        statement,
        checkpoint,
        areRecordsVerified: false,
      };
    case 'format_unknown':
      return { outcome: 'unusable_input', input: 'records', message: records.fault };
    case 'refuted':
      return { outcome: 'invalid', code: undefined, message: records.fault };
  }
}
