import { defined } from '../../exact/defined.ts';
import type { Term } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';

export interface Range {
  readonly min: bigint;
  readonly max: bigint;
}

const MAX_PASSES = 16;
/** The range of a number that nothing is known about. */
const ANY: Range = { min: -(10n ** 200n), max: 10n ** 200n };

/**
 * Estimates the ranges of numbers by propagating bounds through sums and comparisons. It stops early, and the result is
 * only used for hints: nothing is concluded from it.
 */
export function rangesOf(types: ReadonlyMap<string, ValueType>, terms: readonly Term[]): ReadonlyMap<string, Range> {
  const ranges = new Ranges(types);
  // One pass propagates along chains in one direction, the next pass in the other.
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    ranges.isChanged = false;
    for (const term of pass % 2 === 0 ? terms : terms.toReversed()) ranges.suppose(term, true);
    if (!ranges.isChanged) break;
  }
  return ranges.byName;
}

class Ranges {
  readonly byName = new Map<string, Range>();
  isChanged = false;
  readonly #truths = new Map<string, boolean>();

  constructor(types: ReadonlyMap<string, ValueType>) {
    for (const [name, type] of types) if ('min' in type) this.byName.set(name, type);
  }

  suppose(term: Term, isTrue: boolean): void {
    switch (term.op) {
      case 'variable':
        if (!this.#truths.has(term.key)) this.isChanged = true;
        this.#truths.set(term.key, isTrue);
        break;
      case 'not':
        this.suppose(term.arg, !isTrue);
        break;
      case 'and':
      case 'or':
        this.#supposeAll(term.args, term.op === 'and', isTrue);
        break;
      case '=':
        if (isTrue) this.#putInOrder(term.left, term.right, 0n);
        if (isTrue) this.#putInOrder(term.right, term.left, 0n);
        break;
      case '<':
      case '<=': {
        const gap = term.op === '<' ? 1n : 0n;
        if (isTrue) this.#putInOrder(term.left, term.right, gap);
        else this.#putInOrder(term.right, term.left, 1n - gap);
        break;
      }
      default:
    }
  }

  /** `isAll`: the terms are joined by "and", otherwise by "or". */
  #supposeAll(args: readonly Term[], isAll: boolean, isTrue: boolean): void {
    const open = isAll === isTrue ? args : args.filter((arg) => this.#truthOf(arg) !== isAll);
    if (isAll === isTrue || open.length === 1) for (const arg of open) this.suppose(arg, isTrue);
  }

  #putInOrder(low: Term, high: Term, gap: bigint): void {
    this.#narrow(low, { ...ANY, max: this.#rangeOf(high).max - gap });
    this.#narrow(high, { ...ANY, min: this.#rangeOf(low).min + gap });
  }

  #narrow(term: Term, range: Range): void {
    switch (term.op) {
      case 'variable':
        this.#narrowVariable(term.key, range);
        break;
      case '+': {
        const all = term.args.map((arg) => this.#rangeOf(arg));
        const sum = total(all);
        for (const [index, arg] of term.args.entries()) {
          const { min, max } = defined(all[index]);
          this.#narrow(arg, { min: range.min - (sum.max - max), max: range.max - (sum.min - min) });
        }
        break;
      }
      case '*':
        if (term.by !== 0n) this.#narrow(term.arg, within(range, term.by));
        break;
      case 'min':
      case 'max': {
        const side = term.op === 'min' ? { ...ANY, min: range.min } : { ...ANY, max: range.max };
        this.#narrow(term.left, side);
        this.#narrow(term.right, side);
        break;
      }
      default:
    }
  }

  /** Variables that are not numbers have no range. */
  #narrowVariable(name: string, range: Range): void {
    const before = this.byName.get(name);
    if (before === undefined) return;
    const min = higher(before.min, range.min);
    const max = lower(before.max, range.max);
    if (min > max || (min === before.min && max === before.max)) return;
    this.byName.set(name, { min, max });
    this.isChanged = true;
  }

  #rangeOf(term: Term): Range {
    switch (term.op) {
      case 'literal':
        return typeof term.value === 'bigint' ? { min: term.value, max: term.value } : ANY;
      case 'variable':
        return this.byName.get(term.key) ?? ANY;
      case '+':
        return total(term.args.map((arg) => this.#rangeOf(arg)));
      case '*': {
        const { min, max } = this.#rangeOf(term.arg);
        return term.by < 0n ? { min: max * term.by, max: min * term.by } : { min: min * term.by, max: max * term.by };
      }
      case 'min':
      case 'max': {
        const [left, right] = [this.#rangeOf(term.left), this.#rangeOf(term.right)];
        const pick = term.op === 'max' ? higher : lower;
        return { min: pick(left.min, right.min), max: pick(left.max, right.max) };
      }
      case 'ite': {
        const [left, right] = [this.#rangeOf(term.whenTrue), this.#rangeOf(term.whenFalse)];
        return { min: lower(left.min, right.min), max: higher(left.max, right.max) };
      }
      default:
        return ANY;
    }
  }

  #truthOf(term: Term): boolean | undefined {
    if (term.op === 'literal') return term.value === true;
    if (term.op === 'variable') return this.#truths.get(term.key);
    const inner = term.op === 'not' ? this.#truthOf(term.arg) : undefined;
    return inner === undefined ? undefined : !inner;
  }
}

const higher = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const lower = (one: bigint, other: bigint): bigint => (one < other ? one : other);

function total(ranges: readonly Range[]): Range {
  return ranges.reduce((sum, { min, max }) => ({ min: sum.min + min, max: sum.max + max }), { min: 0n, max: 0n });
}

/** The integers whose product with `by` is in a range. */
function within({ min, max }: Range, by: bigint): Range {
  const [least, most] = by < 0n ? [-max, -min] : [min, max];
  const divisor = by < 0n ? -by : by;
  return { min: -floor(-least, divisor), max: floor(most, divisor) };
}

function floor(value: bigint, by: bigint): bigint {
  return value % by < 0n ? value / by - 1n : value / by;
}
