import { SmtError } from '../decide/smt-solver.ts';
import { applyOperator, type ReadTerm, type Sort } from './sorts.ts';

/**
 * Parentheses within each other. z3's memory and time grow with the square of the depth of nested conditions: 72 MB at
 * 2,000, and an aborted module (2 GB) at 20,000.
 */
const MAX_DEPTH = 1000;

/** Letters, then a number at the end: no word of SMT-LIB or of a solver's own looks so. */
export const SYMBOL = /^[A-Za-z][A-Za-z0-9_]{0,62}[0-9]$/;
const NUMERAL = /^(?:0|[1-9][0-9]*)$/;
const DECIMAL = /^(?:0|[1-9][0-9]*)\.[0-9]+$/;
// Neither comments, strings, |quoted| symbols, :attributes, nor anything outside ASCII.
const TOKEN = /[ \n\r\t]*([()]|[A-Za-z][A-Za-z0-9_]*|[0-9]+(?:\.[0-9]+)?|=>|[<>]=?|[=+*/-])[ \n\r\t]*/y;

type Scope = ReadonlyMap<string, Sort>;

/**
 * Reads a term before z3 does, and refuses all that is not exactly one term of sort Bool: z3 takes
 * `true) (assert false` for two assertions, coerces between sorts, and keeps a set-option for later contexts.
 * @throws {SmtError}
 */
export function checkTerm(text: string, constants: Scope): void {
  const tokens = tokenize(text);
  let next = 0;
  const term = readTerm(constants, 0);
  if (next !== tokens.length) throw new SmtError('there is more than one term');
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

  /** `let` binds in parallel (SMT-LIB 2.6, 3.6.1). Constants are not shadowed. A bound name loses that it is a literal. */
  function readLet(scope: Scope, depth: number): ReadTerm {
    const bound = new Map<string, Sort>();
    expect('(');
    do {
      expect('(');
      const name = take();
      if (!SYMBOL.test(name) || bound.has(name) || constants.has(name)) throw new SmtError('let binds no new symbol');
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
  const isNumeral = NUMERAL.test(token);
  if (isNumeral || DECIMAL.test(token)) {
    return { sort: isNumeral ? 'Int' : 'Real', literal: /[1-9]/.test(token) ? 'nonzero' : 'zero' };
  }
  const sort = scope.get(token);
  if (sort === undefined) throw new SmtError('a term has a symbol that is not declared');
  return { sort };
}

function tokenize(text: string): readonly string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    tokens.push(match[1] ?? '');
    if (TOKEN.lastIndex === text.length) return tokens;
  }
  throw new SmtError('a term has a character that is not admitted');
}
