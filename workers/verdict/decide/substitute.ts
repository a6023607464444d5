import { literal, type Term } from '../../plan/language/terms.ts';
import { mapOperands } from '../../plan/language/walk.ts';
import { evaluate, type Values } from './evaluate.ts';

/** The term with a literal in place of each variable whose value is known, and of a factor that is known. */
export function substitute(term: Term, values: Values): Term {
  if (term.op === 'literal') return term;
  if (term.op === 'times') {
    const [left, right] = [term.left, term.right].map((factor) => evaluate(factor, values));
    if (typeof left === 'bigint') return { op: '*', arg: substitute(term.right, values), by: left };
    if (typeof right === 'bigint') return { op: '*', arg: substitute(term.left, values), by: right };
  }
  if (term.op !== 'variable') return mapOperands(term, (operand) => substitute(operand, values));
  const value = values.get(term.key);
  return value === undefined ? term : literal(value);
}
