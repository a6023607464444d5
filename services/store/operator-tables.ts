/** An act of an operator. */
export interface OperatorActTable {
  /** Gapless from 1. */
  sequence: bigint;
  acted_at: Date;
  operator: string;
  action: string;
  subject: string;
  reason: string;
  /** JSON text. */
  detail: string;
  /** SHA-256 over the row and the hash of the row before it. */
  hash: Buffer;
}

export interface OperatorTables {
  operator_act: OperatorActTable;
}
