import { defined } from '../../../workers/exact/defined.ts';
import type { LimitNow } from '../contract/catalogue.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { readUnits, type Units, writeUnits } from './amounts.ts';
import { type Charge, type Counter, chargesOf, keyOf, type LimitedAct, ONE_ACT } from './charges.ts';
import { addUse, readUse, sweepUse } from './limit-use.ts';

interface Execution {
  readonly tenantId: string;
  readonly executionId: string;
}

/**
 * Counts the acts of an execution, in the transaction that records it. A counter rises to at most one above its limits: an invented
 * amount must not block the acts of a day. @returns the limits that were exceeded
 * @throws {ServiceError} MALFORMED_INPUT
 */
export async function countActs(
  transaction: TenantTransaction,
  acts: readonly LimitedAct[],
  execution: Execution,
): Promise<readonly string[]> {
  const charges = acts.map(chargesOf);
  const sums = sumUp(charges);
  if (sums.size === 0) return [];
  const add = (amountOf: (sum: Sum) => Units) =>
    addUse(transaction, new Map([...sums.values()].map((sum) => [sum.counter, amountOf(sum)])), execution);
  // The rows are locked before it is known what is added.
  const before = await add(() => 0n);
  const usedOf = (counter: Counter) => defined(before.get(keyOf(counter)));
  const caps = new Map<string, Units>();
  const exceededLimits = new Set<string>();
  for (const { tool, limit, counter } of charges.flat()) {
    const { used, endsAt } = usedOf(counter);
    const { sum } = defined(sums.get(keyOf(counter)));
    const most = mostOf(limit);
    const cap = most + ONE_ACT;
    if (cap > (caps.get(keyOf(counter)) ?? 0n)) caps.set(keyOf(counter), cap);
    if (used + sum <= most) continue;
    const left = writeUnits(used > most ? 0n : most - used, limit.most);
    exceededLimits.add(exceeded({ tool, limit }, { left, wanted: sum, endsAt }));
  }
  await add(({ counter, sum }) => {
    const room = defined(caps.get(keyOf(counter))) - usedOf(counter).used;
    return sum < room ? sum : room < 0n ? 0n : room;
  });
  await sweepUse(transaction);
  return [...exceededLimits];
}

interface Sum {
  readonly counter: Counter;
  readonly sum: Units;
}

/** What acts add to each counter. An act with two limits that share a counter adds to it once. */
function sumUp(acts: readonly (readonly Charge[])[]): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const charges of acts) {
    const once = new Map(charges.map((charge) => [keyOf(charge.counter), charge]));
    for (const [key, { counter, amount }] of once) {
      sums.set(key, { counter, sum: amount + (sums.get(key)?.sum ?? 0n) });
    }
  }
  return sums;
}

const mostOf = ({ most }: Charge['limit']): Units => defined(readUnits(most));

interface Excess {
  readonly left: string;
  readonly wanted: Units;
  readonly endsAt: string;
}

function exceeded({ tool, limit }: Pick<Charge, 'tool' | 'limit'>, { left, wanted, endsAt }: Excess): string {
  const { id, of, per, within, most } = limit;
  const what = `${of ?? 'acts'}${per === null ? '' : ` for each ${per}`}`;
  return `the limit ${id} of ${tool} allows ${most} of ${what} in one ${within}; ${left} is left until ${endsAt}, and ${writeUnits(wanted, most)} is needed`;
}

export interface LimitsNow {
  readonly limits: readonly LimitNow[];
  /** Why the action is refused; undefined if it is within its limits. */
  readonly refusal: string | undefined;
}

/** What is left of the limits of an action now, after the earlier actions of its run, which are not recorded yet. */
export async function readLimits(
  transaction: TenantTransaction,
  done: readonly LimitedAct[],
  action: LimitedAct,
): Promise<LimitsNow> {
  const charges = chargesOf(action);
  const uses = await readUse(
    transaction,
    charges.map(({ counter }) => counter),
  );
  const before = sumUp(done.map(chargesOf));
  const limits: LimitNow[] = [];
  let refusal: string | undefined;
  for (const { tool, limit, counter, amount } of charges) {
    const { used, endsAt } = defined(uses.get(keyOf(counter)));
    const left = mostOf(limit) - used - (before.get(keyOf(counter))?.sum ?? 0n);
    const { id, most, within } = limit;
    const shown = writeUnits(left < 0n ? 0n : left, most);
    limits.push({ id, most, within, used: writeUnits(used, most), left: shown, window_ends_at: endsAt });
    if (amount > left) refusal ??= exceeded({ tool, limit }, { left: shown, wanted: amount, endsAt });
  }
  return { limits, refusal };
}
