/*
 * The judge. Elaboration (`elaborate/`) has written each rule of a run as a term without quantifiers: sums, tables and
 * orders of actions are gone, what is known is a literal, and the rest are variables. Then there are two cases:
 *
 * - Everything is known. The evaluator computes each rule, and z3 is asked about the same terms. Both must agree.
 * - Something is open: arguments that may still be chosen, times that were not reported, an approval to come. z3 decides whether
 *   values exist (`possible`) or whether the rules hold for all values (`holds`), in the steps of `procedure.ts`.
 *
 * Nothing that z3 says is believed: its values are evaluated, and its core is asked about again and made as small as possible.
 *
 * Example: the rule `told` says `sum(tell, t, t.amount) == sum(pay, p, p.amount)`. A run paid 30.00 and 50.00, and told the buyer
 * 70.00. Elaborated, the rule is 7000 = 3000 + 5000. The evaluator finds it false, and so does z3. The verdict is violated, the
 * engine `evaluator+z3`, and the core `/constraints/told`.
 *
 * Before `tell` was done, the same rule was `amount = 8000` with a variable: z3 finds 80.00, the evaluator puts it into all
 * rules, and the verdict is satisfied with this witness.
 */
import { literal, type Term, variable } from '../../plan/language/terms.ts';
import { formatValue } from '../../plan/language/values.ts';
import { walkTerms } from '../../plan/language/walk.ts';
import { type Ask, createAsk, minimize, OPEN_PRODUCT } from './ask.ts';
import type { Values } from './evaluate.ts';
import { decideGround } from './ground.ts';
import { brokenBy, holdAll, isGround, judgeKnown, type KnownVerdict, typedValues } from './ground-values.ts';
import type { Conclusion, Decision, Engine, Formula, Problem, Question, SolverCheck, Witness } from './problem.ts';
import { type Part, PROCEDURES, type Procedure, type Step } from './procedure.ts';
import { type BoundedSolver, SmtError, SmtSizeError } from './smt-solver.ts';
import { substitute } from './substitute.ts';

type Parts = Readonly<Record<Part, readonly Formula[]>>;

/** The result of the steps, with every solution that they found. */
interface Outcome {
  readonly verdict: Step['verdict'] | Procedure['otherwise'];
  readonly engine: Engine;
  readonly core: readonly Formula[];
  readonly solutions: readonly Values[];
}

/**
 * Decides whether rules hold, or can still hold. Deterministic: the same problem, solver and limit give the same decision.
 * Two engines decide independently: the solver always, and the evaluator if the known values are enough. If they disagree,
 * the verdict is `engine_error`.
 * @throws {TypeError} if a term or a value is about an undeclared variable, or of another sort than its variable
 */
export function decide(problem: Problem, { solver, rlimit }: BoundedSolver): Decision {
  const checks: SolverCheck[] = [];
  const onCheck = (check: SolverCheck) => checks.push(check);
  const { question } = problem;
  const typed = typedValues(problem);
  try {
    const verdict = isGround(problem, typed)
      ? decideGround({ ...problem, values: typed }, { solver, rlimit, onCheck })
      : decideOpen(problem, { typed, procedure: PROCEDURES[question], solver, rlimit, onCheck });
    return { ...withWitness(verdict, question), question, checks };
  } catch (error) {
    if (!(error instanceof SmtError)) throw error;
    if (error instanceof SmtSizeError) return { verdict: 'indeterminate', reason: 'too large', question, checks };
    return { verdict: 'engine_error', reason: error.message, question, checks };
  }
}

/** If nothing is open, the witness is empty. */
function withWitness(verdict: Conclusion, question: Question): Conclusion {
  return verdict.verdict === 'satisfied' && question === 'possible' ? { witness: new Map(), ...verdict } : verdict;
}

interface OpenOptions extends BoundedSolver {
  readonly typed: Values;
  readonly procedure: Procedure;
  readonly onCheck: (check: SolverCheck) => void;
}

/** Decides a problem with open variables: the solver searches for their values. */
function decideOpen(problem: Problem, { typed, procedure, ...options }: OpenOptions): Conclusion {
  const known = judgeKnown(problem);
  const parts = partsOf(problem, typed);
  const formulas = [...parts.facts, ...parts.rules, ...parts.denial];
  const variables = new Map([...problem.variables].filter(([key]) => !typed.has(key)));
  const ask = createAsk({ ...options, variables, formulas });
  const broken = brokenBy(typed, parts.rules);
  const outcome =
    broken.length > 0 ? followBroken(broken, { parts, ask, known }) : follow(procedure, { parts, ask, known });
  if (typeof outcome !== 'string') return conclude(outcome, problem, parts);
  if (outcome !== OPEN_PRODUCT) return { verdict: 'indeterminate', reason: outcome };
  const path = [...parts.rules, ...parts.facts].find(({ term }) => hasProduct(term))?.id;
  return { verdict: 'indeterminate', reason: outcome, ...(path !== undefined && { path }) };
}

function hasProduct(term: Term): boolean {
  let found = false;
  walkTerms([term], ({ op }) => {
    if (op === 'times') found = true;
  });
  return found;
}

/**
 * The facts and rules with literals in place of known values. A known value that is not of its type becomes a fact: its
 * variable equals the value.
 */
function partsOf({ values, facts, rules }: Problem, typed: Values): Parts {
  const untyped = [...values].filter(([key]) => !typed.has(key));
  const known = untyped.map(([key, value]): Formula => {
    return { id: key, term: { op: '=', left: variable(key), right: literal(value) } };
  });
  const inSubstituted = ({ id, term }: Formula): Formula => ({ id, term: substitute(term, typed) });
  const substituted = rules.map(inSubstituted);
  const all = { op: 'and', args: substituted.map(({ term }) => term) } as const;
  return {
    facts: [...known, ...facts.map(inSubstituted)],
    rules: substituted,
    denial: [{ id: 'denial', term: { op: 'not', arg: all } }],
  };
}

interface Context {
  readonly parts: Parts;
  readonly ask: Ask;
  readonly known: KnownVerdict | undefined;
}

/** Asks the steps in order. @returns the outcome, or the solver's reason if it gave up */
function follow({ steps, otherwise }: Procedure, context: Context): Outcome | string {
  const { parts, ask, known } = context;
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
      core: explain(found.premises, found.core, context),
      solutions,
    };
  }
  return { verdict: otherwise, engine: confirm(otherwise, known), core: [], solutions };
}

/**
 * Decides a problem in which the known values make some rules false. One of these rules is enough for the verdict, however
 * hard the others are, unless the facts contradict each other.
 */
function followBroken([first]: readonly Formula[], { parts, ask, known }: Context): Outcome | string {
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

/** Formulas of the last premise that contradict the premises before it. None of them can be left out. */
function explain(premises: readonly Part[], core: readonly Formula[], { parts, ask }: Context): readonly Formula[] {
  const [last, ...others] = premises.toReversed();
  const background = others.flatMap((part) => parts[part]);
  const suspects = last === undefined ? [] : parts[last].filter((formula) => core.includes(formula));
  // An earlier answer said that the premises before the last one can be true together.
  if (suspects.length === 0) throw new SmtError('the core contradicts an earlier answer');
  return minimize(suspects, background, ask);
}

function conclude({ verdict, engine, core, solutions }: Outcome, problem: Problem, parts: Parts): Conclusion {
  for (const solution of solutions) confront(verdict, solution, problem.question, parts);
  const ids = core.map(({ id }) => id);
  const [last, before] = solutions.toReversed().map((solution) => witnessOf(solution, problem));
  switch (verdict) {
    case 'satisfied':
      return problem.question === 'possible' && last ? { verdict, engine, witness: last } : { verdict, engine };
    case 'violated':
      return { verdict, engine, core: ids, broken: brokenBy(problem.values, problem.rules).map(({ id }) => id) };
    case 'underdetermined':
      if (last === undefined || before === undefined) throw new SmtError('a solution is missing');
      return { verdict, engine, holding: before, failing: last };
    case 'invalid_input':
      return { verdict, engine, core: ids };
  }
}

/** Compares the verdict with the evaluator's own, if it has one. */
function confirm(verdict: Outcome['verdict'], known: KnownVerdict | undefined): Engine {
  if (known === verdict) return 'evaluator+z3';
  if (known === undefined) return 'z3';
  throw new SmtError(`the evaluator finds ${known}, the solver ${verdict}`);
}

/** Throws if a solution that some step found shows that the verdict is wrong. */
function confront(verdict: Outcome['verdict'], solution: Values, question: Question, parts: Parts): void {
  if (holdAll(parts.facts, solution) !== true) return;
  const hold = holdAll(parts.rules, solution) === true;
  const isRefuted =
    verdict === 'invalid_input' ||
    (verdict === 'violated' && hold) ||
    (verdict === 'satisfied' && question === 'holds' && !hold);
  if (isRefuted) throw new SmtError(`the solver finds ${verdict}, but an earlier solution of it shows otherwise`);
}

function witnessOf(solution: Values, { variables, values }: Problem): Witness {
  const witness = new Map<string, string | boolean>();
  for (const [key, type] of variables) {
    const value = solution.get(key);
    if (value !== undefined && !values.has(key)) witness.set(key, formatValue(value, type));
  }
  return witness;
}
