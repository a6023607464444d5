import { type Expression, literal, type Quantified, type Term, type Unique } from '../../plan/language/terms.ts';
import type { Value } from '../../plan/language/values.ts';
import { walkExpressions } from '../../plan/language/walk.ts';
import { keyText } from '../../plan/read/read-table.ts';
import { elaborate } from '../elaborate/elaborate.ts';
import type { ActionElement } from '../elaborate/element.ts';
import { all, any, certain, knownOutcome, type Outcome, total } from '../elaborate/kleene.ts';
import type { Scope } from '../elaborate/scope.ts';
import { type CountedRow, sumOf } from './remaining-actions.ts';

const ZERO = literal(0n);

/**
 * An aggregate over actions that may follow, each of which has a listed row: exact in how many have each row.
 * @returns undefined if it depends on more than the rows give
 */
export function overRows(node: Quantified | Unique, rows: readonly CountedRow[], scope: Scope): Outcome | undefined {
  if (!rows.every(({ args }) => isGiven(node, args))) return undefined;
  const known: KnownRow[] = [];
  for (const { args, times } of rows) {
    const valueIn = evaluatorOf(node.binder, args, scope);
    const counts = node.condition === undefined ? true : valueIn(node.condition);
    if (counts === undefined) return undefined;
    if (counts === true) known.push({ times, valueIn });
  }
  return node.op === 'unique' ? uniqueOver(node, known) : aggregateOver(node, known);
}

/** A row whose actions meet the condition. */
interface KnownRow {
  readonly times: Term;
  /** Undefined if the row does not decide it. */
  readonly valueIn: (expression: Expression) => Value | undefined;
}

/** Whether the aggregate asks for arguments of the row alone, of all parts of the actions. */
function isGiven(node: Quantified | Unique, args: ReadonlyMap<string, Value>): boolean {
  let isSo = true;
  walkExpressions([node], (part) => {
    if (part.op === 'part' && part.binder === node.binder) {
      const names = [part.name, ...(part.needs ?? [])];
      if (part.part !== 'arg' || !names.every((name) => args.has(name))) isSo = false;
    }
    if (part.op === 'precedes' && (part.first === node.binder || part.second === node.binder)) isSo = false;
  });
  return isSo;
}

function evaluatorOf(binder: string, args: ReadonlyMap<string, Value>, scope: Scope): KnownRow['valueIn'] {
  const arg = new Map([...args].map(([name, value]) => [name, literal(value)]));
  const none = { resp: new Map(), started: ZERO, ended: ZERO, span: undefined };
  const element: ActionElement = { kind: 'action', position: -1, arg, ...none };
  const inside = { ...scope, bound: new Map([...scope.bound, [binder, element]]), memo: new Map() };
  return (expression) => knownOutcome(elaborate(expression, inside));
}

function aggregateOver({ op, body }: Quantified, rows: readonly KnownRow[]): Outcome | undefined {
  if (op === 'number') return total(sumOf(rows.map(({ times }) => times)));
  if (op === 'least' || op === 'greatest' || body === undefined) return undefined;
  const values = rows.map(({ times, valueIn }) => ({ times, value: valueIn(body) }));
  if (op === 'total') {
    const parts = values.flatMap(({ times, value }) => (typeof value === 'bigint' ? [timesBy(times, value)] : []));
    return parts.length === values.length ? total(sumOf(parts)) : undefined;
  }
  if (values.some(({ value }) => value === undefined)) return undefined;
  if (op === 'all') return certain(all(values.flatMap(({ times, value }) => (value === false ? [isNone(times)] : []))));
  return certain(any(values.flatMap(({ times, value }) => (value === true ? [isSome(times)] : []))));
}

/** At most one action has each key, among those that follow. */
function uniqueOver({ keys }: Unique, rows: readonly KnownRow[]): Outcome | undefined {
  const byKey = new Map<string, Term[]>();
  for (const { times, valueIn } of rows) {
    const values = keys.map(valueIn).filter((value) => value !== undefined);
    if (values.length < keys.length) return undefined;
    const key = keyText(values);
    byKey.set(key, [...(byKey.get(key) ?? []), times]);
  }
  return certain(all([...byKey.values()].map((times) => ({ op: '<=', left: sumOf(times), right: literal(1n) }))));
}

const timesBy = (times: Term, by: bigint): Term => ({ op: '*', arg: times, by });
const isNone = (times: Term): Term => ({ op: '<=', left: times, right: ZERO });
const isSome = (times: Term): Term => ({ op: '<=', left: literal(1n), right: times });
