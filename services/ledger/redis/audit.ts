import { answerWithin, type RedisClient } from '../../platform/redis/redis-client.ts';
import type { AuditReport, AuditViolation } from '../contract/ledger.ts';
import { callOnce } from './function-calls.ts';
import { createReplay, type Replay, type WalletReplay } from './journal-replay.ts';

interface AuditOptions {
  readonly client: RedisClient;
  readonly prefix: string;
  readonly timeoutMs: number;
  /** As the functions take it: empty for the clock of Redis. */
  readonly now: string;
}

const PAGE_ENTRIES = 1000;
const BATCH_WALLETS = 200;
/** How often a wallet that moves between reading the journal and reading its state is looked at again. */
const ROUNDS = 10;

/** Feeds the replay what the journal has beyond it. */
async function catchUp({ client, prefix, timeoutMs }: AuditOptions, replay: Replay): Promise<void> {
  for (;;) {
    const page = await answerWithin(
      client.xRange(`${prefix}journal`, `(${replay.sequence}-0`, '+', { COUNT: PAGE_ENTRIES }),
      timeoutMs,
    );
    if (page === null) return;
    for (const { id, message } of page) replay.apply(BigInt(id.slice(0, id.indexOf('-'))), message['entry'] ?? '');
    if (page.length < PAGE_ENTRIES) return;
  }
}

/** `moved`: it was written to since the journal was read, so the two cannot be compared. */
type Comparison = 'same' | 'moved' | { readonly detail: string };

function compare(expected: WalletReplay, stored: readonly string[]): Comparison {
  const [balance, reserved, spent, sequence] = stored;
  if (sequence !== undefined && BigInt(sequence) > expected.sequence) return 'moved';
  const found = { balance, reserved, spent, sequence };
  for (const name of ['balance', 'reserved', 'spent', 'sequence'] as const) {
    if (found[name] !== String(expected[name])) {
      return { detail: `${name} is ${found[name] ?? 'missing'}, by the journal ${expected[name]}` };
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
    const stored = (await callOnce(options, 'wallets', batch)) as readonly (readonly string[])[];
    for (const [index, subject] of batch.entries()) {
      const expected = replay.wallets.get(subject);
      const comparison = expected ? compare(expected, stored[index] ?? []) : 'same';
      if (comparison === 'moved') moved.push(subject);
      else if (comparison !== 'same')
        violations.push({ invariant: 'stored_as_journaled', subject, detail: comparison.detail });
    }
  }
  return { moved, violations };
}

/** The figures that are not of one wallet, read in one step so that they are of one moment. */
async function compareTotals(
  options: AuditOptions,
  replay: Replay,
): Promise<{ readonly epoch: string; readonly comparison: Comparison }> {
  const reply = await callOnce(options, 'totals', [options.now]);
  const [epoch, sequence, day, used, pending] = reply as readonly [string, string, string, string, string];
  if (BigInt(sequence) > replay.sequence) return { epoch, comparison: 'moved' };
  const found = { sequence, [`used of day ${day}`]: used, pending };
  const expected = {
    sequence: replay.sequence,
    [`used of day ${day}`]: replay.usedOn(day),
    pending: replay.pending.size,
  };
  for (const [name, value] of Object.entries(expected)) {
    if (found[name] !== String(value))
      return { epoch, comparison: { detail: `${name} is ${found[name]}, by the journal ${value}` } };
  }
  return { epoch, comparison: 'same' };
}

/**
 * Replays the whole journal and holds what is stored against it. What moves meanwhile is compared again; what never
 * stands still is left for the next audit.
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
  return {
    position: { epoch, sequence: replay.sequence },
    wallets: replay.wallets.size,
    pending: replay.pending.size,
    violations: [...replay.violations, ...violations],
  };
}
