import type { Formula, Problem } from '../decide/problem.ts';
import type { Session } from '../elaborate/situation.ts';
import { variablesIn } from '../language/walk.ts';
import { orderOf } from './times.ts';

/**
 * The problem of rules about a session. Open variables that no fact or rule mentions are left out: no type is empty, so each
 * has a value. So are open times that no rule reads: the order of the others says as much.
 */
export function toProblem(session: Session, asked: Pick<Problem, 'question' | 'rules' | 'asks'>): Problem {
  const read = variablesOf([...session.facts, ...asked.rules]);
  const facts = [...session.facts, ...orderOf(session, read)];
  const mentioned = variablesOf([...facts, ...asked.rules]);
  const variables = new Map([...session.variables].filter(([key]) => mentioned.has(key)));
  return { ...asked, variables, values: new Map(), facts };
}

const variablesOf = (formulas: readonly Formula[]) => variablesIn(formulas.map(({ term }) => term));
