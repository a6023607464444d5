import { defined } from '../../../workers/exact/defined.ts';
import type { LimitNow } from '../contract/catalogue.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { fromNumeric, readUnits, toNumeric, type Units, writeUnits } from './amounts.ts';
import { type Charge, type Counter, chargesOf, keyOf, type LimitedAct, ONE_ACT } from './charges.ts';
import { addUse, readUse, sweepUse, type Use, type Window } from './limit-use.ts';
import { type Grant, type Grants, type Reservation, readReserved, useReservations } from './reservations.ts';

/**
 * Counts the acts of an execution, in the transaction that records it. A counter rises to at most one above its limits: an invented
 * amount must not block the acts of a day.
 * @param used the reservations of the acts
 * @returns the limits that were exceeded
 * @throws {ServiceError} MALFORMED_INPUT
 */
export async function countActs(
  transaction: TenantTransaction,
  acts: readonly LimitedAct[],
  { used, ...window }: Window & { readonly used: readonly Reservation[] },
): Promise<readonly string[]> {
  const charges = acts.map(chargesOf);
  const sums = sumUp(charges);
  if (sums.size === 0) {
    await useReservations(transaction, used);
    return [];
  }
  const uses = await lockUse(transaction, sums, window);
  const granted = await useReservations(transaction, used);
  const reserved = await readReserved(transaction, [...sums.keys()]);
  const caps = new Map<string, Units>();
  const exceededLimits = new Set<string>();
  for (const charge of charges.flat()) {
    const key = keyOf(charge.counter);
    const { sum } = defined(sums.get(key));
    const cap = mostOf(charge.limit) + ONE_ACT;
    if (cap > (caps.get(key) ?? 0n)) caps.set(key, cap);
    const { refusal } = judge(charge, { use: defined(uses.get(key)), reserved: reserved.get(key), sum, granted });
    if (refusal !== undefined) exceededLimits.add(refusal);
  }
  const added = Array.from(sums, ([key, { counter, sum }]): [Counter, Units] => {
    const room = defined(caps.get(key)) - defined(uses.get(key)).used;
    return [counter, sum < room ? sum : room < 0n ? 0n : room];
  });
  await addUse(transaction, new Map(added), window);
  await sweepUse(transaction);
  return [...exceededLimits];
}

type Sums = ReadonlyMap<string, { readonly counter: Counter; readonly sum: Units }>;

/** Locks the rows of counters before it is known what is added to them. */
const lockUse = (transaction: TenantTransaction, sums: Sums, window: Window) =>
  addUse(transaction, new Map([...sums.values()].map(({ counter }) => [counter, 0n])), window);

/** What acts add to each counter. An act with two limits that share a counter adds to it once. */
function sumUp(acts: readonly (readonly Charge[])[]): Sums {
  const sums = new Map<string, { readonly counter: Counter; readonly sum: Units }>();
  for (const charges of acts) {
    const once = new Map(charges.map((charge) => [keyOf(charge.counter), charge]));
    for (const [key, { counter, amount }] of once) {
      sums.set(key, { counter, sum: amount + (sums.get(key)?.sum ?? 0n) });
    }
  }
  return sums;
}

const mostOf = ({ most }: Pick<Charge['limit'], 'most'>): Units => defined(readUnits(most));

interface Account {
  readonly use: Use;
  /** By others. */
  readonly reserved: Units | undefined;
  /** What is needed of the counter, with what the run did before. */
  readonly sum: Units;
  readonly granted: readonly Grants[];
}

/**
 * What is left of a limit, and why that is not enough: undefined if it is, or if all that is needed was reserved under this limit, also
 * if that is nothing.
 */
function judge({ tool, limit, counter }: Charge, { use, reserved = 0n, sum, granted }: Account) {
  const most = mostOf(limit);
  const left = most - use.used - reserved;
  const key = keyOf(counter);
  const own = granted.reduce((total, { [key]: grant }) => total + (isFor(grant) ? fromNumeric(grant.amount) : 0n), 0n);
  function isFor(grant: Grant | undefined): grant is Grant {
    return grant !== undefined && grant.ends_at === use.endsAt && mostOf(grant) <= most;
  }
  if (sum <= left || sum <= own) return { left, refusal: undefined };
  const { id, of, per, within } = limit;
  const write = (units: Units) => writeUnits(units < 0n ? 0n : units, limit.most);
  const what = `${of ?? 'acts'}${per === null ? '' : ` for each ${per}`}`;
  const held = reserved === 0n ? '' : ` ${write(reserved)} is reserved,`;
  const refusal = `the limit ${id} of ${tool} allows ${limit.most} of ${what} in one ${within}; ${write(left)} is left until ${use.endsAt},${held} and ${write(sum)} is needed`;
  return { left, refusal };
}

export interface LimitsNow {
  readonly limits: readonly LimitNow[];
  /** Why the action is refused; undefined if it is within its limits. */
  readonly refusal: string | undefined;
}

interface NextAct {
  readonly action: LimitedAct;
  /** Earlier actions of its run, which are not recorded yet. */
  readonly done: readonly LimitedAct[];
  /** The reservations of these actions. */
  readonly own: readonly Reservation[];
}

/** What is left of the limits of an action now. */
export async function readLimits(transaction: TenantTransaction, { action, done, own }: NextAct): Promise<LimitsNow> {
  const charges = chargesOf(action);
  const counters = charges.map(({ counter }) => counter);
  const uses = await readUse(transaction, counters);
  const reserved = await readReserved(transaction, counters.map(keyOf), own);
  return limitsNow(charges, {
    uses,
    reserved,
    before: sumUp(done.map(chargesOf)),
    granted: own.map(({ grants }) => grants),
  });
}

interface State {
  readonly uses: ReadonlyMap<string, Use>;
  readonly reserved: ReadonlyMap<string, Units>;
  readonly before: Sums;
  readonly granted: readonly Grants[];
}

function limitsNow(charges: readonly Charge[], { uses, reserved, before, granted }: State): LimitsNow {
  const limits: LimitNow[] = [];
  let refused: string | undefined;
  for (const charge of charges) {
    const { amount, counter, limit } = charge;
    const key = keyOf(counter);
    const use = defined(uses.get(key));
    const earlier = before.get(key)?.sum ?? 0n;
    const account = { use, reserved: reserved.get(key), sum: earlier + amount, granted };
    const { left, refusal } = judge(charge, account);
    const { id, most, within } = limit;
    limits.push({
      ...{ id, most, within, used: writeUnits(use.used, most), reserved: writeUnits(account.reserved ?? 0n, most) },
      left: writeUnits(left > earlier ? left - earlier : 0n, most),
      window_ends_at: use.endsAt,
    });
    refused ??= refusal;
  }
  return { limits, refusal: refused };
}

/**
 * What an act would count, if it is within its limits. The rows of its counters stay locked until the transaction ends.
 * @throws {ServiceError} MALFORMED_INPUT
 */
export async function grantAct(
  transaction: TenantTransaction,
  act: LimitedAct,
  window: Window,
): Promise<LimitsNow & { readonly grants: Grants }> {
  const charges = chargesOf(act);
  const sums = sumUp([charges]);
  if (sums.size === 0) return { limits: [], refusal: undefined, grants: {} };
  const uses = await lockUse(transaction, sums, window);
  const reserved = await readReserved(transaction, [...sums.keys()]);
  const grants: Record<string, Grant> = {};
  for (const { counter, limit, amount } of charges) {
    const key = keyOf(counter);
    const before = grants[key];
    const most = before !== undefined && mostOf(before) < mostOf(limit) ? before.most : limit.most;
    grants[key] = { amount: toNumeric(amount), most, ends_at: defined(uses.get(key)).endsAt };
  }
  return { ...limitsNow(charges, { uses, reserved, before: new Map(), granted: [] }), grants };
}
