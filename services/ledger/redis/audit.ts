import { defined } from '../../../workers/exact/defined.ts';
import type { AuditReport, AuditViolation } from '../contract/ledger.ts';
import type { WalletReplay } from './account-replay.ts';
import { type AuditOptions, auditRecords } from './audit-records.ts';
import { callOnce } from './function-calls.ts';
import { catchUp } from './journal-pages.ts';
import { createReplay, type Replay } from './journal-replay.ts';
import { readTotals, readWallets, type StoredWallet } from './ledger-replies.ts';

const BATCH_WALLETS = 200;
/** Times that a wallet is compared when writes arrive between reading the journal and reading the wallet. */
const ROUNDS = 10;

/** `moved`: a write came after the journal was read, so the two cannot be compared. */
type Comparison = 'same' | 'moved' | { readonly detail: string };

function compare(expected: WalletReplay, stored: StoredWallet | undefined): Comparison {
  if (stored === undefined)
    return { detail: `the wallet is missing, by the journal its balance is ${expected.balance}` };
  if (BigInt(stored.sequence) > expected.sequence) return 'moved';
  for (const name of ['balance', 'reserved', 'spent', 'sequence'] as const) {
    if (stored[name] !== String(expected[name])) {
      return { detail: `${name} is ${stored[name]}, by the journal ${expected[name]}` };
    }
  }
  return 'same';
}

async function compareWallets(
  options: AuditOptions,
  replay: Replay,
  addresses: readonly string[],
): Promise<{ readonly moved: readonly string[]; readonly violations: readonly AuditViolation[] }> {
  const moved: string[] = [];
  const violations: AuditViolation[] = [];
  for (let at = 0; at < addresses.length; at += BATCH_WALLETS) {
    const batch = addresses.slice(at, at + BATCH_WALLETS);
    const stored = readWallets(await callOnce(options, 'wallets', batch), batch.length);
    for (const [index, subject] of batch.entries()) {
      const comparison = compare(defined(replay.wallets.get(subject)), stored[index]);
      if (comparison === 'moved') moved.push(subject);
      else if (comparison !== 'same')
        violations.push({ invariant: 'stored_as_journaled', subject, detail: comparison.detail });
    }
  }
  return { moved, violations };
}

/** Compares the totals. Redis reads all of them in one step, so they are of one moment. */
async function compareTotals(
  options: AuditOptions,
  replay: Replay,
): Promise<{ readonly epoch: string; readonly comparison: Comparison }> {
  const { epoch, sequence, day, used, pending } = readTotals(await callOnce(options, 'totals', [options.now]));
  if (BigInt(sequence) > replay.sequence) return { epoch, comparison: 'moved' };
  const figures = [
    { name: 'sequence', found: sequence, expected: replay.sequence },
    { name: `used of day ${day}`, found: used, expected: replay.usedOn(day) },
    { name: 'pending', found: pending, expected: replay.pending.size },
  ];
  const other = figures.find(({ found, expected }) => found !== String(expected));
  if (other === undefined) return { epoch, comparison: 'same' };
  return { epoch, comparison: { detail: `${other.name} is ${other.found}, by the journal ${other.expected}` } };
}

/**
 * Replays the whole journal and compares the stored wallets, totals, reservations and nonces with it. A wallet that receives writes meanwhile
 * is compared again, up to ten times. After that it is left for the next audit.
 */
export async function auditLedger(options: AuditOptions): Promise<AuditReport> {
  const replay = createReplay();
  await catchUp(options, replay);
  const violations: AuditViolation[] = [];
  let left: readonly string[] = [...replay.wallets.keys()];
  let totals = await compareTotals(options, replay);
  for (let round = 0; round < ROUNDS && (left.length > 0 || totals.comparison === 'moved'); round += 1) {
    if (round > 0) await catchUp(options, replay);
    const compared = await compareWallets(options, replay, left);
    violations.push(...compared.violations);
    left = compared.moved;
    if (totals.comparison === 'moved') totals = await compareTotals(options, replay);
  }
  const { epoch, comparison } = totals;
  if (typeof comparison === 'object')
    violations.push({ invariant: 'stored_as_journaled', subject: 'totals', detail: comparison.detail });
  violations.push(...(await auditRecords(options, replay)));
  return {
    position: { epoch, sequence: replay.sequence },
    wallets: replay.wallets.size,
    pending: replay.pending.size,
    violations: [...replay.violations, ...violations],
  };
}
