import type { ProofCode } from '../../../../services/verification/contract/proof/proof-error.ts';

/** The checks of a proof, in their order. A check that fails ends the verification. */
export const CHECKS = ['form', 'issuer', 'statement', 'checkpoint', 'inclusion', 'history'] as const;
export type CheckName = (typeof CHECKS)[number];

export const TITLES: Readonly<Record<CheckName, string>> = {
  form: 'Form of the file',
  issuer: 'Signature of the issuer',
  statement: 'Statement',
  checkpoint: 'Signature of the log',
  inclusion: 'Inclusion in the log',
  history: 'History of the log',
};

/** `open`: neither passed nor failed, because something that it needs is missing. */
export interface Check {
  readonly name: CheckName;
  readonly outcome: 'passed' | 'failed' | 'open' | 'not done';
  readonly says: readonly string[];
}

/** The check that a fault belongs to. */
export const CHECK_OF: Readonly<Record<ProofCode, CheckName>> = {
  PROOF_NOT_JSON: 'form',
  PROOF_NOT_CANONICAL: 'form',
  PROOF_MALFORMED: 'form',
  ISSUER_UNKNOWN: 'issuer',
  SIGNATURE_INVALID: 'issuer',
  KEY_INVALID: 'issuer',
  STATEMENT_MALFORMED: 'statement',
  PROOF_ID_MISMATCH: 'statement',
  CHECKPOINT_MALFORMED: 'checkpoint',
  CHECKPOINT_MISMATCH: 'checkpoint',
  CHECKPOINT_SIGNATURE_INVALID: 'checkpoint',
  LOG_UNKNOWN: 'checkpoint',
  NOT_INCLUDED: 'inclusion',
  REMEMBERED_CHECKPOINT_INVALID: 'history',
  CONSISTENCY_REQUIRED: 'history',
  INCONSISTENT: 'history',
  LOG_SHRUNK: 'history',
};

const OTHER_KEYS =
  'The keys may be older or newer than the proof. Get the key file from the operator, over a channel that you trust, and choose it beside the proof file.';
const SPLIT =
  'Keep this proof and tell the operator: the log was restored from a backup without a new name, or it shows different people different trees.';

/** What a person should know about a fault. */
export const ADVICE: Partial<Readonly<Record<ProofCode, string>>> = {
  PROOF_NOT_CANONICAL:
    'A proof is verified byte for byte. An editor or a formatter may have changed it: download it again.',
  ISSUER_UNKNOWN: OTHER_KEYS,
  LOG_UNKNOWN: OTHER_KEYS,
  CHECKPOINT_SIGNATURE_INVALID: OTHER_KEYS,
  INCONSISTENT: SPLIT,
  LOG_SHRUNK: SPLIT,
  REMEMBERED_CHECKPOINT_INVALID:
    'The keys of the log did not sign what this browser remembers of it. Its key was replaced, somebody pretends to be the log, or the memory of this browser was changed. Ask the operator.',
};

/** The checks if one failed: those before it passed, and those after it were not done. */
export function checksUntil(failed: CheckName, says: readonly string[]): readonly Check[] {
  const at = CHECKS.indexOf(failed);
  return CHECKS.map((name, position) => {
    if (position === at) return { name, outcome: 'failed', says };
    return { name, outcome: position < at ? 'passed' : 'not done', says: [] };
  });
}
