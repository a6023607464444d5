import { literal, type Term } from '../../plan/language/terms.ts';
import { mapOperands } from '../../plan/language/walk.ts';
import type { Values } from './evaluate.ts';

/** The term with a literal in place of each variable whose value is known. */
export function substitute(term: Term, values: Values): Term {
  if (term.op === 'literal') return term;
  if (term.op !== 'variable') return mapOperands(term, (operand) => substitute(operand, values));
  const value = values.get(term.key);
  return value === undefined ? term : literal(value);
}
