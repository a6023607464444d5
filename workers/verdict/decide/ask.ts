import { defined } from '../../exact/defined.ts';
import type { Term } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import { isOfType } from '../../plan/language/values.ts';
import { createEncoding, integer } from './encoding.ts';
import { evaluate, type Values } from './evaluate.ts';
import type { Formula, SolverCheck } from './problem.ts';
import { type BoundedSolver, type SmtAnswer, type SmtAssertion, SmtError } from './smt-solver.ts';

export type Answer =
  | { readonly status: 'sat'; readonly values: Values }
  | { readonly status: 'unsat'; readonly core: readonly Formula[] }
  | { readonly status: 'unknown'; readonly reason: string };

/** Asks whether these formulas can all be true, with every variable of its type. @throws {SmtError} */
export type Ask = (formulas: readonly Formula[]) => Answer;

/** The reason where it depends on a product that neither engine can decide. */
export const OPEN_PRODUCT = 'a product of two values that are not known yet';

/** The values at which factors are fixed: that which the solver found, the greatest of the type, or 1. */
const FIXED = ['found', 'greatest', 'one'] as const;
/** First the second factor, which is often a quantity. */
const CHOICES = FIXED.flatMap((at) => [false, true].map((isFirst) => ({ at, isFirst })));

export interface AskOptions extends BoundedSolver {
  readonly variables: ReadonlyMap<string, ValueType>;
  /** Every formula that a question may have. */
  readonly formulas: readonly Formula[];
  readonly onCheck: (check: SolverCheck) => void;
}

/**
 * Asks a solver and checks every answer. Each value of a model must be of its type, and the model must make every formula
 * true in the evaluator. This finds assertions that were lost: a parse error in SMT-LIB drops one and answers sat. A core
 * must consist of assertions that were sent, and must be a contradiction when it is asked alone.
 *
 * A product of two open values is any number to the solver. What contradicts itself even so is a contradiction. A model counts
 * only if the evaluator, which multiplies, finds every formula true. Without one, the answer is unknown.
 */
export function createAsk({ solver, rlimit, variables, formulas, onCheck }: AskOptions): Ask {
  const terms = formulas.map(({ term }) => term);
  const encoding = createEncoding(variables, terms);
  const types = [...variables.keys()].map(
    (key, index): SmtAssertion => ({ name: `t${index}`, term: encoding.encodeType(key) }),
  );
  const assertions = new Map(
    formulas.map((formula, index) => [formula, { name: `c${index}`, term: encoding.encode(formula.term) }]),
  );

  function check(asserted: readonly SmtAssertion[]): SmtAnswer {
    const answer = solver.check({ constants: encoding.constants, assertions: asserted, rlimit });
    onCheck({ script: answer.script, rlimitUsed: answer.rlimitUsed, status: answer.status });
    return answer;
  }

  /** Looks for values with one factor of each product fixed, so that every question is linear. */
  function withFactors(found: Values, asserted: readonly SmtAssertion[], asked: readonly Formula[]): Answer {
    const { products } = encoding;
    if (products.length === 0) throw new SmtError('the model makes an assertion false');
    for (const { at, isFirst } of CHOICES) {
      const facts = products.flatMap(({ symbol, factors: [first, second] }, index): readonly SmtAssertion[] => {
        const [factor, other] = isFirst ? [first, second] : [second, first];
        const by = integer(factorAt(at, factor.term, found));
        return [
          { name: `f${index}`, term: `(= ${factor.text} ${by})` },
          { name: `g${index}`, term: `(= ${symbol} (* ${other.text} ${by}))` },
        ];
      });
      const answer = check([...asserted, ...facts]);
      if (answer.status === 'unknown') return answer;
      if (answer.status === 'unsat') continue;
      const values = typedModel(encoding.decode(answer.model), variables);
      if (!areTrue(asked, values)) throw new SmtError('the model makes an assertion false');
      return { status: 'sat', values };
    }
    return { status: 'unknown', reason: OPEN_PRODUCT };
  }

  function factorAt(at: (typeof FIXED)[number], term: Term, found: Values): bigint {
    if (at === 'one') return 1n;
    const type = at === 'greatest' && term.op === 'variable' ? variables.get(term.key) : undefined;
    const value = type !== undefined && 'min' in type ? type.max : evaluate(term, found);
    if (typeof value !== 'bigint') throw new SmtError('a factor has no value');
    return value;
  }

  return (asked) => {
    const byName = new Map(asked.map((formula) => [assertionOf(assertions, formula).name, formula]));
    const asserted = [...types, ...asked.map((formula) => assertionOf(assertions, formula))];
    const answer = check(asserted);
    if (answer.status === 'sat') {
      const values = typedModel(encoding.decode(answer.model), variables);
      return areTrue(asked, values) ? { status: 'sat', values } : withFactors(values, asserted, asked);
    }
    if (answer.status === 'unknown') return answer;

    const core = new Set(answer.core);
    const alone = asserted.filter(({ name }) => core.has(name));
    if (alone.length < core.size) throw new SmtError('the core has a name that was not asserted');
    const again = check(alone);
    if (again.status === 'sat') throw new SmtError('the core is not a contradiction');
    if (again.status === 'unknown') return again;
    return { status: 'unsat', core: [...byName].filter(([name]) => core.has(name)).map(([, formula]) => formula) };
  };
}

const assertionOf = (assertions: ReadonlyMap<Formula, SmtAssertion>, formula: Formula): SmtAssertion =>
  defined(assertions.get(formula));

function typedModel(values: Values, variables: ReadonlyMap<string, ValueType>): Values {
  for (const [key, type] of variables) {
    const value = values.get(key);
    if (value === undefined || !isOfType(value, type)) throw new SmtError('the model has a value of another type');
  }
  return values;
}

const areTrue = (formulas: readonly Formula[], values: Values): boolean =>
  formulas.every(({ term }) => evaluate(term, values) === true);

/**
 * Leaves formulas out, from the last to the first, as long as the rest still contradict the background. A formula stays if
 * the solver cannot decide without it. At least one stays: the caller knows that the background alone is possible.
 * @param core formulas that contradict the background together
 */
export function minimize(core: readonly Formula[], background: readonly Formula[], ask: Ask): readonly Formula[] {
  let kept = core;
  for (const formula of core.toReversed()) {
    const rest = kept.filter((other) => other !== formula);
    if (rest.length > 0 && ask([...background, ...rest]).status === 'unsat') kept = rest;
  }
  return kept;
}
