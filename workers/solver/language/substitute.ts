import type { Values } from './evaluate.ts';
import { literal, type Term } from './terms.ts';

/** The term with literals in place of the variables whose values are given. Nothing else of it changes. */
export function substitute(term: Term, values: Values): Term {
  const inner = (arg: Term) => substitute(arg, values);
  switch (term.op) {
    case 'literal':
      return term;
    case 'variable': {
      const value = values.get(term.key);
      return value === undefined ? term : literal(value);
    }
    case 'not':
    case '*':
    case 'div':
    case 'mod':
      return { ...term, arg: inner(term.arg) };
    case 'and':
    case 'or':
    case '+':
      return { op: term.op, args: term.args.map(inner) };
    case 'ite': {
      const { condition, whenTrue, whenFalse } = term;
      return { op: 'ite', condition: inner(condition), whenTrue: inner(whenTrue), whenFalse: inner(whenFalse) };
    }
    default:
      return { op: term.op, left: inner(term.left), right: inner(term.right) };
  }
}
