import { DAILY_BUDGET_MICRO_USD } from '../../../../services/ledger/contract/trial-terms.ts';
import type { RestoreReport } from '../../../../services/ledger/restore/restore.ts';
import type { LedgerStatus } from '../../../../services/ledger/restore/status.ts';
import { CommandError } from '../terminal/command.ts';

/** The daily budget of the gateways, which TRIAL_DAILY_BUDGET_MICRO_USD sets. @throws {CommandError} */
export function budgetOf(environment: NodeJS.ProcessEnv): bigint {
  const text = environment['TRIAL_DAILY_BUDGET_MICRO_USD'] || String(DAILY_BUDGET_MICRO_USD);
  if (!/^\d{1,15}$/.test(text)) throw new CommandError(`TRIAL_DAILY_BUDGET_MICRO_USD is ${text}, not a number`, 2);
  return BigInt(text);
}

export function describeStatus(status: LedgerStatus, budgetMicroUsd: bigint): readonly string[] {
  const { network, closedBecause, position, recorded, copiedSequence, lagEntries, lagMs } = status;
  const left = budgetMicroUsd > status.usedMicroUsd ? budgetMicroUsd - status.usedMicroUsd : 0n;
  return [
    `ledger      ${network}: ${closedBecause === undefined ? 'open' : `closed: ${closedBecause}`}`,
    `in Redis    ${position === undefined ? 'no ledger that this release can read' : `epoch ${position.epoch}, entry ${position.sequence}`}`,
    `recorded    ${recorded === undefined ? 'nothing' : `epoch ${recorded.epoch}, entry ${recorded.sequence}`}`,
    `copied      entry ${copiedSequence}, ${lagEntries} entries behind${lagEntries > 0n ? `, for ${lagMs} ms` : ''}`,
    `budget      ${status.dayUtc}: ${status.usedMicroUsd} of ${budgetMicroUsd} micro-USD used, ${left} left`,
    `pending     ${status.pending} reservations`,
  ];
}

export function describeRestore(report: RestoreReport): readonly string[] {
  const { charged, missing, unexplained, atMostMicroUsd, unattributed, epoch } = report;
  const total = charged.reduce((sum, { amount }) => sum + amount, 0n);
  const will = epoch === undefined;
  return [
    `Redis       ${report.condition}; epoch ${report.fromEpoch} was recorded up to entry ${report.recordedSequence}`,
    `journal     ${report.copied} entries are copied, ${report.uncopied} more are only in Redis`,
    `pending     ${report.posted} reservations have a retained result and ${will ? 'will be' : 'were'} charged, ${report.voided} ${will ? 'will be' : 'were'} released`,
    `lost        ${missing} entries; ${charged.length} retained trials of them ${will ? 'will be' : 'were'} charged, ${total} micro-USD`,
    `unknown     ${unexplained} lost entries reserved at most ${atMostMicroUsd} micro-USD${unattributed.length > 0 ? `; ${unattributed.length} retained trials do not name their wallet` : ''}`,
    ...charged.map(({ reservationId, wallet, amount }) => `  ${reservationId}  ${wallet}  ${amount}`),
    will
      ? `Nothing was changed. The restore would end at entry ${report.sequence}, with ${report.wallets} wallets.`
      : `Restored: epoch ${epoch}, entry ${report.sequence}, ${report.wallets} wallets. Gateways open trials within seconds.`,
  ];
}
