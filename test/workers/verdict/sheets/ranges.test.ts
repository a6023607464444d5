import test from 'ava';
import { literal, type Term, variable } from '../../../../workers/plan/language/terms.ts';
import type { ValueType } from '../../../../workers/plan/language/types.ts';
import { rangesOf } from '../../../../workers/verdict/sheets/ranges.ts';

const [X, Y, B] = ['x', 'y', 'b'].map(variable) as [Term, Term, Term];
const INT: ValueType = { type: 'int', min: -10n, max: 10n };
const TYPES = new Map<string, ValueType>([
  ['x', INT],
  ['y', INT],
  ['b', { type: 'bool' }],
]);

const int = (value: number) => literal(BigInt(value));
const less = (left: Term, right: Term): Term => ({ op: '<', left, right });
const most = (left: Term, right: Term): Term => ({ op: '<=', left, right });
const equal = (left: Term, right: Term): Term => ({ op: '=', left, right });
const not = (arg: Term): Term => ({ op: 'not', arg });
const and = (...args: Term[]): Term => ({ op: 'and', args });
const or = (...args: Term[]): Term => ({ op: 'or', args });
const sum = (...args: Term[]): Term => ({ op: '+', args });
const times = (by: number, arg: Term): Term => ({ op: '*', arg, by: BigInt(by) });
const pair = (op: 'min' | 'max', left: Term, right: Term): Term => ({ op, left, right });
const ite = (whenTrue: Term, whenFalse: Term): Term => ({ op: 'ite', condition: B, whenTrue, whenFalse });

/** Rules, and what they leave of x and y. */
const CASES: readonly (readonly [string, readonly Term[], readonly [number, number], readonly [number, number]])[] = [
  ['nothing', [], [-10, 10], [-10, 10]],
  ['x <= 3', [most(X, int(3))], [-10, 3], [-10, 10]],
  ['x < 3', [less(X, int(3))], [-10, 2], [-10, 10]],
  ['!(x < 3)', [not(less(X, int(3)))], [3, 10], [-10, 10]],
  ['!(x <= 3)', [not(most(X, int(3)))], [4, 10], [-10, 10]],
  ['3 < x', [less(int(3), X)], [4, 10], [-10, 10]],
  ['x = 5', [equal(X, int(5))], [5, 5], [-10, 10]],
  ['x != 5', [not(equal(X, int(5)))], [-10, 10], [-10, 10]],
  ['x <= 20', [most(X, int(20))], [-10, 10], [-10, 10]],
  ['x <= -20, which no value is', [most(X, int(-20))], [-10, 10], [-10, 10]],
  ['2x <= 7', [most(times(2, X), int(7))], [-10, 3], [-10, 10]],
  ['2x <= -7', [most(times(2, X), int(-7))], [-10, -4], [-10, 10]],
  ['2x >= 7', [most(int(7), times(2, X))], [4, 10], [-10, 10]],
  ['-2x <= 7', [most(times(-2, X), int(7))], [-3, 10], [-10, 10]],
  ['-3x >= 7', [most(int(7), times(-3, X))], [-10, -3], [-10, 10]],
  ['0x <= 7', [most(times(0, X), int(7))], [-10, 10], [-10, 10]],
  ['x + y <= -15', [most(sum(X, Y), int(-15))], [-10, -5], [-10, -5]],
  ['x + y >= 15', [most(int(15), sum(X, Y))], [5, 10], [5, 10]],
  ['y <= -2x and x >= 3', [most(Y, times(-2, X)), most(int(3), X)], [3, 5], [-10, -6]],
  ['y >= -2x and x <= -3', [most(times(-2, X), Y), most(X, int(-3))], [-5, -3], [6, 10]],
  ['y >= 3x and x >= 2', [most(times(3, X), Y), most(int(2), X)], [2, 3], [6, 10]],
  ['min(x, y) >= 2', [most(int(2), pair('min', X, Y))], [2, 10], [2, 10]],
  ['min(x, y) <= 2', [most(pair('min', X, Y), int(2))], [-10, 10], [-10, 10]],
  ['max(x, y) <= 2', [most(pair('max', X, Y), int(2))], [-10, 2], [-10, 2]],
  ['max(x, y) >= 2', [most(int(2), pair('max', X, Y))], [-10, 10], [-10, 10]],
  ['x <= min(y, 3)', [most(X, pair('min', Y, int(3)))], [-10, 3], [-10, 10]],
  ['x >= max(y, 3)', [most(pair('max', Y, int(3)), X)], [3, 10], [-10, 10]],
  ['x <= (b ? 2 : 4)', [most(X, ite(int(2), int(4)))], [-10, 4], [-10, 10]],
  ['x >= (b ? 2 : 4)', [most(ite(int(2), int(4)), X)], [2, 10], [-10, 10]],
  ['x <= 3 and y >= 4', [and(most(X, int(3)), most(int(4), Y))], [-10, 3], [4, 10]],
  ['!(x < 3 || y < 4)', [not(or(less(X, int(3)), less(Y, int(4))))], [3, 10], [4, 10]],
  ['x <= 3 || y <= 3', [or(most(X, int(3)), most(Y, int(3)))], [-10, 10], [-10, 10]],
  ['!b and (b || x <= 3)', [not(B), or(B, most(X, int(3)))], [-10, 3], [-10, 10]],
  ['b and (b || x <= 3)', [B, or(B, most(X, int(3)))], [-10, 10], [-10, 10]],
  ['b and (!b || x <= 3)', [B, or(not(B), most(X, int(3)))], [-10, 3], [-10, 10]],
  ['false || x <= 3', [or(literal(false), most(X, int(3)))], [-10, 3], [-10, 10]],
  ['true || x <= 3', [or(literal(true), most(X, int(3)))], [-10, 10], [-10, 10]],
  ['(b || x <= 3) and !b, in this order', [or(B, most(X, int(3))), not(B)], [-10, 3], [-10, 10]],
  ['x <= y and y <= 2, in this order', [most(X, Y), most(Y, int(2))], [-10, 2], [-10, 2]],
];
for (const [what, terms, x, y] of CASES) {
  test(`${what}: x is in [${x}], y is in [${y}]`, (t) => {
    const found = rangesOf(TYPES, terms);
    const shown = ['x', 'y'].map((name) => [Number(found.get(name)?.min), Number(found.get(name)?.max)]);
    t.deepEqual(shown, [[...x], [...y]]);
    t.false(found.has('b'));
  });
}
