import type { Term } from '../../plan/language/terms.ts';
import { mapOperands, variablesIn } from '../../plan/language/walk.ts';
import { decide } from '../decide/decide.ts';
import type { Decision, Formula, Problem, SolverCheck } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';

/** Rules that are asked about together, and their nodes. A computed value that is written into rules has as many at most. */
const MAX_RULES = 32;
const MAX_SIZE = 4_000;

/**
 * Decides whether the rules of a recorded run hold, of which little is open: formulas of known values first, by both engines, and
 * then some rules at a time, with the values that they read written out. z3 gives up on 1,000 actions at once.
 * @returns the decision of the first part that is not satisfied, or that all are
 */
export function decideParts(problem: Problem, solver: BoundedSolver): Decision {
  const checks: SolverCheck[] = [];
  let engine: 'evaluator+z3' | 'z3' = 'evaluator+z3';
  for (const part of partsOf(problem)) {
    const decision = decide(part, solver);
    checks.push(...decision.checks);
    if (decision.verdict !== 'satisfied') return { ...decision, checks };
    if (decision.engine === 'z3') engine = 'z3';
  }
  return { verdict: 'satisfied', engine, question: problem.question, checks };
}

function* partsOf(problem: Problem): Generator<Problem> {
  const isOpen = ({ term }: Formula) => [...variablesIn([term])].some((key) => !problem.values.has(key));
  const known = {
    facts: problem.facts.filter((fact) => !isOpen(fact)),
    rules: problem.rules.filter((rule) => !isOpen(rule)),
  };
  yield partWith(problem, known);
  const open = problem.facts.filter(isOpen);
  const { inlined, isEquation } = createInliner(open);
  const equations = new Map(open.filter(isEquation).map((fact) => [fact.id, inlined(fact).formula]));
  // Such as what a tool saw. They restrict what is open, for each rule.
  const others = open.filter((fact) => !isEquation(fact)).map((fact) => inlined(fact).formula);
  const partOf = (rules: readonly Formula[]) => {
    const facts = new Set(others);
    for (const fact of [...others, ...rules]) addComputing(fact, equations, facts);
    return partWith(problem, { facts: [...facts], rules });
  };
  let rules: Formula[] = [];
  let size = 0;
  for (const rule of problem.rules.filter(isOpen).map(inlined)) {
    if (rules.length > 0 && (rules.length >= MAX_RULES || size + rule.size > MAX_SIZE)) {
      yield partOf(rules);
      [rules, size] = [[], 0];
    }
    rules.push(rule.formula);
    size += rule.size;
  }
  // Facts without a rule must not contradict each other either.
  if (rules.length + others.length > 0) yield partOf(rules);
}

/** Adds the equations of values that a formula reads, which were too large to be written into it. */
function addComputing({ term }: Formula, equations: ReadonlyMap<string, Formula>, facts: Set<Formula>): void {
  for (const key of variablesIn([term])) {
    const fact = equations.get(key);
    if (fact === undefined || facts.has(fact)) continue;
    facts.add(fact);
    addComputing(fact, equations, facts);
  }
}

/** Facts that say what a variable is equal to, written into other formulas. */
function createInliner(facts: readonly Formula[]) {
  interface Written {
    readonly term: Term;
    readonly size: number;
  }
  const equations = new Map(
    facts.flatMap(({ id, term }) =>
      term.op === '=' && term.left.op === 'variable' && term.left.key === id ? [[id, term.right] as const] : [],
    ),
  );
  const values = new Map<string, Written | undefined>();
  const writtenAt = (key: string): Written | undefined => {
    const equal = equations.get(key);
    if (equal === undefined) return undefined;
    if (!values.has(key)) {
      const written = write(equal);
      values.set(key, written.size > MAX_SIZE ? undefined : written);
    }
    return values.get(key);
  };
  const write = (term: Term): Written => {
    if (term.op === 'literal') return { term, size: 1 };
    if (term.op === 'variable') return writtenAt(term.key) ?? { term, size: 1 };
    let size = 1;
    const mapped = mapOperands<Term, Term>(term, (operand) => {
      const inner = write(operand);
      size += inner.size;
      return inner.term;
    });
    return { term: mapped, size };
  };
  return {
    inlined(formula: Formula) {
      const { term, size } = write(formula.term);
      return { formula: { ...formula, term }, size };
    },
    isEquation: ({ id }: Formula): boolean => equations.has(id),
  };
}

/** The problem with some of its formulas, and the variables of these. */
function partWith(problem: Problem, formulas: Pick<Problem, 'facts' | 'rules'>): Problem {
  const read = variablesIn([...formulas.facts, ...formulas.rules].map(({ term }) => term));
  const variables = new Map([...problem.variables].filter(([key]) => read.has(key)));
  const values = new Map([...problem.values].filter(([key]) => read.has(key)));
  return { ...problem, ...formulas, variables, values };
}
