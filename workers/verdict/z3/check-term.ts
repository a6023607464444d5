import { defined } from '../../exact/defined.ts';
import { SmtError } from '../decide/smt-solver.ts';
import { applyOperator, type ReadTerm, type Sort } from './sorts.ts';

/**
 * Most levels of parentheses. z3's memory and time grow with the square of the depth of nested conditions: 72 MB at 2,000
 * levels, and at 20,000 the module reaches 2 GB and aborts.
 */
const MAX_DEPTH = 1000;

/** A name that ends in a digit. No word of SMT-LIB or of a solver does. */
export const SYMBOL = /^[A-Za-z][A-Za-z0-9_]{0,62}[0-9]$/;
const NUMERAL = /^(?:0|[1-9][0-9]*)$/;
// No comments, strings, |quoted| symbols, :attributes, and no characters outside ASCII.
const TOKEN = /[ \n\r\t]*([()]|[A-Za-z][A-Za-z0-9_]*|[0-9]+|<=?|[=+*-])[ \n\r\t]*/y;

type Scope = ReadonlyMap<string, Sort>;

/**
 * Checks that a text is exactly one term of sort Bool before z3 reads it. z3 would read `true) (assert false` as two
 * assertions, coerces between sorts, and keeps a set-option for later contexts.
 * @throws {SmtError}
 */
export function checkTerm(text: string, constants: Scope): void {
  const tokens = tokenize(text);
  let next = 0;
  const term = readTerm(constants, 0);
  if (next !== tokens.length) throw new SmtError('the text has more than one term');
  if (term.sort !== 'Bool') throw new SmtError('an assertion is not of sort Bool');

  function take(): string {
    const token = tokens[next];
    if (token === undefined) throw new SmtError('a term ends too early');
    next += 1;
    return token;
  }

  function expect(token: string): void {
    if (take() !== token) throw new SmtError(`a term lacks ${token}`);
  }

  function readTerm(scope: Scope, depth: number): ReadTerm {
    const token = take();
    if (token !== '(') return readAtom(token, scope);
    if (depth >= MAX_DEPTH) throw new SmtError('a term is nested too deeply');
    const operator = take();
    if (operator === 'let') return readLet(scope, depth + 1);
    const args: ReadTerm[] = [];
    while (tokens[next] !== ')') args.push(readTerm(scope, depth + 1));
    next += 1;
    return applyOperator(operator, args);
  }

  /** `let` binds in parallel (SMT-LIB 2.6, 3.6.1). It must not shadow constants. A bound name never counts as a literal. */
  function readLet(scope: Scope, depth: number): ReadTerm {
    const bound = new Map<string, Sort>();
    expect('(');
    do {
      expect('(');
      const name = take();
      if (!SYMBOL.test(name) || bound.has(name) || constants.has(name))
        throw new SmtError('let binds a name that is not a new symbol');
      bound.set(name, readTerm(scope, depth).sort);
      expect(')');
    } while (tokens[next] === '(');
    expect(')');
    const body = readTerm(new Map([...scope, ...bound]), depth);
    expect(')');
    return { sort: body.sort };
  }
}

function readAtom(token: string, scope: Scope): ReadTerm {
  if (token === 'true' || token === 'false') return { sort: 'Bool' };
  if (NUMERAL.test(token)) return { sort: 'Int', literal: token === '0' ? 'zero' : 'nonzero' };
  const sort = scope.get(token);
  if (sort === undefined) throw new SmtError('a term has an undeclared symbol');
  return { sort };
}

function tokenize(text: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    tokens.push(defined(match[1]));
    if (TOKEN.lastIndex === text.length) return tokens;
  }
  throw new SmtError('a term has a character that is not allowed');
}
