import type { AuditReport } from './ledger.ts';
export async function auditLedger(_: unknown): Promise<AuditReport> {
  return { position: { epoch: '', sequence: 0n }, wallets: 0, pending: 0, violations: [] };
}
