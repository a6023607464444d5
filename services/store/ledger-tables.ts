import type { Generated } from 'kysely';

/** An epoch of a credit ledger. */
interface LedgerEpochTable {
  /** CAIP-2. */
  network: string;
  /** Gapless from 1. */
  generation: number;
  epoch: string;
  /** Sequence of the last entry before this epoch. */
  base: bigint;
  began_at: Generated<Date>;
}

/** A copied entry of the ledger's journal. */
interface LedgerEntryTable {
  network: string;
  epoch: string;
  sequence: bigint;
  entry: string;
  copied_at: Generated<Date>;
}

export interface LedgerTables {
  ledger_epoch: LedgerEpochTable;
  ledger_entry: LedgerEntryTable;
  /** The farthest recorded position of each ledger, and its valid epoch. */
  ledger_witness: { network: string; epoch: string; sequence: bigint };
}
