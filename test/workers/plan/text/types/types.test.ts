import test from 'ava';
import { isSameType, readAnyType } from '../../../../../workers/plan/read/read-state.ts';
import { compileTools } from '../../../../../workers/plan/text/tools/compile-tools.ts';
import { describeType } from '../../../../../workers/plan/text/types/describe-type.ts';
import { readStateType } from '../../../../../workers/plan/text/types/read-type.ts';
import { compileText, planText } from '../../../../models/plan-texts.ts';
import { words } from '../faults/catalogue-cases.ts';

/** Types as authors write them, and in canonical form. */
const TYPES: readonly (readonly [text: string, type: object])[] = [
  ['string', { type: 'string', max: 1024 }],
  ['string(0)', { type: 'string', max: 0 }],
  ['string (65536)', { type: 'string', max: 65_536 }],
  ['string(254, trimmed)', { type: 'string', max: 254, fold: 'trimmed' }],
  ['int', { type: 'int' }],
  ['int(0..10)', { type: 'int', min: '0', max: '10' }],
  ['int(-3 .. 3)', { type: 'int', min: '-3', max: '3' }],
  ['int(5..5)', { type: 'int', min: '5', max: '5' }],
  ['int(0..)', { type: 'int', min: '0' }],
  ['int(..0)', { type: 'int', max: '0' }],
  ['decimal(2)', { type: 'decimal', scale: 2 }],
  ['decimal(0)', { type: 'decimal', scale: 0 }],
  ['decimal(18)', { type: 'decimal', scale: 18 }],
  ['decimal(2, 0..9.5)', { type: 'decimal', scale: 2, min: '0.00', max: '9.50' }],
  ['bool', { type: 'bool' }],
  ['time', { type: 'time' }],
  ['duration', { type: 'duration' }],
  ['enum(a)', { type: 'enum', values: ['a'] }],
  ['enum( a b ,c(d, e))', { type: 'enum', values: ['a b', 'c(d, e)'] }],
  [`enum(${words(256)})`, { type: 'enum', values: words(256) }],
  [`enum(${'é'.repeat(63)}😀)`, { type: 'enum', values: [`${'é'.repeat(63)}😀`] }],
];

test('a type is read, with its bounds at the decimals of the type, and is written so that it is read again', (t) => {
  const argOf = (text: string) =>
    compileTools(`tools: { look@1.0.0: { args: { a: '${text}' } } }`).tools?.[0]?.args['a'];
  for (const [text, type] of TYPES) {
    t.deepEqual(argOf(text), type, text);
    t.deepEqual(argOf(describeType(readAnyType(type, ''))), type, text);
  }
});

const [INT, BOOL, TIME] = [{ type: 'int' }, { type: 'bool' }, { type: 'time' }];
const string = (max: number) => ({ type: 'string', max });
const AT = '2026-01-01T00:00:00.000000Z';

/** Types of maps, which only states have. */
const MAPS: readonly (readonly [text: string, key: object, value: object, byDefault: unknown])[] = [
  ['map(int, int, default 0)', INT, INT, '0'],
  ['map(bool, bool, default  true)', BOOL, BOOL, true],
  ['map(enum(a), decimal(2), default 1)', { type: 'enum', values: ['a'] }, { type: 'decimal', scale: 2 }, '1.00'],
  ['map(string(3), string(3), default "")', string(3), string(3), ''],
  [`map(string(3), string(3), default ''x'')`, string(3), string(3), 'x'],
  ['map(string(3), string(9), default "x)', string(3), string(9), '"x'],
  ['map(string(3), string(9), default x")', string(3), string(9), 'x"'],
  [`map(int, time, default ${AT})`, INT, TIME, AT],
];

test('a state may be a map, with a default that has the type of its values', (t) => {
  for (const [text, key, value, byDefault] of MAPS) {
    const { plan, faults } = compileText(planText([]).replace('left: 80.00', `left: 80.00, m: '${text}'`));
    t.deepEqual(plan?.state['m'], { type: 'map', key, value, default: byDefault }, `${text} ${JSON.stringify(faults)}`);
  }
  const map = { type: 'map', key: BOOL, value: TIME };
  t.is(describeType(readAnyType(map, '')), 'map(bool, time)');
  t.is(describeType(readAnyType({ ...map, default: AT }, '')), `map(bool, time, default ${AT})`);
});

/** A value as it is written, and as the plan has it. */
const VALUES: readonly (readonly [text: string, variable: object])[] = [
  ...['0', '-12', '9'.repeat(38)].map((value) => [value, { type: 'int', value }] as const),
  ['0.500', { type: 'decimal', scale: 3, value: '0.500' }],
  ['false', { type: 'bool', value: false }],
  ['true', { type: 'bool', value: true }],
  ...['true', '3'].map((value) => [`"${value}"`, { type: 'string', max: 1024, value }] as const),
  ...['A 3', 'x2026-12-05T00:00:00Z', 'truest', 'yonder', 'anull'].map(
    (value) => [value, { type: 'string', max: 1024, value }] as const,
  ),
  ['2026-12-05T01:00:00+01:00', { type: 'time', value: '2026-12-05T00:00:00.000000Z' }],
  ['{ type: decimal(2), value: 3 }', { type: 'decimal', scale: 2, value: '3.00' }],
  ['{ type: decimal(2), value: -0.5 }', { type: 'decimal', scale: 2, value: '-0.50' }],
  ['{ type: decimal(0), value: 7 }', { type: 'decimal', scale: 0, value: '7' }],
  ...['2', '9'].map(
    (value) => [`{ type: int(2..9), value: ${value} }`, { type: 'int', min: '2', max: '9', value }] as const,
  ),
  ['{ type: string(3), value: a😀c }', { type: 'string', max: 3, value: 'a😀c' }],
  ['{ type: bool, value: false }', { type: 'bool', value: false }],
  ['{ type: time, value: 2026-12-05T00:00:00Z }', { type: 'time', value: '2026-12-05T00:00:00.000000Z' }],
  ['{ type: duration, value: 1h30m }', { type: 'duration', value: '5400000000' }],
  ['{ type: duration, value: -1s }', { type: 'duration', value: '-1000000' }],
];

test('a given value has the type by which it is written, or the one that is named', (t) => {
  for (const [text, variable] of VALUES) {
    const { plan, faults } = compileText(planText([]).replace('cap: 25.00', `v: ${text}, cap: 25.00`));
    t.deepEqual(plan?.variables['v'], variable, `${text} ${JSON.stringify(faults)}`);
  }
});

test('two types are the same if their values are, whatever the order of an enum and the default of a map', (t) => {
  const typeOf = (text: string) => readStateType({ kind: 'scalar', at: 0, text, isQuoted: true, sourceOf: () => 0 });
  for (const [one, same, ...others] of [
    ['enum(a, b)', 'enum(b, a)', 'enum(a)', 'enum(a, c)'],
    ['int', 'int', 'int(0..)', 'map(int, bool)'],
    ['string(1)', 'string(1)', 'string(2)'],
    ['map(int, bool)', 'map(int, bool, default true)', 'map(bool, bool)', 'map(int, int)', 'int'],
  ]) {
    t.true(isSameType(typeOf(String(one)), typeOf(String(same))), one);
    for (const other of others) t.false(isSameType(typeOf(String(one)), typeOf(other)), `${one} ${other}`);
  }
});
