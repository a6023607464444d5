import { readCopyHead } from '../../store/ledger-copy.ts';
import type { AuditReport, AuditViolation } from '../contract/ledger.ts';
import { auditLedger } from '../redis/audit.ts';
import { callOf, type LedgerStores, readBoth } from './ledger-stores.ts';

export interface FullAuditReport extends AuditReport {
  /** Entries that were compared with their copy. */
  readonly compared: number;
}

/**
 * Compares everything that Redis stores of the ledger with the journal, and the journal with its copy, entry by entry.
 * Safe during live traffic: entries that are not copied yet are not compared.
 */
export async function auditStores(stores: LedgerStores): Promise<FullAuditReport> {
  const violations: AuditViolation[] = [];
  let compared = 0;
  for await (const page of readBoth(stores)) {
    for (const { sequence, text, stored } of page) {
      compared += 1;
      if (stored === text) continue;
      const detail = stored === undefined ? 'missing in Redis' : `Redis has ${stored}, the copy has ${text}`;
      violations.push({ invariant: 'copied_as_journaled', subject: `entry ${sequence}`, detail });
    }
  }
  const report = await auditLedger({ ...callOf(stores), now: '' });
  const head = await readCopyHead(stores.database, stores.network);
  if (head !== undefined && head.epoch !== report.position.epoch) {
    const detail = `Redis has the epoch ${report.position.epoch}, the copy has ${head.epoch}`;
    violations.push({ invariant: 'copied_as_journaled', subject: 'epoch', detail });
  }
  return { ...report, compared, violations: [...report.violations, ...violations] };
}
