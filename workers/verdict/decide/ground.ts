import type { Term } from '../../plan/language/terms.ts';
import { createEncoding } from './encoding.ts';
import { evaluate, type Values } from './evaluate.ts';
import { brokenBy } from './ground-values.ts';
import type { Conclusion, Formula, SolverCheck } from './problem.ts';
import { type BoundedSolver, type SmtAssertion, SmtError } from './smt-solver.ts';
import { substitute } from './substitute.ts';

/** Characters of one question, well below the solver's limit. A single term may be longer. */
const MAX_QUESTION_LENGTH = 200_000;

export interface GroundProblem {
  /** Values of every variable that occurs in a formula. */
  readonly values: Values;
  readonly facts: readonly Formula[];
  readonly rules: readonly Formula[];
  readonly asks?: 'values' | undefined;
}

export interface GroundOptions extends BoundedSolver {
  readonly onCheck: (check: SolverCheck) => void;
}

/**
 * Decides a problem in which every value is known. Each formula is true or false, so there is nothing to search for and
 * the time is linear. Both engines compute the truth of every formula: the evaluator from the values, the solver from the
 * formula with literals in place of its variables.
 * @throws {SmtError} if the engines disagree
 */
export function decideGround({ values, facts, rules, asks }: GroundProblem, options: GroundOptions): Conclusion {
  const parts = [...facts, ...rules].flatMap(({ term }) => conjunctsOf(term));
  const reason = (asks === 'values' ? confirmValues : confirm)(parts, values, options);
  if (reason !== undefined) return { verdict: 'indeterminate', reason };
  const contradicted = brokenBy(values, facts).map(({ id }) => id);
  if (contradicted.length > 0) return { verdict: 'invalid_input', engine: 'evaluator+z3', core: contradicted };
  const broken = brokenBy(values, rules).map(({ id }) => id);
  if (broken.length > 0) return { verdict: 'violated', engine: 'evaluator+z3', core: broken.slice(0, 1), broken };
  return { verdict: 'satisfied', engine: 'evaluator+z3' };
}

function isTrue(term: Term, values: Values): boolean {
  const value = evaluate(term, values);
  if (typeof value !== 'boolean') throw new TypeError('a formula is about a variable without a value');
  return value;
}

/** The parts of a conjunction. A question to the solver has a limit, so a large formula is spread over several. */
function conjunctsOf(term: Term): readonly Term[] {
  return term.op === 'and' ? term.args.flatMap(conjunctsOf) : [term];
}

/**
 * Asks the solver whether each term has the truth that the evaluator found. Two questions are asked: can all of them have
 * it, and can one of them not have it? A solver that always gives the same answer fails one of the two.
 * @returns the solver's reason if it gave up
 */
function confirm(
  terms: readonly Term[],
  values: Values,
  { solver, rlimit, onCheck }: GroundOptions,
): string | undefined {
  const found = withFoundTruth(terms, values);
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
      throw new SmtError('the evaluator and the solver disagree about a formula');
    }
  }
  return undefined;
}

/** The terms in SMT-LIB, negated if the evaluator finds them false. So all of them are true. */
function withFoundTruth(terms: readonly Term[], values: Values): readonly string[] {
  const known = terms.map((term) => ({ term: substitute(term, values), isTrue: isTrue(term, values) }));
  const encoding = createEncoding(
    new Map(),
    known.map(({ term }) => term),
  );
  return known.map(({ term, isTrue: holds }) => {
    const text = encoding.encode(term);
    return holds ? text : `(not ${text})`;
  });
}

/** Terms for whose common truth there is one variable. Each variable costs some calls of the solver's API. */
const TERMS_OF_VARIABLE = 64;
const MAX_VALUES_LENGTH = 800_000;

/**
 * Asks the solver for the truth of the terms, in groups: a variable equals the conjunction of a group, every other one its
 * negation. The terms are read once and not twice. A solver that always gives the same answer gives a wrong one.
 * @returns the solver's reason if it gave up
 */
function confirmValues(
  terms: readonly Term[],
  values: Values,
  { solver, rlimit, onCheck }: GroundOptions,
): string | undefined {
  const found = [...new Set(withFoundTruth(terms, values))];
  for (const batch of inBatches(found, MAX_VALUES_LENGTH)) {
    // `true` and `false` make two groups of each batch, however few terms there are.
    const groups = [['true'], ['true']];
    for (let first = 0; first < batch.length; first += TERMS_OF_VARIABLE) {
      groups.push(batch.slice(first, first + TERMS_OF_VARIABLE));
    }
    const assertions = groups.map((group, index): SmtAssertion => {
      const all = `(and true true ${group.join(' ')})`;
      return { name: `c${index}`, term: `(= p${index} ${index % 2 === 0 ? all : `(not ${all})`})` };
    });
    const constants = new Map(groups.map((_, index) => [`p${index}`, 'Bool' as const]));
    const answer = solver.check({ constants, assertions, rlimit });
    onCheck({ script: answer.script, rlimitUsed: answer.rlimitUsed, status: answer.status });
    if (answer.status === 'unknown') return answer.reason;
    const isConfirmed =
      answer.status === 'sat' && groups.every((_, index) => answer.model.get(`p${index}`) === (index % 2 === 0));
    if (!isConfirmed) throw new SmtError('the evaluator and the solver disagree about a formula');
  }
  return undefined;
}

/** At least one batch, so that the solver is asked even if there is no term. */
function inBatches(terms: readonly string[], maxLength = MAX_QUESTION_LENGTH): readonly (readonly string[])[] {
  let batch: string[] = [];
  const batches = [batch];
  let length = 0;
  for (const term of terms) {
    if (length + term.length > maxLength && length > 0) {
      batch = [];
      batches.push(batch);
      length = 0;
    }
    batch.push(term);
    length += term.length;
  }
  return batches;
}
