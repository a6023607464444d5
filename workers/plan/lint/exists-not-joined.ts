import { isDeepStrictEqual } from 'node:util';
import { claimsOfRun, conjunctsOf } from '../claims.ts';
import type { Finding } from '../finding.ts';
import type { Expression, Quantified } from '../language/terms.ts';
import { childrenOf, rewrite } from '../language/walk.ts';
import type { Plan, Step } from '../plan.ts';

/** An `exists` over a step, inside `all`. */
interface Found {
  readonly id: string | undefined;
  readonly step: Step;
  /** Names of what the `all` around it range over. */
  readonly about: string;
  /** Its conditions, with names that are the same in each rule. */
  readonly conditions: readonly Expression[];
  /** The alternatives in which it is: the place in each `or` and each choice. */
  readonly branches: ReadonlyMap<Expression, number>;
}

/** Each is compared with all others. */
const MAX_EXISTS = 256;

/**
 * Pairs of `exists` over one step, about the same action or row, that two actions of it can meet between them: see
 * `EXISTS_NOT_JOINED` in `plan-text.md`.
 */
export function existsNotJoined(plan: Plan): readonly Finding[] {
  const all = claimsOfRun(plan)
    .flatMap(({ id, expression }) => existsIn(expression, { plan, id, outer: [], branches: new Map() }))
    .slice(0, MAX_EXISTS);
  return all.flatMap((one, index) => {
    const other = all.slice(0, index).find((each) => areApart(each, one, plan));
    if (other === undefined) return [];
    const path =
      one.id === undefined ? '/sheets' : `/constraints/${plan.constraints.findIndex(({ id }) => id === one.id)}`;
    const where = other.id === one.id ? '' : `, here and in ${other.id ?? 'a sheet'},`;
    const { stepId } = one.step;
    const message = `two exists over ${stepId}${where} can be met by different actions: write one ${stepId}.exists(…) with the conditions of both`;
    return [{ code: 'EXISTS_NOT_JOINED', path, message }];
  });
}

interface Place {
  readonly plan: Plan;
  readonly id: string | undefined;
  readonly outer: readonly Quantified[];
  readonly branches: ReadonlyMap<Expression, number>;
}

/** Those that must hold, or one of alternatives. What one of them has inside is joined with it. */
function existsIn(expression: Expression, place: Place): readonly Found[] {
  switch (expression.op) {
    case '<':
    case '<=': {
      // `count(look, l, …) >= 1`
      const { left, right } = expression;
      const isOne = left.op === 'literal' && left.value === (expression.op === '<' ? 0n : 1n);
      return isOne && right.op === 'number' && right.condition !== undefined
        ? existsIn({ ...right, op: 'any', body: right.condition, condition: undefined }, place)
        : [];
    }
    case 'and':
      return expression.args.flatMap((each) => existsIn(each, place));
    case 'or':
    case 'ite':
      return childrenOf(expression).flatMap((each, index) =>
        existsIn(each, { ...place, branches: new Map([...place.branches, [expression, index]]) }),
      );
    case 'all':
      return expression.body === undefined
        ? []
        : existsIn(expression.body, { ...place, outer: [...place.outer, expression] });
    case 'any': {
      const step = place.plan.steps.find(
        ({ stepId }) => expression.range.kind === 'step' && stepId === expression.range.name,
      );
      if (step === undefined || step.max <= 1 || place.outer.length === 0 || expression.body === undefined) return [];
      const names = new Map([...place.outer, expression].map(({ binder }, index) => [binder, `${index}`]));
      return [
        {
          ...place,
          step,
          about: place.outer.map(({ range }) => `${range.kind} ${range.name}`).join(),
          conditions: conjunctsOf(renamed(expression.body, names)),
        },
      ];
    }
    default:
      return [];
  }
}

const renamed = (expression: Expression, names: ReadonlyMap<string, string>): Expression => {
  const name = (binder: string) => names.get(binder) ?? binder;
  return rewrite(expression, (node) => {
    if (node.op === 'part') return { ...node, binder: name(node.binder) };
    return node.op === 'precedes' ? { ...node, first: name(node.first), second: name(node.second) } : undefined;
  });
};

function areApart(one: Found, other: Found, plan: Plan): boolean {
  if (one.step !== other.step || one.about !== other.about) return false;
  for (const [choice, branch] of one.branches) if ((other.branches.get(choice) ?? branch) !== branch) return false;
  const has = ({ conditions }: Found, wanted: Expression) => conditions.some((each) => isDeepStrictEqual(each, wanted));
  const implies = (more: Found, less: Found) => less.conditions.every((each) => has(more, each));
  if (implies(one, other) || implies(other, one)) return false;
  const [mine, its] = [equatedIn(one), equatedIn(other)];
  const both = [...mine.keys()].filter((part) => its.has(part));
  // Two values of one part: two actions are meant.
  if (both.some((part) => !isDeepStrictEqual(mine.get(part), its.get(part)))) return false;
  const denialOf = (each: Expression): Expression => {
    if (each.op === 'precedes') return { ...each, first: each.second, second: each.first };
    return each.op === 'not' ? each.arg : { op: 'not', arg: each };
  };
  const isDenied = (each: Expression) => has(other, denialOf(each));
  return !one.conditions.some(isDenied) && !identifies(new Set(both), one.step, plan);
}

/** What the parts of the action must equal. */
function equatedIn({ conditions, about }: Found): ReadonlyMap<string, Expression> {
  const own = `${about.split(',').length}`;
  const partOf = (side: Expression) =>
    side.op === 'part' && side.binder === own ? `${side.part} ${side.name}` : undefined;
  return new Map(
    conditions.flatMap((each) => {
      if (each.op !== '=') return [];
      const [left, right] = [partOf(each.left), partOf(each.right)];
      if (left !== undefined) return [[left, each.right] as const];
      return right === undefined ? [] : [[right, each.left] as const];
    }),
  );
}

/** Whether no two actions of the step have the same in these parts: the identity of what moves money, or what a rule says is unique. */
function identifies(parts: ReadonlySet<string>, { stepId, tool }: Step, plan: Plan): boolean {
  if (tool.effect === 'revenue_write' && parts.has(`resp ${tool.identity}`)) return true;
  return claimsOfRun(plan).some(
    ({ expression: rule }) =>
      rule.op === 'unique' &&
      rule.range.kind === 'step' &&
      rule.range.name === stepId &&
      rule.condition === undefined &&
      rule.keys.every((key) => key.op === 'part' && parts.has(`${key.part} ${key.name}`)),
  );
}
