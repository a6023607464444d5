import { expand } from '../../plan/language/expand.ts';
import { variablesIn } from '../../plan/language/walk.ts';
import { readSheet, termsOf } from '../../plan/read/read-sheet.ts';
import type { Problem } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import type { Fault, Linted } from '../run/checked.ts';
import { judge } from '../run/judge.ts';
import { lintVerdict, malformed, ofPlan } from '../run/judgement.ts';
import { toFault } from '../run/to-fault.ts';

/** Checks whether a document is a sheet whose constraints can hold together. `vacuous`: they cannot. */
export function checkSheet(document: unknown, solver: BoundedSolver): Linted {
  let problem: Problem;
  try {
    problem = toProblem(document);
  } catch (error) {
    const fault = toFault(error);
    return { fault, judgement: malformed('possible', fault), lint: [] };
  }
  const judgement = ofPlan(judge('possible', () => problem, solver));
  return { judgement, lint: [...lintUnused(problem), ...lintVerdict(judgement)] };
}

function toProblem(document: unknown): Problem {
  const { variables, rules } = readSheet(document);
  const names = { var: termsOf(variables.keys()) };
  const formulas = rules.map(({ id, expression }) => ({
    id: `/constraints/${id}`,
    term: expand(expression, names),
  }));
  return { question: 'possible', variables, values: new Map(), facts: [], rules: formulas };
}

function lintUnused({ variables, rules }: Problem): readonly Fault[] {
  const used = variablesIn(rules.map(({ term }) => term));
  return [...variables.keys()]
    .filter((name) => !used.has(name))
    .map((name) => ({ code: 'UNUSED', path: `/variables/${name}`, message: 'no constraint uses it' }));
}
