import { defined } from '../../exact/defined.ts';
import { columnInterval } from '../../plan/bounds/numbers.ts';
import type { AtKey, Lookup, Membership, Quantified, Term, Unique } from '../../plan/language/terms.ts';
import { literal } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import type { Plan } from '../../plan/plan.ts';
import {
  allDefined,
  any,
  asQuantity,
  asTruth,
  atom,
  certain,
  conjunction,
  disjunction,
  FALSE,
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
import type { Beyond, Session, Situation } from '../elaborate/situation.ts';
import type { Examples } from './examples.ts';
import { overRows } from './over-rows.ts';
import type { Rest } from './rest.ts';

const BOOL: ValueType = { type: 'bool' };
const MAX_WRITTEN_ROWS = 16;
const BIG = 10n ** 96n;
const NUMBER: ValueType = { type: 'int', min: -BIG, max: BIG };

export interface BeyondOptions {
  readonly plan: Plan;
  readonly session: Session;
  readonly rests: ReadonlyMap<string, Rest>;
  /** Maps that actions may still change. */
  readonly changing: ReadonlySet<string>;
  /** What the rules say of single actions that follow. Undefined: nothing is derived from that. */
  readonly examples?: Examples;
}

/**
 * Outcomes over actions that may follow, without writing these out: a new variable that can have every value that is
 * possible, and maybe more. Equal aggregates over equal elements share it. What may be undefined counts as defined: a rule
 * that is true although a part of it is undefined is true whatever that part is.
 */
export function createBeyond({ plan, session, rests, changing, examples }: BeyondOptions): Beyond {
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
    return session.open(`/beyond/${session.variables.size}`, type);
  };

  /** A truth about actions that may follow. Without any, it is `empty`. */
  function truthOver({ count }: Rest, empty: boolean): Truth {
    const isTrue = fresh(BOOL);
    const isNone: Term = { op: '<=', left: count, right: literal(0n) };
    session.facts.push({ id: '/beyond', term: any([not(isNone), empty ? isTrue : not(isTrue)]) });
    return certain(isTrue);
  }

  /** The outcome over the actions that may follow. */
  function overRest(
    node: Quantified | Unique,
    rest: Rest,
    { known, situation }: { readonly known: Outcome; readonly situation: Situation },
  ): Outcome {
    switch (node.op) {
      case 'all':
      case 'unique':
      case 'any': {
        const truth = truthOver(rest, node.op !== 'any');
        examples?.imply(truth.isTrue, node, rest, situation);
        return truth;
      }
      case 'number':
      case 'total':
        return sumOver(node, rest);
      case 'least':
      case 'greatest':
        return isNeverDefined(known) ? (examples?.attain(node, rest, situation) ?? anyNumber()) : anyNumber();
    }
  }

  function sumOver({ op, binder, body, condition }: Quantified, rest: Rest): Quantity {
    if (op === 'number' && condition === undefined) return total(rest.count);
    return total(rest.sum(body ?? literal(1n), { isPartial: condition !== undefined, binder }));
  }

  function anyNumber(): Quantity {
    return total(fresh(NUMBER));
  }

  return {
    over(node, known, situation) {
      const { range } = node;
      const id = `${textOf(node)} ${dependencies(node, situation)}`;
      const rest = range.kind === 'step' ? rests.get(range.name) : undefined;
      if (rest === undefined) return known;
      const counted = rest.rows && overRows(node, rest.rows, situation);
      return combined(node, known, counted ?? share(id, () => overRest(node, rest, { known, situation })));
    },
    at(node, situation, key) {
      const isChanging = node.op === 'at' && changing.has(node.map);
      const isOpen = key.some((one) => knownOutcome(one) === undefined);
      if (!isChanging && (!isOpen || isSmall(node))) return undefined;
      const id = `${textOf({ ...node, ...(node.op === 'at' ? {} : { keys: [] }) })} ${JSON.stringify(key, toText)} ${situation.bound.size}`;
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
      share(`in ${node.table} ${JSON.stringify(key, toText)}`, () => isIn(table.rows.length, key)),
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
      session.facts.push({ id: '/beyond', term: { op: 'and', args: bounds } });
    }
    return outcome;
  }

  function isIn(rows: number, key: readonly Outcome[]): Truth {
    return atom(rows === 0 ? FALSE : fresh(BOOL), allDefined(key));
  }

  function fromType(type: ValueType, isDefined: Term): Outcome {
    const term = fresh(type);
    const condition = knownIs(isDefined, true) ? undefined : isDefined;
    return type.type === 'bool' ? atom(term, condition) : { value: term, isDefined: condition };
  }
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
function dependencies(node: Quantified | Unique, { bound }: Situation): string {
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
