import { withoutSeparators } from '../faults/suggest.ts';
import { explainDuration } from '../types/time-text.ts';

/** What `a % 3` is, where numbers are not negative. */
export const REMAINDER = 'a - 3 * (a / 3)';

/** What other languages write, in lower case and with single spaces, and what to write instead. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['and', '&&'],
  ['or', '||'],
  ['not', '!'],
  ['is', '=='],
  ['xor', '!='],
  ['mod', REMAINDER],
  ['div', '/'],
  ['in', 'in'],
  ['not in', '!(a in b)'],
  ['is not', '!='],
  ['in (', 'in ["a", "b"]'],
  ['between', 'a >= 1 && a <= 5'],
  ['..', 'a >= 1 && a <= 5'],
  ['implies', '!a || b'],
  ['->', '!a || b'],
  ['=>', '>= to compare, or !a || b'],
  ['if', 'a ? b : c'],
  ['for', 'sum(pay, p, p.amount)'],
  ['like', '== or !=: texts are only compared, or looked up in a table'],
  ['~', '== or !=: texts are only compared, or looked up in a table'],
  ['=~', '== or !=: texts are only compared, or looked up in a table'],
  ['=', '=='],
  [':=', '=='],
  ['<>', '!='],
  ['!==', '!='],
  ['===', '=='],
  ['=<', '<='],
  ['&', '&&'],
  ['|', '||'],
  [';', '&&'],
  ['≤', '<='],
  ['≥', '>='],
  ['≠', '!='],
  ['×', '*'],
  ['÷', '/'],
  ['−', '-'],
  ['¬', '!'],
  ['∧', '&&'],
  ['∨', '||'],
  ['∈', 'in'],
]);
const TOKEN = /not\s+in\b|is\s+not\b|in\s*\(|\w+|[^\w\s"'()[\],]+/iy;
const NUMBER_BEFORE = /(?:^|[^\w.])(\d[\d.,_]*)\s*$/;

/** Patterns that end at the fault would take quadratic time over a long text. */
const MOST_BEFORE = 100;

/** Where a fault is that the parser reports at `at`: a word before it is what the parser could not take. */
export function wordBefore(text: string, at: number): number {
  const [word = ''] = /\bnot\s+$/i.exec(text.slice(Math.max(0, at - MOST_BEFORE), at)) ?? [];
  return at - word.length;
}

/** What to write instead of what is at `at`, where the parser stops. Empty if nothing is known. */
export function hintAt(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MOST_BEFORE), at);
  if (/\(\s*\w+\s*$/.test(before) && /^(?:=>|->|:)/.test(text.slice(at))) return ': write a comma after the name';
  TOKEN.lastIndex = at;
  const written = TOKEN.exec(text)?.[0] ?? '';
  const instead = INSTEAD.get(written.toLowerCase().replaceAll(/\s+/g, ' ').replace('in(', 'in ('));
  if (instead !== undefined && instead !== written) return `: for ${JSON.stringify(written)}, write ${instead}`;
  return numberHint(before, text.slice(at));
}

function numberHint(before: string, rest: string): string {
  if (/^[<>=!]+\s*\p{Sc}/u.test(rest)) return ': write the number without a unit';
  if (/\d{4}-\d{2}-\d{2}$/.test(before)) return ': a time is written timestamp("2099-12-31T00:00:00Z")';
  const number = NUMBER_BEFORE.exec(before)?.[1];
  if (number === undefined) return '';
  if (rest.startsWith('%')) return ': for 50 %, write 0.50 * and the value';
  const [separated = ''] = /^[,_'][\d.,_']*/.exec(rest) ?? [];
  if (separated !== '') return `: write the number ${withoutSeparators(number + separated) ?? 'without separators'}`;
  const [unit = ''] = /^[a-zµ\p{Sc}]+/iu.exec(rest) ?? [];
  if (unit === '') return '';
  const duration = explainDuration(number + unit);
  return duration === undefined ? ': write the number without a unit' : `: write duration("${duration}")`;
}

const TEXTS = 'Texts are only compared with == and !=, or looked up in a table.';
const ROUNDING = 'Numbers are exact, and nothing is rounded.';
const CLOCK = 'A verdict does not depend on when it is made: compare p.started_at or approved_at.';
const ALL = 'Write pay.all(p, p.amount > 0.00).';
const EXISTS = 'Write pay.exists(p, p.amount > 0.00).';

/** Functions of CEL and of other languages, in lower case, and what to write instead. */
export const FUNCTIONS: ReadonlyMap<string, string> = new Map([
  ['int', 'Numbers need no conversion: write the value itself.'],
  ['uint', 'Numbers need no conversion: write the value itself.'],
  ['double', 'Numbers are exact: write the value itself.'],
  ['string', 'Values keep their types: compare them as they are.'],
  ['matches', TEXTS],
  ['contains', TEXTS],
  ['lower', TEXTS],
  ['type', 'Types are known when a plan is compiled.'],
  ['dyn', 'Types are known when a plan is compiled.'],
  ['bool', 'Write a comparison.'],
  ['bytes', 'Write a text.'],
  ['not', 'Write !(a).'],
  ['and', 'Write a && b.'],
  ['or', 'Write a || b.'],
  ['if', 'Write a ? b : c.'],
  ['all', ALL],
  ['forall', ALL],
  ['every', ALL],
  ['exists', EXISTS],
  ['any', EXISTS],
  ['some', EXISTS],
  ['len', 'Write count(pay).'],
  ['length', 'Write count(pay).'],
  ['avg', 'Write sum(pay, p, p.amount) <= 5.00 * count(pay).'],
  ['average', 'Write sum(pay, p, p.amount) <= 5.00 * count(pay).'],
  ['abs', 'Write a >= -5 && a <= 5.'],
  ['round', ROUNDING],
  ['floor', ROUNDING],
  ['ceil', ROUNDING],
  ['now', CLOCK],
  ['today', CLOCK],
]);

/** Names without a meaning in plans, in lower case, and what to write instead. */
export const NAMES: ReadonlyMap<string, string> = new Map([
  ['true', 'Write true.'],
  ['false', 'Write false.'],
  ['null', 'Every value is there: compare it with another one.'],
  ['none', 'Every value is there: compare it with another one.'],
  ['now', CLOCK],
  ['today', CLOCK],
]);

const ONE = 'for exactly one, write count(pay, p, p.amount > 0.00) == 1';

const METHODS: ReadonlyMap<string, string> = new Map([
  ['all', 'all takes a name and a condition: pay.all(p, p.amount > 0.00)'],
  ['exists', 'exists takes a name and a condition: pay.exists(p, p.amount > 0.00)'],
  ['exists_one', ONE],
  ['existsOne', ONE],
  [
    'filter',
    'filter() is not supported: write count(pay, p, a), sum(pay, p, p.amount, a), pay.all(p, !a || b) or pay.exists(p, a && b)',
  ],
  ['map', 'map() is not supported: write, for example, sum(pay, p, p.amount)'],
  ['every', 'write pay.all(p, p.amount > 0.00)'],
  ['any', 'write pay.exists(p, p.amount > 0.00)'],
  ['some', 'write pay.exists(p, p.amount > 0.00)'],
  ['sum', 'write sum(pay, p, p.amount)'],
  ['count', 'write count(pay) or count(pay, p, p.amount > 0.00)'],
  ['length', 'write count(pay)'],
  ['size', 'write size(pay)'],
  ['unique', 'write unique(pay, p, p.invoice)'],
]);

export const unknownMethod = (name: string): string =>
  METHODS.get(name) ??
  `.${name}() is not supported: texts, numbers and times are only compared, and lists only searched`;
