import { defined } from '../../exact/defined.ts';
import { columnInterval } from '../../plan/bounds/numbers.ts';
import type { AtKey, Lookup, Membership, Quantified, Term, Unique } from '../../plan/language/terms.ts';
import { literal } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import type { Plan } from '../../plan/plan.ts';
import { decisiveIn } from '../elaborate/candidates.ts';
import {
  allDefined,
  any,
  asQuantity,
  asTruth,
  atom,
  certain,
  conjunction,
  disjunction,
  isNeverDefined,
  isTruth,
  knownOutcome,
  not,
  type Outcome,
  type Quantity,
  TRUE,
  type Truth,
  total,
} from '../elaborate/kleene.ts';
import type { EncodingSession, Scope, SummarizedActions } from '../elaborate/scope.ts';
import { overRows } from './over-rows.ts';
import type { RemainingActions } from './remaining-actions.ts';
import type { Witnesses } from './witnesses.ts';

const BOOL: ValueType = { type: 'bool' };
const MAX_WRITTEN_ROWS = 16;
const BIG = 10n ** 96n;
const NUMBER: ValueType = { type: 'int', min: -BIG, max: BIG };

interface SummaryOptions {
  readonly plan: Plan;
  readonly session: EncodingSession;
  readonly remaining: ReadonlyMap<string, RemainingActions>;
  /** Maps that actions may still change. */
  readonly changing: ReadonlySet<string>;
  /** What the rules say of single actions that follow. Undefined: nothing is derived from that. */
  readonly witnesses?: Witnesses;
}

/**
 * Outcomes over actions that may follow, without writing these out: a new variable that can have every value that is
 * possible, and maybe more. Equal aggregates over equal elements share it. What may be undefined counts as defined: a rule
 * that is true although a part of it is undefined is true whatever that part is.
 */
export function summarizeActions({ plan, session, remaining, changing, witnesses }: SummaryOptions): SummarizedActions {
  const shared = new Map<string, Outcome>();

  function share(id: string, make: () => Outcome): Outcome {
    const known = shared.get(id);
    if (known !== undefined) return known;
    const outcome = make();
    shared.set(id, outcome);
    return outcome;
  }

  const fresh = (type: ValueType): Term => {
    session.spend(1);
    return session.open(`/summarized/${session.variables.size}`, type);
  };

  /** A truth about actions that may follow. Without any, it is `empty`. */
  function truthOver({ count }: RemainingActions, empty: boolean): Truth {
    const isTrue = fresh(BOOL);
    const isNone: Term = { op: '<=', left: count, right: literal(0n) };
    session.facts.push({ id: '/summarized', term: any([not(isNone), empty ? isTrue : not(isTrue)]) });
    return certain(isTrue);
  }

  /** The outcome over the actions that may follow. */
  function overFollowing(
    node: Quantified | Unique,
    remaining: RemainingActions,
    { known, scope }: { readonly known: Outcome; readonly scope: Scope },
  ): Outcome {
    switch (node.op) {
      case 'all':
      case 'unique':
      case 'any': {
        const truth = truthOver(remaining, node.op !== 'any');
        witnesses?.imply(truth.isTrue, node, remaining, scope);
        return truth;
      }
      case 'number':
      case 'total':
        return sumOver(node, remaining);
      case 'least':
      case 'greatest':
        return isNeverDefined(known) ? (witnesses?.attain(node, remaining, scope) ?? anyNumber()) : anyNumber();
    }
  }

  function sumOver({ op, binder, body, condition }: Quantified, remaining: RemainingActions): Quantity {
    if (op === 'number' && condition === undefined) return total(remaining.count);
    return total(remaining.sum(body ?? literal(1n), { isPartial: condition !== undefined, binder }));
  }

  function anyNumber(): Quantity {
    return total(fresh(NUMBER));
  }

  return {
    over(node, known, scope) {
      const { range } = node;
      const id = `${textOf(node)} ${dependencies(node, scope)}`;
      const following = range.kind === 'step' ? remaining.get(range.name) : undefined;
      if (following === undefined || areTooLate(node, scope)) return known;
      const counted = following.rows && overRows(node, following.rows, scope);
      return combined(node, known, counted ?? share(id, () => overFollowing(node, following, { known, scope })));
    },
    at(node, scope, key) {
      const isChanging = node.op === 'at' && changing.has(node.map);
      const isOpen = key.some((one) => knownOutcome(one) === undefined);
      if (!isChanging && (!isOpen || isSmall(node))) return undefined;
      const id = `${textOf({ ...node, ...(node.op === 'at' ? {} : { keys: [] }) })} ${JSON.stringify(key, toText)} ${scope.bound.size}`;
      return share(id, () => lookedUp(node, key));
    },
  };

  /** Small tables are written out. */
  function isSmall(node: Lookup | Membership | AtKey): boolean {
    return node.op !== 'at' && defined(plan.tables.get(node.table)).rows.length <= MAX_WRITTEN_ROWS;
  }

  function lookedUp(node: Lookup | Membership | AtKey, key: readonly Outcome[]): Outcome {
    if (node.op === 'at') return fromType(node.type, TRUE);
    const table = defined(plan.tables.get(node.table));
    const isThere = asTruth(
      share(`in ${node.table} ${JSON.stringify(key, toText)}`, () => atom(fresh(BOOL), allDefined(key))),
    );
    if (node.op === 'in') return isThere;
    const outcome = fromType(node.type, isThere.isTrue);
    const span = columnInterval(table, node.column);
    if (span?.min !== undefined && span.max !== undefined && !isTruth(outcome)) {
      const { value } = outcome;
      const bounds: readonly Term[] = [
        { op: '<=', left: literal(span.min), right: value },
        { op: '<=', left: value, right: literal(span.max) },
      ];
      session.facts.push({ id: '/summarized', term: { op: 'and', args: bounds } });
    }
    return outcome;
  }

  function fromType(type: ValueType, isDefined: Term): Outcome {
    const term = fresh(type);
    const condition = knownIs(isDefined, true) ? undefined : isDefined;
    return type.type === 'bool' ? atom(term, condition) : { value: term, isDefined: condition };
  }
}

/** Whether elements must come before an action that is done or proposed: those that follow come later. */
function areTooLate(node: Quantified | Unique, { bound }: Scope): boolean {
  if (node.op === 'unique') return false;
  return decisiveIn(node).some((condition) => {
    if (condition.op !== 'precedes' || condition.first !== node.binder) return false;
    const later = bound.get(condition.second);
    return later?.kind === 'action' && later.position >= 0;
  });
}

const knownIs = (term: Term, value: boolean): boolean => term.op === 'literal' && term.value === value;

/** The outcome over the actions that were done and those that follow. */
function combined({ op }: Quantified | Unique, done: Outcome, following: Outcome): Outcome {
  switch (op) {
    case 'all':
    case 'unique':
      return conjunction([asTruth(done), asTruth(following)]);
    case 'any':
      return disjunction([asTruth(done), asTruth(following)]);
    case 'number':
    case 'total': {
      const [one, other] = [asQuantity(done), asQuantity(following)];
      return { value: { op: '+', args: [one.value, other.value] }, isDefined: allDefined([one, other]) };
    }
    case 'least':
    case 'greatest':
      // Any number.
      return following;
  }
}

/** The parts of outer elements that may make a difference. */
function dependencies(node: Quantified | Unique, { bound }: Scope): string {
  const text = textOf(node);
  const outer = [...bound].filter(([binder]) => text.includes(JSON.stringify(binder)));
  return JSON.stringify(
    outer.map(([binder, element]) => [binder, element.kind === 'action' ? element.position : element.row]),
    toText,
  );
}

const texts = new WeakMap<object, string>();

function textOf(expression: object): string {
  const known = texts.get(expression);
  if (known !== undefined) return known;
  const text = JSON.stringify(expression, toText);
  texts.set(expression, text);
  return text;
}

/** How a comparison is written makes no difference. */
const toText = (key: string, value: unknown): unknown =>
  key === 'written' ? undefined : typeof value === 'bigint' ? `${value}n` : value;
