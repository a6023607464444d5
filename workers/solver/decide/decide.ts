import type { Values } from '../language/evaluate.ts';
import { literal, variable } from '../language/terms.ts';
import { formatValue } from '../language/values.ts';
import { SmtError, type SmtSolver } from '../smt-solver.ts';
import { type Ask, createAsk, minimize } from './ask.ts';
import { brokenBy, holdAll, judgeKnown } from './known.ts';
import { type Part, PROCEDURES, type Procedure, type Step } from './procedure.ts';
import type { Claim, Decision, Engine, Problem, Question, SolverCheck, Verdict, Witness } from './verdict.ts';

export interface DecideOptions {
  readonly solver: SmtSolver;
  /** Steps that the solver may take for each check. */
  readonly rlimit: number;
  readonly procedures?: Readonly<Record<Question, Procedure>>;
}

type Parts = Readonly<Record<Part, readonly Claim[]>>;

/** What the steps came to, with every solution that was found on the way. */
interface Outcome {
  readonly verdict: Step['ifNot'] | Procedure['otherwise'];
  readonly core: readonly Claim[];
  readonly solutions: readonly Values[];
}

/**
 * Decides whether rules hold, or still can. Deterministic: the same problem, solver and limit give the same decision.
 * Two engines decide, each by itself: the evaluator, if what is known is enough, and the solver, always. If they
 * disagree, the verdict is `engine_error`.
 * @throws {TypeError} if a term or value is about a variable that the problem does not declare, or of another sort
 */
export function decide(problem: Problem, { solver, rlimit, procedures = PROCEDURES }: DecideOptions): Decision {
  const checks: SolverCheck[] = [];
  const onCheck = (check: SolverCheck) => checks.push(check);
  const parts = partsOf(problem);
  const claims = [...parts.facts, ...parts.rules, ...parts.denial];
  const { question, variables } = problem;
  try {
    const ask = createAsk({ solver, rlimit, variables, claims, onCheck });
    const outcome = follow(procedures[question], parts, ask);
    const verdict = typeof outcome === 'string' ? indeterminate(outcome) : conclude(outcome, problem, parts);
    return { ...verdict, question, checks };
  } catch (error) {
    if (!(error instanceof SmtError)) throw error;
    return { verdict: 'engine_error', reason: error.message, question, checks };
  }
}

function partsOf({ values, facts, rules }: Problem): Parts {
  const known = [...values].map(
    ([key, value]): Claim => ({ id: key, term: { op: '=', left: variable(key), right: literal(value) } }),
  );
  const all = { op: 'and', args: rules.map(({ term }) => term) } as const;
  return { facts: [...known, ...facts], rules, denial: [{ id: 'denial', term: { op: 'not', arg: all } }] };
}

/** Asks the steps in order. @returns the solver's reason if it gave up */
function follow({ steps, otherwise }: Procedure, parts: Parts, ask: Ask): Outcome | string {
  const solutions: Values[] = [];
  for (const { premises, ifNot } of steps) {
    const answer = ask(premises.flatMap((part) => parts[part]));
    if (answer.status === 'unknown') return answer.reason;
    if (answer.status === 'unsat') {
      return { verdict: ifNot, core: explain(premises, parts, answer.core, ask), solutions };
    }
    solutions.push(answer.values);
  }
  return { verdict: otherwise, core: [], solutions };
}

/** The claims of the last premise that contradict those before. */
function explain(premises: readonly Part[], parts: Parts, core: readonly Claim[], ask: Ask): readonly Claim[] {
  const [last, ...background] = premises.toReversed();
  const suspects = last === undefined ? [] : parts[last].filter((claim) => core.includes(claim));
  // That the others do not contradict each other is what the steps before found.
  if (suspects.length === 0) throw new SmtError('the core contradicts an answer before it');
  return minimize(
    suspects,
    background.flatMap((part) => parts[part]),
    ask,
  );
}

function conclude({ verdict, core, solutions }: Outcome, problem: Problem, parts: Parts): Verdict {
  const engine = confirm(verdict, problem);
  for (const solution of solutions) confront(verdict, solution, problem.question, parts);
  const ids = core.map(({ id }) => id);
  const [last, before] = solutions.toReversed().map((solution) => witnessOf(solution, problem));
  switch (verdict) {
    case 'satisfied':
      return problem.question === 'possible' && last ? { verdict, engine, witness: last } : { verdict, engine };
    case 'violated':
      return { verdict, engine, core: ids, broken: brokenBy(problem.values, problem.rules) };
    case 'underdetermined':
      if (last === undefined || before === undefined) throw new SmtError('two solutions are wanted');
      return { verdict, engine, holding: before, failing: last };
    default:
      return { verdict, engine, core: ids };
  }
}

/** Compares with the evaluator, which cannot tell whether rules are vacuous, only that they are not. */
function confirm(verdict: Outcome['verdict'], problem: Problem): Engine {
  const known = judgeKnown(problem);
  if (known === verdict) return 'evaluator+z3';
  if (known === undefined || (verdict === 'vacuous' && known !== 'satisfied')) return 'z3';
  throw new SmtError(`the evaluator finds ${known}, the solver ${verdict}`);
}

/** A solution that some step found, for whichever premises, may show that a later answer cannot be. */
function confront(verdict: Outcome['verdict'], solution: Values, question: Question, parts: Parts): void {
  if (holdAll(parts.facts, solution) !== true) return;
  const hold = holdAll(parts.rules, solution) === true;
  const isRefuted =
    verdict === 'invalid_input' ||
    (verdict === 'violated' && hold) ||
    (verdict === 'satisfied' && question === 'holds' && !hold);
  if (isRefuted) throw new SmtError(`the solver finds ${verdict}, and has found a solution that shows otherwise`);
}

function witnessOf(solution: Values, { variables, values }: Problem): Witness {
  const witness = new Map<string, string | boolean>();
  for (const [key, type] of variables) {
    const value = solution.get(key);
    if (value !== undefined && !values.has(key)) witness.set(key, formatValue(value, type));
  }
  return witness;
}

const indeterminate = (reason: string): Verdict => ({ verdict: 'indeterminate', reason });
