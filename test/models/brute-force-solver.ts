import { createHash } from 'node:crypto';
import { defined } from '../../workers/exact/defined.ts';
import type { SmtModel, SmtQuery, SmtSolver } from '../../workers/verdict/decide/smt-solver.ts';

type Value = boolean | bigint;
type Env = Map<string, Value>;
type Sexp = string | readonly Sexp[];

/**
 * A solver that tries all values, from the text that z3 would get. It tries integers from -8 to 8 and around the numerals of
 * the query, which is complete for small types. A core has all assertions.
 */
export function createBruteForceSolver(): SmtSolver {
  return {
    check(query) {
      const script = createHash('sha256').update(JSON.stringify(query.assertions)).digest('hex');
      const model = solve(query);
      if (model === undefined) {
        return { rlimitUsed: 1, script, status: 'unsat', core: query.assertions.map(({ name }) => name) };
      }
      return { rlimitUsed: 1, script, status: 'sat', model };
    },
  };
}

function solve({ constants, assertions }: SmtQuery): SmtModel | undefined {
  const parsed = assertions.map(({ term }) => parse(term));
  const integers = candidates(assertions.map(({ term }) => term));
  const symbols = [...constants.keys()];
  const due = symbols.map((symbol, index) => {
    const later = new Set(symbols.slice(index + 1));
    return parsed.filter((term) => mentions(term, new Set([symbol])) && !mentions(term, later));
  });
  const ground = parsed.filter((term) => !mentions(term, new Set(symbols)));
  const env: Env = new Map();
  if (ground.some((term) => evaluate(term, env) !== true)) return undefined;

  const assign = (index: number): boolean => {
    const symbol = symbols[index];
    if (symbol === undefined) return true;
    for (const value of constants.get(symbol) === 'Bool' ? [false, true] : integers) {
      env.set(symbol, value);
      if (due[index]?.every((term) => evaluate(term, env) === true) && assign(index + 1)) return true;
    }
    return false;
  };
  return assign(0) ? env : undefined;
}

function candidates(terms: readonly string[]): readonly bigint[] {
  const all = new Set(Array.from({ length: 17 }, (_, index) => BigInt(index - 8)));
  for (const [numeral] of terms.join(' ').matchAll(/(?<![a-z0-9])[0-9]{1,9}(?![0-9])/g)) {
    for (const near of [-1n, 0n, 1n]) {
      all.add(BigInt(numeral) + near);
      all.add(-BigInt(numeral) + near);
    }
  }
  return [...all].sort((a, b) => (a < b ? -1 : 1));
}

function parse(text: string): Sexp {
  const tokens = text.replaceAll('(', ' ( ').replaceAll(')', ' ) ').trim().split(/\s+/);
  let next = 0;
  const read = (): Sexp => {
    const token = tokens[next++];
    if (token === undefined || token === ')') throw new Error(`not a term: ${text}`);
    if (token !== '(') return token;
    const list: Sexp[] = [];
    while (tokens[next] !== ')') list.push(read());
    next += 1;
    return list;
  };
  const term = read();
  if (next !== tokens.length) throw new Error(`text after a term: ${text}`);
  return term;
}

const mentions = (term: Sexp, symbols: ReadonlySet<string>): boolean =>
  typeof term === 'string' ? symbols.has(term) : term.some((part) => mentions(part, symbols));

/** SMT-LIB 2.6, theories Core and Ints. */
function evaluate(term: Sexp, env: Env): Value {
  if (typeof term === 'string') return atom(term, env);
  const [op, ...args] = term;
  if (op === 'let') return evaluateLet(args, env);
  const values = args.map((arg) => evaluate(arg, env));
  const n = (index: number) => integer(defined(values[index]));
  switch (op) {
    case 'not':
      return !values[0];
    case 'and':
      return values.every((value) => value === true);
    case 'or':
      return values.some((value) => value === true);
    case 'ite':
      return defined(values[0] === true ? values[1] : values[2]);
    case '=':
      return values[0] === values[1];
    case '<':
      return n(0) < n(1);
    case '<=':
      return n(0) <= n(1);
    case '+':
      return values.map(integer).reduce((a, b) => a + b);
    case '-':
      return -n(0);
    case '*':
      return n(0) * n(1);
    case 'div':
      return (n(0) - remainder(n(0), n(1))) / n(1);
    default:
      throw new Error(`unknown operator: ${String(op)}`);
  }
}

/** The r in [0, |by|) for which value - r is a multiple of by, found by trying. */
function remainder(value: bigint, by: bigint): bigint {
  let r = 0n;
  while ((value - r) % by !== 0n) r += 1n;
  return r;
}

function atom(token: string, env: Env): Value {
  if (token === 'true' || token === 'false') return token === 'true';
  if (/^[0-9]+$/.test(token)) return BigInt(token);
  const value = env.get(token);
  if (value === undefined) throw new Error(`unknown constant: ${token}`);
  return value;
}

function evaluateLet([bindings, body]: readonly Sexp[], env: Env): Value {
  if (!Array.isArray(bindings)) throw new Error('let has no bindings');
  const inner = new Map(env);
  for (const binding of bindings) {
    const [symbol, term] = binding;
    if (typeof symbol !== 'string') throw new Error('let does not bind a symbol');
    inner.set(symbol, evaluate(defined(term), env));
  }
  return evaluate(defined(body), inner);
}

function integer(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  throw new Error('a value is not an integer');
}
