import { CLOCK_TOLERANCE } from '../../exact/instants.ts';
import { type Expression, literal, type Quantified, type Term, type Unique } from '../../plan/language/terms.ts';
import { walkExpressions } from '../../plan/language/walk.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import { bindTo } from '../elaborate/candidates.ts';
import { definitely, elaborate } from '../elaborate/elaborate.ts';
import type { ActionElement } from '../elaborate/element.ts';
import {
  all,
  any,
  asQuantity,
  asTruth,
  conjunction,
  disjunction,
  equality,
  isFalse,
  negation,
  not,
  type Quantity,
  TRUE,
} from '../elaborate/kleene.ts';
import type { EncodingSession, Scope } from '../elaborate/scope.ts';
import { conditionsOf } from './conditions.ts';
import type { RemainingActions } from './remaining-actions.ts';

/** Witnesses that are made for one abstraction. Each costs the conditions of its step. */
const MAX_WITNESSES = 32;
/** Truths that are applied to witnesses. A rule may ask one for each row of a table. */
const MAX_APPLIED = 256;
/** Rows of a table that are gone through for one witness. */
const MAX_ROWS = 256;

/**
 * Single actions that follow, and what is true of them: all actions of a step obey its conditions, and what holds for all of
 * them, or for some, holds for a witness. So rules that contradict each other in one action are found without writing out
 * the run.
 */
export interface Witnesses {
  /** Notes what follows for witnesses if the aggregate over the actions that follow is true. */
  imply(isTrue: Term, node: Quantified | Unique, remaining: RemainingActions, scope: Scope): void;
  /**
   * The least or greatest value over the actions that follow, if none was done: that of a witness.
   * @returns undefined if there are too many witnesses
   */
  attain(node: Quantified, remaining: RemainingActions, scope: Scope): Quantity | undefined;
  /** Sums of numbers that are never negative are at least those of each witness. Asked when all rules are written out. */
  boundSums(): void;
}

interface WitnessOptions {
  readonly plan: Plan;
  readonly session: EncodingSession;
  /** Some action of the step, in some state. The same name gives the same one. */
  readonly actionOf: (step: Step, name?: string) => Scope;
}

interface WitnessAction {
  readonly remaining: RemainingActions;
  readonly element: ActionElement;
  /** Whether it exists. */
  readonly isThere: Term;
  /** That it is done while the plan is approved. */
  readonly times: Term;
  /** That it obeys the conditions of its step. */
  readonly conditions: readonly Term[];
}

export function createWitnesses({ plan, session, actionOf }: WitnessOptions): Witnesses {
  const made: WitnessAction[] = [];
  let applied = 0;
  const ofAll = new Map<RemainingActions, WitnessAction>();
  const claim = (term: Term) => {
    session.spend(2);
    session.facts.push({ id: '/summarized', term });
  };

  function create(remaining: RemainingActions, isThere: Term, name?: string): WitnessAction {
    const { step } = remaining;
    const action = actionOf(step, name);
    const { arg = NO_TERMS, resp = NO_TERMS } = action.names;
    const { started, ended } = action.own ?? NEVER;
    // No other element has the position.
    const element = { kind: 'action', position: -2 - made.length, arg, resp, started, ended, span: undefined } as const;
    const times: Term = all([
      { op: '<=', left: { op: '+', args: [session.run.approvedAt, literal(-CLOCK_TOLERANCE)] }, right: started },
      { op: '<=', left: started, right: ended },
      { op: '<=', left: started, right: literal(session.expiresAt) },
    ]);
    const conditions = conditionsOf(step, plan)
      .filter((each) => isShort(each, plan))
      .map((each) => definitely(each, action));
    const witness = { remaining, element, isThere, times, conditions };
    made.push(witness);
    return witness;
  }

  /** The one that stands for all actions of the step. Its conditions are rules, so that a core can name them. */
  function anyOf(remaining: RemainingActions): WitnessAction {
    const known = ofAll.get(remaining);
    if (known !== undefined) return known;
    const witness = create(remaining, not(atMost(remaining.count, 0n)));
    ofAll.set(remaining, witness);
    claim(any([not(witness.isThere), witness.times]));
    return witness;
  }

  function canApply(node: Quantified | Unique): boolean {
    applied += 1;
    return made.length < MAX_WITNESSES && applied <= MAX_APPLIED && isShort(node, plan) && !comparesPlaces(node);
  }

  const obeysIf = (witness: WitnessAction, ...holds: readonly Term[]) =>
    claim(any([not(witness.isThere), all([witness.times, ...witness.conditions, ...holds])]));

  return {
    imply(isTrue, node, remaining, scope) {
      if (!canApply(node)) return;
      const truthIn = (expression: Expression | undefined, witness: WitnessAction) =>
        expression === undefined ? ALWAYS : asTruth(elaborate(expression, bindTo(scope, node.binder, witness.element)));
      const name = `witness/${made.length}`;
      if (node.op === 'all') {
        const witness = anyOf(remaining);
        const holds = disjunction([negation(truthIn(node.condition, witness)), truthIn(node.body, witness)]);
        claim(any([not(isTrue), not(witness.isThere), holds.isTrue]));
      } else if (node.op === 'any') {
        const witness = create(remaining, isTrue, name);
        obeysIf(witness, conjunction([truthIn(node.condition, witness), truthIn(node.body, witness)]).isTrue);
      } else if (node.op === 'unique') {
        const isThere = all([isTrue, not(atMost(remaining.count, 1n))]);
        const pair = [create(remaining, isThere, name), create(remaining, isThere, `${name}/other`)] as const;
        const [one, other] = pair.map((each) => {
          const inside = bindTo(scope, node.binder, each.element);
          return node.keys.map((key) => elaborate(key, inside));
        });
        const differ = (one ?? []).map((key, index) => isFalse(equality(key, other?.[index] ?? key)));
        const doCount = pair.map((each) => not(truthIn(node.condition, each).isTrue));
        for (const each of pair) obeysIf(each);
        claim(any([not(isThere), ...doCount, ...differ]));
      }
    },
    attain(node, remaining, scope) {
      const { op, body, condition } = node;
      if (body === undefined || !canApply(node)) return undefined;
      const name = `witness/${made.length}`;
      const isThere = session.open(`/summarized/${name}`, { type: 'bool' });
      const partIn = (witness: WitnessAction) => {
        const inside = bindTo(scope, node.binder, witness.element);
        const counts = condition === undefined ? ALWAYS : asTruth(elaborate(condition, inside));
        return { ...asQuantity(elaborate(body, inside)), counts: counts.isTrue };
      };
      const witness = create(remaining, isThere, name);
      const [own, each] = [partIn(witness), partIn(anyOf(remaining))];
      obeysIf(witness, not(atMost(remaining.count, 0n)), own.counts);
      const [low, high] = op === 'least' ? [own, each] : [each, own];
      claim(
        any([
          not(isThere),
          not(anyOf(remaining).isThere),
          not(each.counts),
          { op: '<=', left: low.value, right: high.value },
        ]),
      );
      return { value: own.value, isDefined: all([isThere, own.isDefined ?? TRUE]) };
    },
    boundSums() {
      for (const { remaining, element, isThere } of made) {
        for (const { scope, name, sum, interval } of remaining.bases()) {
          const value = (scope === 'arg' ? element.arg : element.resp).get(name);
          if (value !== undefined && interval.min !== undefined && interval.min >= 0n)
            claim(any([not(isThere), { op: '<=', left: value, right: sum }]));
        }
      }
    },
  };
}

const NO_TERMS: ReadonlyMap<string, Term> = new Map();
const NEVER = { started: literal(0n), ended: literal(0n) };
const ALWAYS = { isTrue: TRUE, isFalse: undefined };

const atMost = (count: Term, max: bigint): Term => ({ op: '<=', left: count, right: literal(max) });

/** Whether it goes through no large table. */
export function isShort(expression: Expression, plan: Plan): boolean {
  let is = true;
  walkExpressions([expression], (node) => {
    const rows = 'range' in node && node.range.kind === 'table' ? plan.tables.get(node.range.name)?.rows.length : 0;
    if ((rows ?? 0) > MAX_ROWS) is = false;
  });
  return is;
}

/** Whether it asks which action comes first: a witness has no place in the run. */
function comparesPlaces(node: Quantified | Unique): boolean {
  let does = false;
  walkExpressions([node], ({ op }) => {
    if (op === 'precedes') does = true;
  });
  return does;
}
