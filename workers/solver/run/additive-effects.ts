import { evaluate } from '../language/evaluate.ts';
import { expand } from '../language/expand.ts';
import { type Expression, literal } from '../language/terms.ts';
import type { Plan, Step } from '../plan/plan.ts';
import { referencesIn } from './references.ts';
import type { Row } from './rows.ts';

/** State variable → the number that one action adds to it. */
export type Additions = ReadonlyMap<string, bigint>;

/** State variable → the expression of the number that an action adds to it, over arguments and constants of the plan. */
type Addends = ReadonlyMap<string, Expression>;

/**
 * The numbers that the effects of a step's tool add to the state, such as `- amount` for `refundable - amount`. Undefined if
 * the tool has other effects: their result depends on the order of actions or on responses.
 */
export function addendsOf({ tool }: Step): Addends | undefined {
  const addends = new Map<string, Expression>();
  for (const [name, effect] of tool.effects) {
    if (effect.op !== '+') return undefined;
    const isState = (term: Expression) => term.op === 'reference' && term.scope === 'state' && term.name === name;
    const others = effect.args.filter((term) => !isState(term));
    if (others.length !== effect.args.length - 1) return undefined;
    const added: Expression = { op: '+', args: others };
    if (referencesIn(added).some(({ scope }) => scope !== 'arg' && scope !== 'var')) return undefined;
    addends.set(name, added);
  }
  return addends;
}

/** Arguments that the added numbers depend on. */
export function argumentsOf(addends: Addends): readonly string[] {
  return [...addends.values()].flatMap((added) =>
    referencesIn(added).flatMap(({ scope, name }) => (scope === 'arg' ? [name] : [])),
  );
}

/** The numbers that an action with these arguments adds. @throws {TypeError} if the row lacks an argument */
export function additionsOf(addends: Addends, row: Row, plan: Plan): Additions {
  const names = {
    arg: new Map([...row].map(([name, value]) => [name, literal(value)])),
    var: new Map([...plan.variables].map(([name, { value }]) => [name, literal(value)])),
  };
  return new Map(
    [...addends].map(([name, added]) => {
      const value = evaluate(expand(added, { names }), new Map());
      if (typeof value !== 'bigint') throw new TypeError(`the addition to ${name} is not a number`);
      return [name, value];
    }),
  );
}
