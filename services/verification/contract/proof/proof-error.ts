/** Why a proof, a checkpoint or a key is refused. */
export type ProofCode =
  | 'PROOF_NOT_JSON'
  | 'PROOF_NOT_CANONICAL'
  | 'PROOF_MALFORMED'
  | 'ISSUER_UNKNOWN'
  | 'SIGNATURE_INVALID'
  | 'STATEMENT_MALFORMED'
  | 'PROOF_ID_MISMATCH'
  | 'CHECKPOINT_MALFORMED'
  | 'CHECKPOINT_MISMATCH'
  | 'CHECKPOINT_SIGNATURE_INVALID'
  | 'LOG_UNKNOWN'
  | 'NOT_INCLUDED'
  | 'REMEMBERED_CHECKPOINT_INVALID'
  | 'CONSISTENCY_REQUIRED'
  | 'INCONSISTENT'
  | 'LOG_SHRUNK'
  | 'KEY_INVALID';

export class ProofError extends Error {
  override readonly name = 'ProofError';
  readonly code: ProofCode;

  constructor(code: ProofCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
