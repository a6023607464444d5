import { defined } from '../../exact/defined.ts';
import { claimsOfRun, claimsOfStep } from '../claims.ts';
import { effectsOf } from '../expressions.ts';
import type { Expression } from '../language/terms.ts';
import type { Plan, Step } from '../plan.ts';
import { type Ranges, walkWithRanges } from '../walk-ranges.ts';

/** Where a text that is compared comes from. */
export type TextSource =
  | { readonly kind: 'argument'; readonly step: Step; readonly name: string }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  | { readonly kind: 'text'; readonly text: string }
  /** Other actions of the same run: `unique`, or the keys of a state. */
  | { readonly kind: 'actions'; readonly what: string };

/** Two texts that must be equal, or must differ. */
export type TextComparison = readonly [TextSource, TextSource];

interface Place {
  readonly plan: Plan;
  /** The step whose action has the arguments that name no other action. */
  readonly own: Step | undefined;
  readonly ranges: Ranges;
}

/** All comparisons for equality in a plan, its sheets and its tools, as far as they name arguments, columns or texts. */
export function textComparisons(plan: Plan): readonly TextComparison[] {
  const ofSteps = plan.steps.flatMap((own) => {
    const binds = own.evidence.flatMap((kind) => kind.binds);
    const rules = [...binds, ...own.tool.post].map(({ expression }) => expression);
    const computed = [...claimsOfStep(own, plan), ...effectsOf(own), ...effectsOf(own.tool), ...rules];
    return comparisonsIn(computed, { plan, own });
  });
  const ofRun = [...claimsOfRun(plan), ...plan.runs].map(({ expression }) => expression);
  return [...ofSteps, ...comparisonsIn(ofRun, { plan, own: undefined })];
}

function comparisonsIn(roots: readonly Expression[], place: Omit<Place, 'ranges'>): readonly TextComparison[] {
  const found: TextComparison[] = [];
  walkWithRanges(roots, (node, ranges) => found.push(...ownComparisons(node, { ...place, ranges })));
  return found;
}

function ownComparisons(node: Expression, place: Place): readonly TextComparison[] {
  const pairs = (one: Expression, others: readonly TextSource[]) =>
    sourcesOf(one, place).flatMap((source) => others.map((other): TextComparison => [source, other]));
  switch (node.op) {
    case '=':
      return pairs(node.left, sourcesOf(node.right, place));
    case 'unique':
      return node.keys.flatMap((key) => pairs(key, [{ kind: 'actions', what: 'unique' }]));
    case 'at':
      return pairs(node.key, [{ kind: 'actions', what: `keys of ${node.map}` }]);
    case 'in':
    case 'look': {
      const { key } = defined(place.plan.tables.get(node.table));
      return node.keys.flatMap((part, index) =>
        pairs(part, [{ kind: 'column', table: node.table, column: defined(key[index]) }]),
      );
    }
    default:
      return [];
  }
}

/** Where the value of an expression may come from. */
function sourcesOf(expression: Expression, place: Place): readonly TextSource[] {
  switch (expression.op) {
    case 'ite':
      return [...sourcesOf(expression.whenTrue, place), ...sourcesOf(expression.whenFalse, place)];
    case 'literal':
      return textOf(expression.value);
    case 'look':
      return [{ kind: 'column', table: expression.table, column: expression.column }];
    case 'reference': {
      const { scope, name } = expression;
      if (scope === 'var') return textOf(place.plan.variables.get(name)?.value);
      return scope === 'arg' && place.own !== undefined ? [{ kind: 'argument', step: place.own, name }] : [];
    }
    case 'part': {
      const { binder, part, name } = expression;
      const range = place.ranges.get(binder);
      if (part === 'col' && range !== undefined) return [{ kind: 'column', table: range.name, column: name }];
      const step = place.plan.steps.find(({ stepId }) => range?.kind === 'step' && stepId === range.name);
      return part === 'arg' && step !== undefined ? [{ kind: 'argument', step, name }] : [];
    }
    default:
      return [];
  }
}

const textOf = (value: unknown): readonly TextSource[] =>
  typeof value === 'string' ? [{ kind: 'text', text: value }] : [];
