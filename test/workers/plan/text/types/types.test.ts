import test from 'ava';
import { isSameType, readAnyType } from '../../../../../workers/plan/read/read-state.ts';
import { describeType } from '../../../../../workers/plan/text/types/describe-type.ts';
import { readStateType } from '../../../../../workers/plan/text/types/read-type.ts';
import { compileText, planText } from '../../../../models/plan-texts.ts';
import { COLUMN, MAP_COLUMN, MAP_FAULTS, TYPE_FAULTS, withArg, withMap, words } from '../faults/type-cases.ts';

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
  ['bool()', { type: 'bool' }],
  ['time', { type: 'time' }],
  ['duration', { type: 'duration' }],
  ['enum(a)', { type: 'enum', values: ['a'] }],
  ['enum( a b ,c(d, e))', { type: 'enum', values: ['a b', 'c(d, e)'] }],
  [`enum(${words(256)})`, { type: 'enum', values: words(256) }],
  [`enum(${'é'.repeat(63)}😀)`, { type: 'enum', values: [`${'é'.repeat(63)}😀`] }],
];

test('a type is read, with its bounds at the decimals of the type', (t) => {
  for (const [text, type] of TYPES) {
    if (text === 'bool()') continue;
    const { tools, faults } = withArg(text);
    t.deepEqual(tools?.[0]?.args, { a: type }, `${text} ${JSON.stringify(faults)}`);
  }
});

test('a type that is not one has its line, its column, and what to write instead', (t) => {
  for (const [marked, message] of TYPE_FAULTS) {
    const { faults } = withArg(marked.replace('^', ''));
    t.is(faults?.length, 1, marked);
    t.regex(String(faults?.[0]?.message), message);
    t.is(faults?.[0]?.column, COLUMN + marked.indexOf('^'), `${marked} ${faults?.[0]?.message}`);
  }
});

/** Types of maps, which only states have. In a plan, a map has a default. */
const MAPS: readonly (readonly [string, object])[] = [
  ['map(int, int, default 0)', { key: { type: 'int' }, value: { type: 'int' }, default: '0' }],
  ['map(bool, bool, default  true)', { key: { type: 'bool' }, value: { type: 'bool' }, default: true }],
  [
    'map(enum(a, b), decimal(2), default 1)',
    { key: { type: 'enum', values: ['a', 'b'] }, value: { type: 'decimal', scale: 2 }, default: '1.00' },
  ],
  [
    'map(string(3), string(3), default "")',
    { key: { type: 'string', max: 3 }, value: { type: 'string', max: 3 }, default: '' },
  ],
  [
    `map(string(3), string(3), default ''x'')`,
    { key: { type: 'string', max: 3 }, value: { type: 'string', max: 3 }, default: 'x' },
  ],
  [
    'map(string(3), string(9), default "x)',
    { key: { type: 'string', max: 3 }, value: { type: 'string', max: 9 }, default: '"x' },
  ],
  [
    'map(string(3), string(9), default x")',
    { key: { type: 'string', max: 3 }, value: { type: 'string', max: 9 }, default: 'x"' },
  ],
  [
    'map(int, time, default 2026-01-01T00:00:00Z)',
    { key: { type: 'int' }, value: { type: 'time' }, default: '2026-01-01T00:00:00.000000Z' },
  ],
];

test('a state may be a map, with a default that has the type of its values', (t) => {
  for (const [text, type] of MAPS) {
    const { plan, faults } = withMap(text);
    t.deepEqual(plan?.state['m'], { type: 'map', ...type }, `${text} ${JSON.stringify(faults)}`);
  }
});

test('a map that cannot be a state has its column, and what to write instead', (t) => {
  for (const [marked, code, message] of MAP_FAULTS) {
    const [fault] = withMap(marked.replace('^', '')).faults ?? [];
    t.is(fault?.code, code, marked);
    t.regex(String(fault?.message), message);
    // The fault of a state as a whole is at its quote.
    const whole = marked === '^map(int, int)' ? 1 : 0;
    t.is(fault?.column, MAP_COLUMN + marked.indexOf('^') - whole, marked);
  }
});

/** A value as it is written, and as the plan has it. */
const VALUES: readonly (readonly [text: string, variable: object])[] = [
  ['0', { type: 'int', value: '0' }],
  ['-12', { type: 'int', value: '-12' }],
  ['9'.repeat(38), { type: 'int', value: '9'.repeat(38) }],
  ['0.500', { type: 'decimal', scale: 3, value: '0.500' }],
  ['false', { type: 'bool', value: false }],
  ['true', { type: 'bool', value: true }],
  ['"true"', { type: 'string', max: 1024, value: 'true' }],
  ['"3"', { type: 'string', max: 1024, value: '3' }],
  ['A 3', { type: 'string', max: 1024, value: 'A 3' }],
  ['x2026-12-05T00:00:00Z', { type: 'string', max: 1024, value: 'x2026-12-05T00:00:00Z' }],
  ['truest', { type: 'string', max: 1024, value: 'truest' }],
  ['yonder', { type: 'string', max: 1024, value: 'yonder' }],
  ['anull', { type: 'string', max: 1024, value: 'anull' }],
  ['2026-12-05T01:00:00+01:00', { type: 'time', value: '2026-12-05T00:00:00.000000Z' }],
  ['{ type: decimal(2), value: 3 }', { type: 'decimal', scale: 2, value: '3.00' }],
  ['{ type: decimal(2), value: -0.5 }', { type: 'decimal', scale: 2, value: '-0.50' }],
  ['{ type: decimal(0), value: 7 }', { type: 'decimal', scale: 0, value: '7' }],
  ['{ type: int(2..9), value: 2 }', { type: 'int', min: '2', max: '9', value: '2' }],
  ['{ type: int(2..9), value: 9 }', { type: 'int', min: '2', max: '9', value: '9' }],
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

const AT = '2026-01-01T00:00:00.000000Z';
/** A type of a document, and as authors write it. */
const DESCRIBED: readonly (readonly [json: object, text: string])[] = [
  [{ type: 'decimal', scale: 2 }, 'decimal(2)'],
  [{ type: 'int', min: 0 }, 'int(0..)'],
  [{ type: 'decimal', scale: 1, max: '2.0' }, 'decimal(1, ..2.0)'],
  [{ type: 'enum', values: ['x', 'y'] }, 'enum(x, y)'],
  [{ type: 'string', max: 3, fold: 'trimmed' }, 'string(3, trimmed)'],
  [{ type: 'map', key: { type: 'int' }, value: { type: 'bool' } }, 'map(int, bool)'],
  [{ type: 'map', key: { type: 'bool' }, value: { type: 'time' }, default: AT }, `map(bool, time, default ${AT})`],
];

test('a type is described as authors write it', (t) => {
  for (const [json, text] of DESCRIBED) t.is(describeType(readAnyType(json, '')), text);
});

test('two types are the same if their values are, whatever the order of an enum and the default of a map', (t) => {
  const isSame = (one: string, other: string) => {
    const typeOf = (text: string) => readStateType({ kind: 'scalar', at: 0, text, isQuoted: true, sourceOf: () => 0 });
    return isSameType(typeOf(one), typeOf(other));
  };
  t.true(isSame('enum(a, b)', 'enum(b, a)'));
  t.false(isSame('enum(a)', 'enum(b)'));
  t.true(isSame('int', 'int'));
  t.false(isSame('int', 'int(0..)'));
  t.false(isSame('string(1)', 'string(2)'));
  t.true(isSame('map(int, bool)', 'map(int, bool, default true)'));
  t.false(isSame('map(int, bool)', 'map(bool, bool)'));
  t.false(isSame('map(int, bool)', 'map(int, int)'));
  t.false(isSame('map(int, bool)', 'int'));
  t.false(isSame('int', 'map(int, bool)'));
});
