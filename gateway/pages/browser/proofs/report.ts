import type { Checkpoint } from '../../../../services/verification/contract/proof/checkpoint.ts';
import type { ProofCode } from '../../../../services/verification/contract/proof/proof-error.ts';
import type { Statement } from '../../../../services/verification/contract/proof/statement.ts';
import type { ProofFile } from '../../../../services/verification/contract/proof-file.ts';
import type { Check } from './checks.ts';
import type { LogMemory } from './log-memory.ts';
import type { LogReader } from './log-reader.ts';

export interface VerifyOptions {
  readonly proof: Uint8Array<ArrayBuffer>;
  readonly keys: Uint8Array<ArrayBuffer>;
  /** Whose keys they are. What is verified with keys of a file is not remembered. */
  readonly keysOf: 'server' | 'file';
  /** Undefined: the log is not asked. */
  readonly log: LogReader | undefined;
  readonly memory: LogMemory;
}

/** A proof whose signatures and inclusion are valid. */
export interface ValidProof {
  readonly statement: Statement;
  readonly file: ProofFile;
  readonly checkpoint: Checkpoint;
}

export interface Report {
  readonly checks: readonly Check[];
  /** Undefined if a check before the history of the log failed. */
  readonly valid?: ValidProof;
  /** The first fault. */
  readonly fault?: { readonly code: ProofCode; readonly message: string };
}

/** A number of leaves. */
export const leaves = (size: number): string => (size === 1 ? '1 leaf' : `${size} leaves`);
