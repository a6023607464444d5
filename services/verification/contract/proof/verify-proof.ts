import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { readKeyFile, type TrustedKeys } from './key-file.ts';
import { type ProofCode, ProofError } from './proof-error.ts';
import type { Statement } from './statement.ts';
import { verifyProofFile } from './verify-proof-file.ts';

/** What to verify. Everything but the proof comes from sources that the verifier trusts, or is checked against it. */
export interface ProofInput {
  /** A proof file, as `GET /api/v1/proofs/{proof_id}` answers it. The bytes must not be changed. */
  readonly proof: Uint8Array;
  /** The key file of the issuer and of the log, as `GET /api/v1/log/keys` answers it. The verifier must trust it. */
  readonly keys: Uint8Array;
  /** A checkpoint of the same log that the verifier stored earlier: the text of a signed note. */
  readonly checkpoint?: string;
  /** A consistency proof between that checkpoint and the proof's, as `GET /api/v1/log/consistency` answers it. */
  readonly consistency?: Uint8Array;
}

export interface ValidProof {
  /** The signatures and the log are valid. Verdicts are never recomputed here. */
  readonly outcome: 'valid';
  readonly statement: Statement;
  /** The signed note of the log. Store it: it detects later whether the log shows others another tree. */
  readonly checkpoint: string;
  /** What was not checked, in sentences for people. */
  readonly notChecked: readonly string[];
}

/** The proof is not valid. */
export interface InvalidProof {
  readonly outcome: 'invalid';
  readonly code: ProofCode;
  readonly message: string;
}

/** Another input than the proof cannot be used. This says nothing about the proof. */
export interface UnusableInput {
  readonly outcome: 'unusable_input';
  readonly input: 'keys' | 'consistency';
  readonly message: string;
}

/**
 * Verifies a proof without any service: that a trusted issuer signed it, that a trusted log contains it and, with
 * `checkpoint`, that the log is the one that was seen before. The verdicts stay the issuer's word: only the command
 * `tollhouse verify-proof --records` recomputes them.
 * @throws {DOMException} if the runtime has no Ed25519 in WebCrypto
 */
export async function verifyProof(input: ProofInput): Promise<ValidProof | InvalidProof | UnusableInput> {
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
  const notChecked = [
    "The verdicts were not recomputed: they are the issuer's word. `tollhouse verify-proof --records` recomputes them.",
    ...(input.checkpoint === undefined
      ? ['The history of the log was not checked: only a checkpoint that was kept shows whether the log changed.']
      : []),
    statement.predicate.limitation,
  ];
  return { outcome: 'valid', statement, checkpoint, notChecked };
}

async function readKeys(bytes: Uint8Array): Promise<TrustedKeys | UnusableInput> {
  try {
    return await readKeyFile(bytes);
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    return { outcome: 'unusable_input', input: 'keys', message: error.message };
  }
}

const Consistency = Type.Object({ hashes: Type.Array(Type.String()) });

function readConsistency(bytes: Uint8Array): { readonly hashes: readonly string[] } | UnusableInput {
  const unusable: UnusableInput = {
    outcome: 'unusable_input',
    input: 'consistency',
    message: 'not a consistency proof',
  };
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return Check(Consistency, value) ? value : unusable;
  } catch (error) {
    if (error instanceof SyntaxError) return unusable;
    throw error;
  }
}
