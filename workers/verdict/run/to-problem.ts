import { parseValue, type Value } from '../../plan/language/values.ts';
import { variablesIn } from '../../plan/language/walk.ts';
import type { Formula, Problem, Witness } from '../decide/problem.ts';
import { all, knownValue } from '../elaborate/kleene.ts';
import type { EncodingSession } from '../elaborate/scope.ts';
import { orderOf } from './times.ts';

/**
 * The problem of rules about a session. Open variables that no fact or rule mentions are left out: no type is empty, so each
 * has a value. So are open times that no rule reads: the order of the others says as much.
 */
export function toProblem(session: EncodingSession, asked: Pick<Problem, 'question' | 'rules' | 'asks'>): Problem {
  const read = variablesOf([...session.facts, ...asked.rules]);
  const facts = [...session.facts, ...orderOf(session, read)];
  const mentioned = variablesOf([...facts, ...asked.rules]);
  const variables = new Map([...session.variables].filter(([key]) => mentioned.has(key)));
  return { ...asked, variables, values: new Map(), facts };
}

const variablesOf = (formulas: readonly Formula[]) => variablesIn(formulas.map(({ term }) => term));

/** The values of a witness. A value that nothing depends on stays open. */
export function valuesIn(witness: Witness, { variables }: Problem): ReadonlyMap<string, Value> {
  return new Map(
    [...witness].map(([key, json]) => {
      const type = variables.get(key);
      if (type === undefined) throw new TypeError(`the variable ${key} is not declared`);
      return [key, parseValue(json, type, key)];
    }),
  );
}

/** The problem without formulas that are true whatever the open values are, unless nothing is open. */
export function withoutKnown(problem: Problem): Problem {
  if (problem.variables.size === 0) return problem;
  const open = (formulas: readonly Formula[]) =>
    formulas.flatMap(({ id, term }): readonly Formula[] => {
      const parts = term.op === 'and' ? term.args : [term];
      const left = parts.filter((part) => knownValue(part) !== true);
      return left.length === 0 ? [] : [{ id, term: all(left) }];
    });
  return { ...problem, facts: open(problem.facts), rules: open(problem.rules) };
}
