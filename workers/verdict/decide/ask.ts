import { defined } from '../../exact/defined.ts';
import type { ValueType } from '../../plan/language/types.ts';
import { isOfType } from '../../plan/language/values.ts';
import { createEncoding, type Encoding } from './encoding.ts';
import { evaluate, type Values } from './evaluate.ts';
import type { Formula, SolverCheck } from './problem.ts';
import { type BoundedSolver, type SmtAnswer, type SmtAssertion, SmtError } from './smt-solver.ts';

export type Answer =
  | { readonly status: 'sat'; readonly values: Values }
  | { readonly status: 'unsat'; readonly core: readonly Formula[] }
  | { readonly status: 'unknown'; readonly reason: string };

/** Asks whether these formulas can all be true, with every variable of its type. @throws {SmtError} */
export type Ask = (formulas: readonly Formula[]) => Answer;

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

  return (asked) => {
    const byName = new Map(asked.map((formula) => [assertionOf(assertions, formula).name, formula]));
    const asserted = [...types, ...asked.map((formula) => assertionOf(assertions, formula))];
    const answer = check(asserted);
    if (answer.status === 'sat') {
      return { status: 'sat', values: checkModel(encoding.decode(answer.model), variables, asked) };
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

function checkModel(
  values: ReturnType<Encoding['decode']>,
  variables: ReadonlyMap<string, ValueType>,
  formulas: readonly Formula[],
): Values {
  for (const [key, type] of variables) {
    const value = values.get(key);
    if (value === undefined || !isOfType(value, type)) throw new SmtError('the model has a value of another type');
  }
  for (const { term } of formulas) {
    if (evaluate(term, values) !== true) throw new SmtError('the model makes an assertion false');
  }
  return values;
}

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
