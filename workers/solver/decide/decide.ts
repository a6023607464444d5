import type { Values } from '../language/evaluate.ts';
import { substitute } from '../language/substitute.ts';
import { literal, variable } from '../language/terms.ts';
import { formatValue } from '../language/values.ts';
import { type Ask, createAsk, minimize } from './ask.ts';
import { decideGround } from './ground.ts';
import { brokenBy, holdAll, isGround, judgeKnown, type KnownVerdict, typedValues } from './known.ts';
import { type Part, PROCEDURES, type Procedure, type Step } from './procedure.ts';
import { SmtError, SmtSizeError, type SmtSolver } from './smt-solver.ts';
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
  readonly verdict: Step['verdict'] | Procedure['otherwise'];
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
  const { question } = problem;
  const typed = typedValues(problem);
  try {
    const verdict = isGround(problem, typed)
      ? decideGround({ ...problem, values: typed }, { solver, rlimit, onCheck })
      : decideOpen(problem, { typed, procedure: procedures[question], solver, rlimit, onCheck });
    return { ...withWitness(verdict, question), question, checks };
  } catch (error) {
    if (!(error instanceof SmtError)) throw error;
    if (error instanceof SmtSizeError) return { verdict: 'indeterminate', reason: 'too large', question, checks };
    return { verdict: 'engine_error', reason: error.message, question, checks };
  }
}

/** Where nothing is open, nothing has to be chosen. */
function withWitness(verdict: Verdict, question: Question): Verdict {
  return verdict.verdict === 'satisfied' && question === 'possible' ? { witness: new Map(), ...verdict } : verdict;
}

interface OpenOptions {
  readonly typed: Values;
  readonly procedure: Procedure;
  readonly solver: SmtSolver;
  readonly rlimit: number;
  readonly onCheck: (check: SolverCheck) => void;
}

/** Decides where something is open that facts or rules are about: the solver searches. */
function decideOpen(problem: Problem, { typed, procedure, ...options }: OpenOptions): Verdict {
  const known = judgeKnown(problem);
  const parts = partsOf(problem, typed);
  const claims = [...parts.facts, ...parts.rules, ...parts.denial];
  const variables = new Map([...problem.variables].filter(([key]) => !typed.has(key)));
  const ask = createAsk({ ...options, variables, claims });
  const broken = brokenBy(typed, parts.rules);
  const outcome =
    broken.length > 0 ? followBroken(broken, { parts, ask, known }) : follow(procedure, { parts, ask, known });
  return typeof outcome === 'string'
    ? { verdict: 'indeterminate', reason: outcome }
    : conclude(outcome, problem, parts);
}

/** With literals in place of what is known. What is known and not of its type stays a variable that equals its value. */
function partsOf({ values, facts, rules }: Problem, typed: Values): Parts {
  const untyped = [...values].filter(([key]) => !typed.has(key));
  const known = untyped.map(([key, value]): Claim => {
    return { id: key, term: { op: '=', left: variable(key), right: literal(value) } };
  });
  const inSubstituted = ({ id, term }: Claim): Claim => ({ id, term: substitute(term, typed) });
  const substituted = rules.map(inSubstituted);
  const all = { op: 'and', args: substituted.map(({ term }) => term) } as const;
  return {
    facts: [...known, ...facts.map(inSubstituted)],
    rules: substituted,
    denial: [{ id: 'denial', term: { op: 'not', arg: all } }],
  };
}

interface Course {
  readonly parts: Parts;
  readonly ask: Ask;
  readonly known: KnownVerdict | undefined;
}

/** Asks the steps in order. @returns the solver's reason if it gave up */
function follow({ steps, otherwise }: Procedure, course: Course): Outcome | string {
  const { parts, ask, known } = course;
  const solutions: Values[] = [];
  const askFor = (premises: readonly Part[]) => ask(premises.flatMap((part) => parts[part]));
  for (const { premises, verdict, unless } of steps) {
    const answer = askFor(premises);
    if (answer.status === 'unknown') return answer.reason;
    if (answer.status === 'sat') {
      solutions.push(answer.values);
      continue;
    }
    const before = unless && askFor(unless.premises);
    if (before?.status === 'unknown') return before.reason;
    if (before?.status === 'sat') solutions.push(before.values);
    const found =
      unless !== undefined && before?.status === 'unsat'
        ? { ...unless, core: before.core }
        : { premises, verdict, core: answer.core };
    return {
      verdict: found.verdict,
      engine: confirm(found.verdict, known),
      core: explain(found.premises, found.core, course),
      solutions,
    };
  }
  return { verdict: otherwise, engine: confirm(otherwise, known), core: [], solutions };
}

/**
 * Where some rules are false whatever is open, one of them is enough, however hard the others are. Only the facts could
 * still contradict each other.
 */
function followBroken([first]: readonly Claim[], { parts, ask, known }: Course): Outcome | string {
  const core = first === undefined ? [] : [first];
  const answer = ask(core);
  if (answer.status === 'unknown') return answer.reason;
  if (answer.status === 'sat') throw new SmtError('the solver makes a rule true that the evaluator finds false');
  const facts = ask(parts.facts);
  if (facts.status === 'unknown') return facts.reason;
  if (facts.status === 'sat') return { verdict: 'violated', engine: 'evaluator+z3', core, solutions: [facts.values] };
  const verdict = 'invalid_input';
  return {
    verdict,
    engine: confirm(verdict, known),
    core: explain(['facts'], facts.core, { parts, ask, known }),
    solutions: [],
  };
}

/** The claims of the last premise that contradict those before: none can be left out. */
function explain(premises: readonly Part[], core: readonly Claim[], { parts, ask }: Course): readonly Claim[] {
  const [last, ...others] = premises.toReversed();
  const background = others.flatMap((part) => parts[part]);
  const suspects = last === undefined ? [] : parts[last].filter((claim) => core.includes(claim));
  // An answer before said that the others do not contradict each other.
  if (suspects.length === 0) throw new SmtError('the core contradicts an answer before it');
  return minimize(suspects, background, ask);
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
    case 'invalid_input':
      return { verdict, engine, core: ids };
  }
}

/** Compares with the evaluator's own verdict, where it has one. */
function confirm(verdict: Outcome['verdict'], known: KnownVerdict | undefined): Engine {
  if (known === verdict) return 'evaluator+z3';
  if (known === undefined) return 'z3';
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
