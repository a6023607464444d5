import { defined } from '../../exact/defined.ts';
import { claimsOfRun, conjunctsOf } from '../claims.ts';
import type { Finding } from '../finding.ts';
import { groupsOf, neededFor, presenceOf, spokenPart } from '../language/parts.ts';
import type { Expression, Quantified, Range, Unique } from '../language/terms.ts';
import type { Value } from '../language/values.ts';
import { childrenOf, walkExpressions } from '../language/walk.ts';
import type { Plan, Step } from '../plan.ts';
import { typesOf } from '../read/tool-parts.ts';
import { type Ranges, walkWithRanges, withRange } from '../walk-ranges.ts';

/**
 * Runs without some actions: those of a step that need not be done, or, inside an aggregate over something else, those with
 * a part that equals a part of its element. Other actions are done.
 */
interface Without {
  readonly plan: Plan;
  readonly step: Step;
  readonly isOfElement: boolean;
}

type Aggregate = Quantified | Unique;

/**
 * Rules that say something of what was found out, and hold if nothing was: see `HOLDS_FOR_NOTHING` in `plan-text.md`. A rule
 * about what a step itself may do, such as `pay.all(p, p.amount <= 5.00)`, may hold for nothing.
 */
export function rulesForNothing(plan: Plan): readonly Finding[] {
  const found = plan.steps.flatMap((step): readonly Finding[] => {
    const ofRun = step.min > 0 || isAsked(step, plan) ? [] : findWithout({ plan, step, isOfElement: false });
    return [...ofRun, ...findWithout({ plan, step, isOfElement: true })];
  });
  // Actions that are not done at all are not done for an element either.
  return [...found, ...rulesForNoRow(plan), ...rulesForEmptyList(plan)].filter(({ path, message }, index) =>
    found.slice(0, index).every((other) => other.path !== path || other.message !== message),
  );
}

/** Whether a step comes after this one. If money moves, each step that moves it must, or one that is done in every run. */
function isAsked({ stepId }: Step, { steps }: Plan): boolean {
  const asking = new Set<Step>();
  const addAfter = (id: string): void => {
    for (const one of steps) {
      if (asking.has(one) || !one.after.some((each) => each.stepId === id && each.atLeast > 0)) continue;
      asking.add(one);
      addAfter(one.stepId);
    }
  };
  addAfter(stepId);
  const moving = steps.filter(({ tool }) => tool.effect === 'revenue_write');
  if (moving.length === 0) return asking.size > 0;
  return moving.every((step) => asking.has(step)) || [...asking].some(({ min }) => min > 0);
}

function rulesForNoRow(plan: Plan): readonly Finding[] {
  return claimsOfRun(plan).flatMap(({ id, expression }) => {
    let found: string | undefined;
    walkExpressions([expression], (node) => {
      if (node.op === 'all' && node.range.kind === 'table' && plan.tables.get(node.range.name)?.rows.length === 0)
        found = node.range.name;
    });
    if (found === undefined) return [];
    return [{ code: 'HOLDS_FOR_NOTHING', path: pathOf(id, plan), message: `holds although ${found} has no row` }];
  });
}

/**
 * Rules about each element of a list in a response, such as `check.all(c, c.results.all(r, r.ok))`, where the list may be empty and
 * no rule asks how long it is.
 */
function rulesForEmptyList(plan: Plan): readonly Finding[] {
  const claims = claimsOfRun(plan);
  return plan.steps.flatMap((step) => {
    const types = typesOf(step.tool.responds);
    return [...groupsOf(types)].flatMap(([name, { kind, parts }]): readonly Finding[] => {
      const mayBeEmpty = kind === 'list' && neededFor(defined(parts[0]), types).length > 0;
      const presences = new Set(parts.map(presenceOf));
      if (!mayBeEmpty) return [];
      const uses = claims.map(({ id, expression }) => ({ id, ...usesOf(expression, step, presences) }));
      if (uses.some(({ asks }) => asks)) return [];
      const message = `holds although ${spokenPart(name)} of ${step.stepId} is empty: let a rule ask for its size as well, or the catalogue give it one element or more`;
      return uses.flatMap(({ id, each }) =>
        each ? [{ code: 'HOLDS_FOR_NOTHING', path: pathOf(id, plan), message }] : [],
      );
    });
  });
}

/** `each`: whether a rule holds of elements that are not there. `asks`: whether it asks in another way what is there. */
function usesOf(rule: Expression, { stepId }: Step, presences: ReadonlySet<string>) {
  let [each, asks] = [false, false];
  const look = (node: Expression, outside: Ranges, isNegated: boolean): void => {
    const ranges = withRange(node, outside);
    if (node.op === 'part' && node.part === 'resp' && presences.has(node.name)) {
      const range = ranges.get(node.binder);
      if (range?.kind !== 'step' || range.name !== stepId) return;
      if (isNegated) each = true;
      else asks = true;
    }
    const isTurned = node.op === 'not' ? !isNegated : isNegated;
    const keeps = node.op === 'not' || node.op === 'and' || node.op === 'or' || node.op === 'all' || node.op === 'any';
    for (const part of childrenOf(node)) look(part, ranges, keeps ? isTurned : false);
  };
  look(rule, new Map(), false);
  return { each, asks };
}

const pathOf = (id: string | undefined, { constraints }: Plan): string =>
  id === undefined ? '/sheets' : `/constraints/${constraints.findIndex((rule) => rule.id === id)}`;

function findWithout(without: Without): readonly Finding[] {
  const { plan, step } = without;
  const about = claimsOfRun(plan).filter(({ expression }) => isIn(expression, step));
  const claims = about.map(({ id, expression }) => ({
    id,
    parts: partsOf(expression, new Map(), without),
  }));
  if (claims.some(({ parts }) => parts.some(({ holds }) => !holds))) return [];
  return claims.flatMap(({ id, parts }) =>
    parts.flatMap(({ expression, ranges }): readonly Finding[] => {
      const asks = questionIn(expression, ranges, without);
      if (asks === undefined) return [];
      const { stepId } = step;
      const message =
        asks === 'of the run'
          ? `holds although ${stepId} was not done: write after: ${stepId}, or times: 1.. for it`
          : `holds although ${stepId} was not done for it: write ${stepId}.exists(…)`;
      return [{ code: 'HOLDS_FOR_NOTHING', path: pathOf(id, plan), message }];
    }),
  );
}

/** A part of a rule about the actions that are left out. `holds`: whether it is true without them. */
interface Part {
  readonly expression: Expression;
  readonly ranges: Ranges;
  readonly holds: boolean;
}

/** The largest parts of a rule that are known without the actions, and comparisons that depend on them. */
function partsOf(expression: Expression, ranges: Ranges, without: Without): readonly Part[] {
  if (!isAbout(expression, ranges, without)) return [];
  const value = valueWithout(expression, ranges, without);
  if (value !== undefined) return [{ expression, ranges, holds: value === true }];
  const inside = withRange(expression, ranges);
  switch (expression.op) {
    case 'and':
    case 'or':
    case 'ite':
    case 'all':
    case 'any':
      return childrenOf(expression).flatMap((child) => partsOf(child, inside, without));
    case '<':
    case '<=':
      // A maximum asks for nothing.
      return isAbout(expression.right, ranges, without) ? [{ expression, ranges, holds: false }] : [];
    default:
      return [{ expression, ranges, holds: false }];
  }
}

/** Whether an expression has an aggregate over the step. */
function isIn(expression: Expression, step: Step): boolean {
  let found = false;
  walkExpressions([expression], (node) => {
    found ||= 'range' in node && isOver(node.range, step);
  });
  return found;
}

const isOver = ({ kind, name }: Range, { stepId }: Step): boolean => kind === 'step' && name === stepId;

/** Whether an expression depends on the actions that are left out. */
function isAbout(expression: Expression, ranges: Ranges, without: Without): boolean {
  if (!without.isOfElement) return isIn(expression, without.step);
  let found = false;
  walkWithRanges(
    [expression],
    (node, inside) => {
      found ||= isOfElement(node, inside, without.step);
    },
    ranges,
  );
  return found;
}

/** Whether an equation ties an action of the step to an element of something else. */
function isOfElement(node: Expression, ranges: Ranges, step: Step): boolean {
  if (node.op !== '=' || node.left.op !== 'part' || node.right.op !== 'part') return false;
  const sides = [node.left, node.right].map(({ binder }) => ranges.get(binder));
  return sides.filter((range) => range !== undefined && isOver(range, step)).length === 1;
}

/** The value that an expression has without the actions. Undefined: it depends on others. */
function valueWithout(node: Expression, ranges: Ranges, without: Without): Value | undefined {
  const inside = withRange(node, ranges);
  const of = (part: Expression) => valueWithout(part, inside, without);
  switch (node.op) {
    case 'literal':
      return node.value;
    case 'reference':
      return node.scope === 'var' ? without.plan.variables.get(node.name)?.value : undefined;
    case 'not': {
      const value = of(node.arg);
      return value === undefined ? undefined : value === false;
    }
    case 'and':
      return allOf(node.args.map(of), false);
    case 'or':
      return allOf(node.args.map(of), true);
    case 'ite': {
      const condition = of(node.condition);
      return condition === undefined ? undefined : of(condition === true ? node.whenTrue : node.whenFalse);
    }
    case '=':
    case '<':
    case '<=': {
      if (without.isOfElement && isOfElement(node, ranges, without.step)) return false;
      const [left, right] = [of(node.left), of(node.right)];
      if (left === undefined || right === undefined) return undefined;
      if (node.op === '=') return left === right;
      return node.op === '<' ? left < right : left <= right;
    }
    case '+':
      return sumOf(node.args.map(of));
    case '*': {
      const value = of(node.arg);
      return typeof value === 'bigint' ? value * node.by : undefined;
    }
    case 'times': {
      const [left, right] = [of(node.left), of(node.right)];
      return typeof left === 'bigint' && typeof right === 'bigint' ? left * right : undefined;
    }
    default:
      return 'range' in node ? ofAggregate(node, of, without) : undefined;
  }
}

/** What `and` (of false) or `or` (of true) makes of operands: one that decides, or the opposite if none can. */
function allOf(values: readonly (Value | undefined)[], decides: boolean): boolean | undefined {
  if (values.includes(decides)) return decides;
  return values.includes(undefined) ? undefined : !decides;
}

function sumOf(values: readonly (Value | undefined)[]): bigint | undefined {
  const known = values.filter((value) => typeof value === 'bigint');
  return known.length === values.length ? known.reduce((sum, value) => sum + value, 0n) : undefined;
}

function ofAggregate(node: Aggregate, of: (part: Expression) => Value | undefined, without: Without) {
  const isLeftOut = !without.isOfElement && isOver(node.range, without.step);
  const condition = node.condition && of(node.condition);
  const body = node.op === 'unique' || node.body === undefined ? undefined : of(node.body);
  const isNothing = isLeftOut || condition === false;
  switch (node.op) {
    case 'all':
      return isNothing || body === true ? true : undefined;
    case 'any':
      return isNothing || body === false ? false : undefined;
    case 'unique':
      return isNothing ? true : undefined;
    case 'number':
    case 'total':
      return isNothing ? 0n : undefined;
    default:
      return undefined;
  }
}

/** Whether a part of a rule asks what the actions found out, and of what: of the run, or of an element around it. */
function questionIn(root: Expression, ranges: Ranges, without: Without): 'of the run' | 'of an element' | undefined {
  const { step } = without;
  let found: 'of the run' | 'of an element' | undefined;
  const look = (expression: Expression, outside: Ranges): void => {
    if (isMaximum(expression, outside, without)) return;
    if ('range' in expression && isOver(expression.range, step)) {
      const isInside = [...outside.values()].some((range) => !isOver(range, step));
      const isRead =
        expression.op !== 'total' && readsResponse(expression) && (isInside || step.tool.effect === 'none');
      const inside = withRange(expression, outside);
      const isTied =
        expression.op === 'all' &&
        expression.body !== undefined &&
        conjunctsOf(expression.body).some((each) => isOfElement(each, inside, step));
      if (isRead || isTied) found ??= isInside ? 'of an element' : 'of the run';
    }
    for (const child of childrenOf(expression)) look(child, withRange(expression, outside));
  };
  look(root, ranges);
  return found;
}

/** Whether some such actions would be allowed: more than nothing. */
function isMaximum(node: Expression, ranges: Ranges, without: Without): boolean {
  if (node.op !== '<' && node.op !== '<=') return false;
  const [left, right] = [node.left, node.right].map((side) => valueWithout(side, ranges, without));
  return typeof left === 'bigint' && typeof right === 'bigint' && right - left > (node.op === '<' ? 1n : 0n);
}

function readsResponse(aggregate: Aggregate): boolean {
  let found = false;
  walkExpressions([aggregate], (node) => {
    if (node.op === 'part' && node.part === 'resp' && node.binder === aggregate.binder) found = true;
  });
  return found;
}
