import { defined } from '../../exact/defined.ts';
import type { Term } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import type { Value } from '../../plan/language/values.ts';
import { SmtError, type SmtModel } from './smt-solver.ts';
import { createTexts, type Texts } from './texts.ts';

type Declarations = ReadonlyMap<string, ValueType>;

/** Writes terms in SMT-LIB 2.6 over generated symbols: no name of a caller reaches the solver. */
export interface Encoding {
  /** Sorts by symbol. */
  readonly constants: ReadonlyMap<string, 'Int' | 'Bool'>;
  /** The condition that a variable is of its type. */
  encodeType(key: string): string;
  encode(term: Term): string;
  /** Products of two open values in the terms that were encoded. */
  readonly products: readonly Product[];
  /** The values of all variables. @throws {SmtError} if a value is missing or is not a value of the language */
  decode(model: SmtModel): ReadonlyMap<string, Value>;
}

/** A product of two open values. The solver knows its symbol as any number. */
export interface Product {
  readonly symbol: string;
  readonly factors: readonly [Factor, Factor];
}

export interface Factor {
  readonly term: Term;
  readonly text: string;
}

/**
 * Every variable is an Int or a Bool. A decimal is its numerator, as in the evaluator. A Real could also take values
 * between those of the scale (0.005 between 0.00 and 0.01), and so solve what is a contradiction. Enums and strings are
 * codes of a finite domain. A product of two open values is one more Int: Ints with products are not decidable.
 * @param terms every term that will be encoded
 */
export function createEncoding(variables: Declarations, terms: readonly Term[]): Encoding {
  const texts = createTexts(variables.values(), terms);
  const symbols = new Map([...variables.keys()].map((key, index) => [key, `x${index}`]));
  const declared = [...variables].map(([key, type]) => ({ key, type, symbol: symbolOf(symbols, key) }));
  const constants = new Map<string, 'Int' | 'Bool'>(
    declared.map(({ symbol, type }) => [symbol, type.type === 'bool' ? 'Bool' : 'Int']),
  );
  const products = new Map<string, Product>();

  function multiply(one: Factor, other: Factor): string {
    const key = [one.text, other.text].sort().join(' ');
    const product = products.get(key) ?? { symbol: `m${products.size}`, factors: [one, other] };
    constants.set(product.symbol, 'Int');
    products.set(key, product);
    return product.symbol;
  }

  return {
    constants,
    get products() {
      return [...products.values()];
    },
    encodeType(key) {
      const type = variables.get(key);
      if (type === undefined) throw new TypeError('a variable is not declared');
      return encodeDomain(type, symbolOf(symbols, key), texts);
    },
    encode: (term) => createTermEncoder(symbols, texts, multiply)(term),
    decode: (model) =>
      new Map(declared.map(({ key, type, symbol }) => [key, decodeValue(model.get(symbol), type, texts)])),
  };
}

function symbolOf(symbols: ReadonlyMap<string, string>, key: string): string {
  const symbol = symbols.get(key);
  if (symbol === undefined) throw new TypeError(`the variable ${key} is not declared`);
  return symbol;
}

function encodeDomain(type: ValueType, symbol: string, texts: Texts): string {
  switch (type.type) {
    case 'bool':
      return 'true';
    case 'enum':
      return join(
        'or',
        type.values.map((value) => `(= ${symbol} ${texts.codeOf(value)})`),
        'false',
      );
    case 'string':
      return join(
        'and',
        [
          `(<= 0 ${symbol})`,
          `(< ${symbol} ${texts.countUpTo(type.max)})`,
          ...(type.fold === undefined ? [] : texts.unfolded(type.fold).map((code) => `(not (= ${symbol} ${code}))`)),
        ],
        'true',
      );
    default:
      return `(and (<= ${integer(type.min)} ${symbol}) (<= ${symbol} ${integer(type.max)}))`;
  }
}

function createTermEncoder(
  symbols: ReadonlyMap<string, string>,
  texts: Texts,
  multiply: (one: Factor, other: Factor) => string,
): (term: Term) => string {
  let bound = 0;

  function encode(term: Term): string {
    switch (term.op) {
      case 'literal':
        return typeof term.value === 'string' ? `${texts.codeOf(term.value)}` : scalar(term.value);
      case 'variable':
        return symbolOf(symbols, term.key);
      case 'not':
        return `(not ${encode(term.arg)})`;
      case 'and':
      case 'or':
      case '+':
        return join(term.op, term.args.map(encode), EMPTY[term.op]);
      case 'ite':
        return `(ite ${encode(term.condition)} ${encode(term.whenTrue)} ${encode(term.whenFalse)})`;
      case '*':
      case 'div':
        // SMT-LIB's div is Euclidean (theory Ints), as is the evaluator's.
        return `(${term.op} ${encode(term.arg)} ${integer(term.by)})`;
      case 'times': {
        const [one, other] = [term.left, term.right].map((factor): Factor => ({ term: factor, text: encode(factor) }));
        return multiply(defined(one), defined(other));
      }
      case 'min':
      case 'max':
        return extreme(term.op, encode(term.left), encode(term.right));
      default:
        return `(${term.op} ${encode(term.left)} ${encode(term.right)})`;
    }
  }

  /** Names both operands because each occurs twice. Written out, nested ones would double with every level. */
  function extreme(op: 'min' | 'max', left: string, right: string): string {
    const [a, b] = [`a${bound}`, `b${bound}`];
    bound += 1;
    const [whenInOrder, otherwise] = op === 'min' ? [a, b] : [b, a];
    return `(let ((${a} ${left}) (${b} ${right})) (ite (<= ${a} ${b}) ${whenInOrder} ${otherwise}))`;
  }

  return encode;
}

/** Values of the operators without operands. */
const EMPTY = { and: 'true', or: 'false', '+': '0' } as const;

function join(op: 'and' | 'or' | '+', terms: readonly string[], empty: string): string {
  const [only = empty] = terms;
  return terms.length > 1 ? `(${op} ${terms.join(' ')})` : only;
}

const scalar = (value: bigint | boolean): string => (typeof value === 'boolean' ? `${value}` : integer(value));

/** SMT-LIB has no negative numerals: a negative number is an application of `-`. */
export const integer = (value: bigint): string => (value < 0n ? `(- ${-value})` : `${value}`);

function decodeValue(value: boolean | bigint | undefined, type: ValueType, texts: Texts): Value {
  if (type.type === 'bool') {
    if (typeof value === 'boolean') return value;
    throw new SmtError('a truth value is missing from the model');
  }
  if (typeof value !== 'bigint') throw new SmtError('an integer is missing from the model');
  if (type.type !== 'enum' && type.type !== 'string') return value;
  const text = texts.textOf(value);
  if (text === undefined) throw new SmtError('a string is missing from the model');
  return text;
}
