import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { readKeyFile, type TrustedKeys } from '../contract/proof/key-file.ts';
import { type ProofCode, ProofError } from '../contract/proof/proof-error.ts';
import type { Statement } from '../contract/proof/statement.ts';
import { verifyProofFile } from '../contract/proof/verify-proof-file.ts';
import { VERSIONS } from '../contract/versions.ts';
import { verifyRecords } from './verify-records.ts';

export type { ProofCode, Statement };

/** The version of the engine that this package has. It can work out the verdicts of proofs with this version again. */
export const ENGINE_VERSION: string = VERSIONS.engine;

/** What to verify. Everything but the proof comes from sources that the verifier trusts, or is checked against it. */
export interface ProofInput {
  /** A proof file, as `GET /api/v1/proofs/{proof_id}` answers it. The bytes must not be changed. */
  readonly proof: Uint8Array;
  /** The key file of the issuer and of the log, as `GET /api/v1/log/keys` answers it. The verifier must trust it. */
  readonly keys: Uint8Array;
  /** The records of the execution, as `GET /api/v1/executions/{execution_id}/records` answers them. */
  readonly records?: Uint8Array;
  /** A checkpoint of the same log that the verifier stored earlier: the text of a signed note. */
  readonly checkpoint?: string;
  /** A consistency proof between that checkpoint and the proof's, as `GET /api/v1/log/consistency` answers it. */
  readonly consistency?: Uint8Array;
}

export type ProofResult =
  /** Signature and log are valid. With records, every hash and every verdict is the same too. */
  | (VerifiedProof & { readonly outcome: 'valid' })
  /**
   * Signature, log and the hashes of the records are valid. The verdicts were not worked out again: they are of an engine
   * version that this package does not have.
   */
  | (VerifiedProof & { readonly outcome: 'verdicts_not_checked'; readonly engine: string })
  /** The proof is not valid, or the records are not those of the proof. `code` is undefined for a fault in the records. */
  | { readonly outcome: 'invalid'; readonly code: ProofCode | undefined; readonly message: string }
  /** Another input than the proof cannot be used. This says nothing about the proof. */
  | {
      readonly outcome: 'unusable_input';
      readonly input: 'keys' | 'consistency' | 'records';
      readonly message: string;
    };

export interface VerifiedProof {
  readonly statement: Statement;
  /** The signed note of the log. Store it: it detects later whether the log shows others another tree. */
  readonly checkpoint: string;
  readonly areRecordsVerified: boolean;
}

/**
 * Verifies a proof without any service: that a trusted issuer signed it, that a trusted log contains it, that the log is
 * the one that was seen before (with `checkpoint`), and that every hash and every verdict follows from the records (with
 * `records`, which runs the solver on a thread for some seconds).
 * @throws {Error} only when the solver itself fails
 */
export async function verifyProof(input: ProofInput): Promise<ProofResult> {
  const keys = await readKeys(input.keys);
  if ('outcome' in keys) return keys;
  const consistency = input.consistency === undefined ? undefined : readConsistency(input.consistency);
  if (consistency !== undefined && 'outcome' in consistency) return consistency;
  const proof = await verifyProofFile(input.proof, {
    ...keys,
    ...(input.checkpoint === undefined ? {} : { rememberedCheckpoint: input.checkpoint }),
    ...(consistency === undefined ? {} : { consistency: consistency.hashes }),
  });
  if (!proof.ok) return { outcome: 'invalid', code: proof.code, message: proof.message };
  const { statement, checkpoint } = proof;
  if (input.records === undefined) return { outcome: 'valid', statement, checkpoint, areRecordsVerified: false };
  const records = await verifyRecords(statement, input.records);
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

type Unusable = Extract<ProofResult, { readonly outcome: 'unusable_input' }>;

async function readKeys(bytes: Uint8Array): Promise<TrustedKeys | Unusable> {
  try {
    return await readKeyFile(bytes);
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return { outcome: 'unusable_input', input: 'keys', message: error.message };
  }
}

const Consistency = Compile(Type.Object({ hashes: Type.Array(Type.String()) }));

function readConsistency(bytes: Uint8Array): { readonly hashes: readonly string[] } | Unusable {
  const unusable: Unusable = { outcome: 'unusable_input', input: 'consistency', message: 'not a consistency proof' };
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return Consistency.Check(value) ? value : unusable;
  } catch (error) {
    if (error instanceof SyntaxError) return unusable;
    throw error;
  }
}
