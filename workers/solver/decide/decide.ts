import type { Values } from '../language/evaluate.ts';
import { literal, variable } from '../language/terms.ts';
import { formatValue, isOfType } from '../language/values.ts';
import { SmtError, SmtSizeError, type SmtSolver } from '../smt-solver.ts';
import { type Ask, createAsk, minimize } from './ask.ts';
import { brokenBy, holdAll, judgeKnown, type KnownVerdict, withoutIdle } from './known.ts';
import { type Part, PROCEDURES, type Procedure, type Step, stepsToConfirm } from './procedure.ts';
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
  readonly engine: Engine;
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
  const known = judgeKnown(problem);
  const essence = withoutIdle(problem);
  const { given, ...parts } = partsOf(essence);
  const claims = [...parts.facts, ...parts.rules, ...parts.denial];
  const { question } = problem;
  try {
    const ask = createAsk({ solver, rlimit, variables: essence.variables, claims, given, onCheck });
    const outcome = follow(procedures[question], { parts, ask, known, values: problem.values });
    const verdict = typeof outcome === 'string' ? indeterminate(outcome) : conclude(outcome, problem, parts);
    return { ...verdict, question, checks };
  } catch (error) {
    if (!(error instanceof SmtError)) throw error;
    if (error instanceof SmtSizeError) return { ...indeterminate('too large'), question, checks };
    return { verdict: 'engine_error', reason: error.message, question, checks };
  }
}

function partsOf({ variables, values, facts, rules }: Problem): Parts & { readonly given: ReadonlyMap<Claim, string> } {
  const known = [...values].map(([key, value]) => {
    const claim: Claim = { id: key, term: { op: '=', left: variable(key), right: literal(value) } };
    const type = variables.get(key);
    return { key, claim, isTyped: type !== undefined && isOfType(value, type) };
  });
  const all = { op: 'and', args: rules.map(({ term }) => term) } as const;
  return {
    facts: [...known.map(({ claim }) => claim), ...facts],
    rules,
    denial: [{ id: 'denial', term: { op: 'not', arg: all } }],
    given: new Map(known.filter(({ isTyped }) => isTyped).map(({ claim, key }) => [claim, key])),
  };
}

interface Course {
  readonly parts: Parts;
  readonly ask: Ask;
  readonly known: KnownVerdict | undefined;
  readonly values: Values;
}

/** Asks the steps in order. @returns the solver's reason if it gave up */
function follow({ steps, otherwise }: Procedure, course: Course): Outcome | string {
  const { parts, ask, known } = course;
  const solutions: Values[] = [];
  for (const { premises, ifNot } of known === 'satisfied' ? stepsToConfirm(steps) : steps) {
    const answer = ask(
      premises.flatMap((part) => parts[part]),
      ifNot === known,
    );
    if (answer.status === 'unknown') return answer.reason;
    if (answer.status === 'unsat') {
      const engine = confirm(ifNot, known);
      return { verdict: ifNot, engine, core: explain({ premises, ifNot }, answer.core, course), solutions };
    }
    solutions.push(answer.values);
  }
  return { verdict: otherwise, engine: confirm(otherwise, known), core: [], solutions };
}

/** The claims of the last premise that contradict those before. */
function explain({ premises, ifNot }: Step, core: readonly Claim[], course: Course): readonly Claim[] {
  const { parts, ask, known } = course;
  const [last, ...others] = premises.toReversed();
  const background = others.flatMap((part) => parts[part]);
  const suspects = last === undefined ? [] : parts[last].filter((claim) => core.includes(claim));
  // That the others do not contradict each other is what the steps before found.
  if (suspects.length === 0) throw new SmtError('the core contradicts an answer before it');
  if (ifNot !== known || ifNot !== 'violated') return minimize(suspects, background, ask);

  // A rule that is false by itself is a core of which nothing can be left out: the solver's, if it came to such a one.
  const broken = brokenBy(course.values, parts.rules);
  if (suspects.length === 1 && suspects.every((claim) => broken.includes(claim))) return suspects;
  const first = broken.slice(0, 1);
  if (ask([...background, ...first], true).status === 'sat') throw new SmtError('the solver finds a broken rule whole');
  return first;
}

function conclude({ verdict, engine, core, solutions }: Outcome, problem: Problem, parts: Parts): Verdict {
  for (const solution of solutions) confront(verdict, solution, problem.question, parts);
  const ids = core.map(({ id }) => id);
  const [last, before] = solutions.toReversed().map((solution) => witnessOf(solution, problem));
  switch (verdict) {
    case 'satisfied':
      return problem.question === 'possible' && last ? { verdict, engine, witness: last } : { verdict, engine };
    case 'violated':
      return { verdict, engine, core: ids, broken: brokenBy(problem.values, problem.rules).map(({ id }) => id) };
    case 'underdetermined':
      if (last === undefined || before === undefined) throw new SmtError('two solutions are wanted');
      return { verdict, engine, holding: before, failing: last };
    default:
      return { verdict, engine, core: ids };
  }
}

/** Compares with the evaluator, which cannot tell whether rules are vacuous, only that they are not. */
function confirm(verdict: Outcome['verdict'], known: KnownVerdict | undefined): Engine {
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
