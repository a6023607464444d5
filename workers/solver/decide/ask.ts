import { evaluate, type Values } from '../language/evaluate.ts';
import type { ValueType } from '../language/types.ts';
import { isOfType } from '../language/values.ts';
import { createEncoding, type Encoding } from './encoding.ts';
import { type SmtAnswer, type SmtAssertion, SmtError, type SmtSolver } from './smt-solver.ts';
import type { Claim, SolverCheck } from './verdict.ts';

export type Answer =
  | { readonly status: 'sat'; readonly values: Values }
  | { readonly status: 'unsat'; readonly core: readonly Claim[] }
  | { readonly status: 'unknown'; readonly reason: string };

/** Can these claims all be true, with every variable of its type? @throws {SmtError} */
export type Ask = (claims: readonly Claim[]) => Answer;

export interface AskOptions {
  readonly solver: SmtSolver;
  readonly rlimit: number;
  readonly variables: ReadonlyMap<string, ValueType>;
  /** All that may be asked about. */
  readonly claims: readonly Claim[];
  readonly onCheck: (check: SolverCheck) => void;
}

/**
 * Asks a solver and believes no answer: every value of a model is of its type and makes every claim true in the
 * evaluator, so that an assertion which was lost on the way (a parse error in SMT-LIB drops one, and answers sat) is
 * found; a core is of what was asserted, and contradicts itself when it is asked alone.
 */
export function createAsk({ solver, rlimit, variables, claims, onCheck }: AskOptions): Ask {
  const terms = claims.map(({ term }) => term);
  const encoding = createEncoding(variables, terms);
  const types = [...variables.keys()].map(
    (key, index): SmtAssertion => ({ name: `t${index}`, term: encoding.encodeType(key) }),
  );
  const assertions = new Map(
    claims.map((claim, index) => [claim, { name: `c${index}`, term: encoding.encode(claim.term) }]),
  );

  function check(asserted: readonly SmtAssertion[]): SmtAnswer {
    const answer = solver.check({ constants: encoding.constants, assertions: asserted, rlimit });
    onCheck({ script: answer.script, rlimitUsed: answer.rlimitUsed, status: answer.status });
    return answer;
  }

  return (asked) => {
    const byName = new Map(asked.map((claim) => [assertionOf(assertions, claim).name, claim]));
    const asserted = [...types, ...asked.map((claim) => assertionOf(assertions, claim))];
    const answer = check(asserted);
    if (answer.status === 'sat') {
      return { status: 'sat', values: checkModel(encoding.decode(answer.model), variables, asked) };
    }
    if (answer.status === 'unknown') return answer;

    const core = new Set(answer.core);
    const alone = asserted.filter(({ name }) => core.has(name));
    if (alone.length < core.size) throw new SmtError('the core has what was not asserted');
    const again = check(alone);
    if (again.status === 'sat') throw new SmtError('the core does not contradict itself');
    if (again.status === 'unknown') return again;
    return { status: 'unsat', core: [...byName].filter(([name]) => core.has(name)).map(([, claim]) => claim) };
  };
}

function assertionOf(assertions: ReadonlyMap<Claim, SmtAssertion>, claim: Claim): SmtAssertion {
  const assertion = assertions.get(claim);
  if (assertion === undefined) throw new TypeError('the claim was not announced');
  return assertion;
}

function checkModel(
  values: ReturnType<Encoding['decode']>,
  variables: ReadonlyMap<string, ValueType>,
  claims: readonly Claim[],
): Values {
  for (const [key, type] of variables) {
    const value = values.get(key);
    if (value === undefined || !isOfType(value, type)) throw new SmtError('the model has a value of another type');
  }
  for (const { term } of claims) {
    if (evaluate(term, values) !== true) throw new SmtError('the model makes an assertion false');
  }
  return values;
}

/**
 * Leaves claims out, from the last to the first, as long as the rest still contradict the background. What the solver
 * does not know is kept, and so is the last one: the background alone must be known to be possible.
 * @param core claims that contradict the background together
 */
export function minimize(core: readonly Claim[], background: readonly Claim[], ask: Ask): readonly Claim[] {
  let kept = core;
  for (const claim of core.toReversed()) {
    const rest = kept.filter((other) => other !== claim);
    if (rest.length > 0 && ask([...background, ...rest]).status === 'unsat') kept = rest;
  }
  return kept;
}
