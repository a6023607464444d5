import { maxOf } from '../../plan/bounds/interval.ts';
import { literal, type Term } from '../../plan/language/terms.ts';
import { UNBOUNDED } from '../../plan/language/types.ts';
import { settle } from './aggregate.ts';
import { allDefined, knownValue, missing, type Quantity } from './kleene.ts';
import type { EncodingSession, Scope } from './scope.ts';

const LARGEST = UNBOUNDED.max;

/**
 * The product of two quantities. A factor that is known is a literal, so that both engines can compute the product, or decide
 * about an open factor. A product of more than 38 digits has no value.
 */
export function product(left: Quantity, right: Quantity, { session }: Scope): Quantity {
  session.spend(4);
  const value: Term = scaled(right, left, session) ??
    scaled(left, right, session) ?? { op: 'times', left: left.value, right: right.value };
  const known = knownValue(value);
  if (typeof known === 'bigint' && absolute(known) > LARGEST) return missing(literal(0n));
  const largest = known === undefined ? largestOf(value, session) : 0n;
  if (largest !== undefined && largest <= LARGEST) return { value, isDefined: allDefined([left, right]) };
  const isShort: Term = {
    op: 'and',
    args: [
      { op: '<=', left: literal(-LARGEST), right: value },
      { op: '<=', left: value, right: literal(LARGEST) },
    ],
  };
  return { value, isDefined: allDefined([left, right, { value, isDefined: isShort }]) };
}

/** Undefined if the factor is not known. */
function scaled(factor: Quantity, { value: arg }: Quantity, session: EncodingSession): Term | undefined {
  const by = knownValue(factor.value);
  if (typeof by !== 'bigint') return undefined;
  // The solver checks what the evaluator computed.
  if (factor.value.op !== 'literal') settle({ value: factor.value, isDefined: undefined }, session);
  return { op: '*', arg, by };
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** A bound of the absolute value of a term. Undefined: there is none. */
function largestOf(term: Term, session: EncodingSession): bigint | undefined {
  const times = (one: Term, by: bigint | undefined) => {
    const largest = by === undefined ? undefined : largestOf(one, session);
    return largest === undefined || by === undefined ? undefined : largest * by;
  };
  switch (term.op) {
    case 'literal':
      return typeof term.value === 'bigint' ? absolute(term.value) : undefined;
    case 'variable': {
      const type = session.variables.get(term.key);
      return type !== undefined && 'min' in type ? maxOf([-type.min, type.max]) : undefined;
    }
    case '*':
      return times(term.arg, absolute(term.by));
    case 'times':
      return times(term.left, largestOf(term.right, session));
    default:
      return undefined;
  }
}
