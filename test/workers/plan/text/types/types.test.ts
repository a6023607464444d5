import test from 'ava';
import {
  describeType,
  isSameType,
  toStateType,
  withoutBounds,
} from '../../../../../workers/plan/text/types/value-type.ts';
import { compileText, planOf, planText } from '../../../../models/plan-texts.ts';
import { COLUMN, MAP_COLUMN, MAP_FAULTS, STATE, TYPE_FAULTS, withArg, withMap, words } from '../faults/type-cases.ts';

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

test('a type is described as authors write it, and without its bounds', (t) => {
  const { state } = planOf(
    planText([]).replace(
      STATE,
      `${STATE}, a: { type: 'int(0..)', initial: 1 }, b: { type: 'decimal(1, ..2)', initial: 1 }, c: { type: 'enum(x, y)', initial: x }`,
    ),
  );
  const described = Object.values(state).map((json) => describeType(toStateType(json, 'initial') ?? { type: 'time' }));
  t.deepEqual(described, [
    'decimal(2)',
    'map(string(254), int(0..), default 0)',
    'int(0..)',
    'decimal(1, ..2.0)',
    'enum(x, y)',
  ]);
  t.is(describeType({ type: 'string', max: 3, fold: 'trimmed' }), 'string(3, trimmed)');
  t.is(describeType({ type: 'map', key: { type: 'int' }, value: { type: 'bool' } }), 'map(int, bool)');
  t.deepEqual(withoutBounds({ type: 'int', min: '0', max: '1' }), { type: 'int' });
  t.deepEqual(withoutBounds({ type: 'decimal', scale: 1, min: '0.0' }), { type: 'decimal', scale: 1 });
  t.deepEqual(withoutBounds({ type: 'string', max: 3, fold: 'email' }), { type: 'string', max: 3 });
  t.deepEqual(withoutBounds({ type: 'time' }), { type: 'time' });
});

const MALFORMED: readonly unknown[] = [
  null,
  'int',
  {},
  { type: 'money' },
  { type: 'int', scale: 1 },
  { type: 'int', min: true },
  { type: 'int', at: '/a', initial: 1 },
  { type: 'decimal' },
  { type: 'decimal', scale: 19 },
  { type: 'decimal', scale: -1 },
  { type: 'decimal', scale: 1.5 },
  { type: 'decimal', scale: 1, max: [] },
  { type: 'decimal', scale: 1, x: 1 },
  { type: 'bool', x: 1 },
  { type: 'enum', values: [] },
  { type: 'enum', values: [1] },
  { type: 'enum', values: ['a'], x: 1 },
  { type: 'string' },
  { type: 'string', max: -1 },
  { type: 'string', max: 65_537 },
  { type: 'string', max: 1, fold: 'dots' },
  { type: 'string', max: 1, x: 1 },
  { type: 'time', x: 1 },
  { type: 'duration', x: 1 },
  { type: 'map', key: { type: 'int' } },
  { type: 'map', key: { type: 'x' }, value: { type: 'int' } },
  { type: 'map', key: { type: 'int' }, value: { type: 'int' }, x: 1 },
];

test('a malformed type of a document is not read', (t) => {
  for (const json of MALFORMED) t.is(toStateType(json, 'at'), undefined, JSON.stringify(json));
  t.deepEqual(toStateType({ type: 'int', min: 0, at: '/a' }, 'at'), { type: 'int', min: 0 });
  t.is(toStateType({ type: 'int', at: '/a' }), undefined);
  t.is(toStateType({ type: 'string', max: 65_536 })?.type, 'string');
  t.is(toStateType({ type: 'decimal', scale: 18 })?.type, 'decimal');
});

test('two types are the same if their values are, whatever the order of an enum and the default of a map', (t) => {
  const map = { type: 'map', key: { type: 'int' }, value: { type: 'bool' } } as const;
  const [ab, ba] = [{ type: 'enum', values: ['a', 'b'] } as const, { type: 'enum', values: ['b', 'a'] } as const];
  t.true(isSameType({ type: 'enum', values: [...ab.values] }, { type: 'enum', values: [...ba.values] }));
  t.false(isSameType({ type: 'enum', values: ['a'] }, { type: 'enum', values: ['b'] }));
  t.true(isSameType({ type: 'int' }, { type: 'int' }));
  t.false(isSameType({ type: 'int' }, { type: 'int', min: '0' }));
  t.false(isSameType({ type: 'string', max: 1 }, { type: 'string', max: 2 }));
  t.true(isSameType(map, { ...map, default: true }));
  t.false(isSameType(map, { ...map, key: { type: 'bool' } }));
  t.false(isSameType(map, { ...map, value: { type: 'int' } }));
  t.false(isSameType(map, { type: 'int' }));
  t.false(isSameType({ type: 'int' }, map));
});
