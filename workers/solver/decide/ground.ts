import { evaluate, type Values } from '../language/evaluate.ts';
import { substitute } from '../language/substitute.ts';
import type { Term } from '../language/terms.ts';
import { createEncoding } from './encoding.ts';
import { brokenBy } from './known.ts';
import { type SmtAssertion, SmtError, type SmtSolver } from './smt-solver.ts';
import type { Claim, SolverCheck, Verdict } from './verdict.ts';

/** Characters of a question, well below what the solver takes. A single term may be longer. */
const MAX_QUESTION_LENGTH = 200_000;

export interface GroundProblem {
  /** Of every variable that a claim is about. */
  readonly values: Values;
  readonly facts: readonly Claim[];
  readonly rules: readonly Claim[];
}

export interface GroundOptions {
  readonly solver: SmtSolver;
  readonly rlimit: number;
  readonly onCheck: (check: SolverCheck) => void;
}

/**
 * Decides where everything is known. Each claim is true or false by itself, so nothing has to be searched for and the
 * time is linear. Both engines compute the truth of every claim: the evaluator from the values, the solver from the
 * claim with literals in place of its variables.
 * @throws {SmtError} if the engines disagree
 */
export function decideGround({ values, facts, rules }: GroundProblem, options: GroundOptions): Verdict {
  const parts = [...facts, ...rules].flatMap(({ term }) => conjunctsOf(term));
  const reason = confirm(parts, values, options);
  if (reason !== undefined) return { verdict: 'indeterminate', reason };
  const contradicted = brokenBy(values, facts).map(({ id }) => id);
  if (contradicted.length > 0) return { verdict: 'invalid_input', engine: 'evaluator+z3', core: contradicted };
  const broken = brokenBy(values, rules).map(({ id }) => id);
  if (broken.length > 0) return { verdict: 'violated', engine: 'evaluator+z3', core: broken.slice(0, 1), broken };
  return { verdict: 'satisfied', engine: 'evaluator+z3' };
}

function isTrue(term: Term, values: Values): boolean {
  const value = evaluate(term, values);
  if (typeof value !== 'boolean') throw new TypeError('a claim is about a variable without a value');
  return value;
}

/** A large claim is mostly a conjunction. One question to the solver has a limit, and its parts can be in several. */
function conjunctsOf(term: Term): readonly Term[] {
  return term.op === 'and' ? term.args.flatMap(conjunctsOf) : [term];
}

/**
 * Asks the solver whether each term is what the evaluator found: whether all can be so, and whether one can be
 * otherwise. A solver that always gives the same answer is found out by one of the two.
 * @returns its reason if it gave up
 */
function confirm(
  terms: readonly Term[],
  values: Values,
  { solver, rlimit, onCheck }: GroundOptions,
): string | undefined {
  const known = terms.map((term) => ({ term: substitute(term, values), isTrue: isTrue(term, values) }));
  const encoding = createEncoding(
    new Map(),
    known.map(({ term }) => term),
  );
  const found = known.map(({ term, isTrue: holds }) => {
    const text = encoding.encode(term);
    return holds ? text : `(not ${text})`;
  });
  const ask = (assertions: readonly SmtAssertion[]) => {
    const answer = solver.check({ constants: new Map(), assertions, rlimit });
    onCheck({ script: answer.script, rlimitUsed: answer.rlimitUsed, status: answer.status });
    return answer;
  };
  for (const batch of inBatches(found)) {
    const together = ask(batch.map((term, index) => ({ name: `c${index}`, term })));
    if (together.status === 'unknown') return together.reason;
    const otherwise = ask([{ name: 'c0', term: `(not (and true true ${batch.join(' ')}))` }]);
    if (otherwise.status === 'unknown') return otherwise.reason;
    if (together.status === 'unsat' || otherwise.status === 'sat') {
      throw new SmtError('the evaluator and the solver disagree about a claim');
    }
  }
  return undefined;
}

/** At least one batch: that nothing is claimed is asked as well. */
function inBatches(terms: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [[]];
  let length = 0;
  for (const term of terms) {
    if (length + term.length > MAX_QUESTION_LENGTH && length > 0) {
      batches.push([]);
      length = 0;
    }
    batches.at(-1)?.push(term);
    length += term.length;
  }
  return batches;
}
