import test from 'ava';
import { DocumentError } from '../../../../workers/exact/document-error.ts';
import { OPERATORS } from '../../../../workers/plan/language/operators.ts';
import { parseExpression } from '../../../../workers/plan/language/parse-expression.ts';
import type { Scope } from '../../../../workers/plan/language/site.ts';
import { parseType, parseTypes, type ValueType } from '../../../../workers/plan/language/types.ts';
import { fc } from '../../../kit/fast-check.ts';
import { runs } from '../../../kit/property-runs.ts';
import { refuses } from '../../verdict/thrown.ts';

const SCOPE: Scope = {
  names: {
    var: parseTypes(
      {
        n: { type: 'int' },
        cap: { type: 'decimal', scale: 2 },
        rate: { type: 'decimal', scale: 4 },
        ok: { type: 'bool' },
        id: { type: 'string', max: 64 },
        state: { type: 'enum', values: ['open', 'done'] },
        turned: { type: 'enum', values: ['done', 'open'] },
        size: { type: 'enum', values: ['s', 'm'] },
      },
      '',
    ),
  },
};
const BOOL: ValueType = { type: 'bool' };
const parse = (json: unknown, type: ValueType = BOOL, scope = SCOPE) =>
  parseExpression(json, { type, scope, path: '/expr' });

const TAKEN: readonly unknown[] = [
  ['=', ['var', 'rate'], ['*', ['dec', '0.5'], ['var', 'cap']]],
  ['<', ['div', ['var', 'n'], -3], ['div', ['var', 'n'], ['int', '2']]],
  ['=', ['var', 'state'], ['ite', ['var', 'ok'], ['enum', 'open'], ['enum', 'done']]],
  ['!=', ['var', 'state'], ['var', 'turned']],
  ['iff', ['not', ['bool', true]], ['implies', ['var', 'ok'], ['!=', ['var', 'id'], ['str', 'A1']]]],
  ['>=', ['-', ['var', 'n']], ['min', ['var', 'cap'], ['max', 1, ['var', 'rate'], ['-', 3, 2, 1]]]],
];
for (const json of TAKEN) {
  test(`${JSON.stringify(json)} is a rule`, (t) => {
    t.notThrows(() => parse(json));
  });
}

const REFUSED: readonly (readonly [unknown, string, string])[] = [
  [null, 'MALFORMED_EXPRESSION', ''],
  ['ok', 'MALFORMED_EXPRESSION', ''],
  [true, 'MALFORMED_EXPRESSION', ''],
  [[], 'MALFORMED_EXPRESSION', ''],
  [{ 0: 'and' }, 'MALFORMED_EXPRESSION', ''],
  [[['and']], 'MALFORMED_EXPRESSION', ''],
  [['xor', ['var', 'ok']], 'UNKNOWN_OPERATOR', '/0'],
  [['count', 'pay'], 'UNKNOWN_OPERATOR', '/0'],
  [['constructor', 1], 'UNKNOWN_OPERATOR', '/0'],
  [['and'], 'WRONG_ARITY', ''],
  [['=', 1], 'WRONG_ARITY', ''],
  [['=', 1, 1, 1], 'WRONG_ARITY', ''],
  [['not', ['var', 'ok'], ['var', 'ok']], 'WRONG_ARITY', ''],
  [['var', 'ok', 'ok'], 'WRONG_ARITY', ''],
  [['var', 1], 'MALFORMED_EXPRESSION', '/1'],
  [['bool', 'true'], 'MALFORMED_EXPRESSION', '/1'],
  [['var', 'missing'], 'UNKNOWN_NAME', '/1'],
  [['var', '__proto__'], 'UNKNOWN_NAME', '/1'],
  [['arg', 'amount'], 'OUT_OF_SCOPE', '/0'],
  [1, 'TYPE_MISMATCH', ''],
  [['and', ['var', 'ok'], ['or', ['var', 'n']]], 'TYPE_MISMATCH', '/2/1'],
  [['=', ['var', 'n'], ['str', '1']], 'TYPE_MISMATCH', '/2'],
  [['=', ['var', 'state'], ['str', 'open']], 'TYPE_MISMATCH', '/2'],
  [['<', ['var', 'id'], ['str', 'A1']], 'TYPE_MISMATCH', '/1'],
  [['=', ['var', 'state'], ['var', 'size']], 'TYPE_MISMATCH', '/2'],
  [['=', ['var', 'state'], ['enum', 's']], 'UNKNOWN_VALUE', '/2'],
  [['=', ['ite', ['var', 'ok'], ['enum', 's'], ['enum', 'open']], ['var', 'size']], 'UNKNOWN_VALUE', '/2'],
  [['=', ['*', ['var', 'n'], ['var', 'n']], 1], 'NOT_A_LITERAL', '/1/2'],
  [['=', ['div', ['var', 'n'], ['var', 'n']], 1], 'NOT_A_LITERAL', '/1/2'],
  [['=', ['div', ['var', 'n'], 0], 1], 'DIVISION_BY_ZERO', '/1/2'],
  [['=', ['div', ['var', 'cap'], 2], 1], 'TYPE_MISMATCH', '/1/1'],
  [['=', ['div', 7, ['dec', '2.0']], 1], 'TYPE_MISMATCH', '/1/2'],
  [['=', ['var', 'n'], 1.5], 'MALFORMED_NUMBER', '/2'],
  [['=', ['var', 'n'], 2 ** 53], 'MALFORMED_NUMBER', '/2'],
  [['=', ['var', 'n'], -0], 'MALFORMED_NUMBER', '/2'],
  [['=', ['var', 'n'], ['int', '01']], 'MALFORMED_NUMBER', '/2/1'],
  [['=', ['var', 'n'], ['int', '1.0']], 'WRONG_SCALE', '/2/1'],
  [['=', ['var', 'n'], ['dec', `0.${'0'.repeat(18)}1`]], 'WRONG_SCALE', '/2/1'],
  [['=', ['var', 'n'], ['int', '9'.repeat(39)]], 'TOO_MANY_DIGITS', '/2/1'],
  [['=', ['var', 'id'], ['str', '\udc00']], 'MALFORMED_STRING', '/2/1'],
];
for (const [json, code, path] of REFUSED) {
  test(`${JSON.stringify(json).slice(0, 80)} is not a rule: ${code} at ${path}`, (t) => {
    refuses(t, () => parse(json), code, `/expr${path}`);
  });
}

test('a number is converted to a type with as many decimals or more, and refused for one with fewer', (t) => {
  const money = parseType({ type: 'decimal', scale: 2 }, '');
  t.deepEqual(parse(3, money), { op: 'literal', value: 300n });
  refuses(t, () => parse(['dec', '3.000'], money), 'TYPE_MISMATCH', '/expr');
  refuses(t, () => parse(['enum', 'l'], parseType({ type: 'enum', values: ['s'] }, '')), 'UNKNOWN_VALUE', '/expr');
});

const nest = (depth: number): unknown => (depth === 0 ? ['var', 'ok'] : ['not', nest(depth - 1)]);
const wide = (count: number): unknown => ['and', ...Array.from({ length: count }, () => ['var', 'ok'])];

test('32 levels of nesting are accepted, and no more', (t) => {
  t.notThrows(() => parse(nest(31)));
  refuses(t, () => parse(nest(32)), 'TOO_DEEP', '/expr');
});

test('a tree of 1,000,000 levels is refused, without overflowing the stack', (t) => {
  let json: unknown = 1;
  for (let level = 0; level < 1_000_000; level += 1) json = ['-', json];
  refuses(t, () => parse(json), 'TOO_DEEP', '/expr');
});

test('1,000 nodes are accepted, and no more', (t) => {
  t.notThrows(() => parse(wide(999)));
  refuses(t, () => parse(wide(1000)), 'TOO_MANY_NODES', '/expr');
});

test('64 KB are accepted, and no more', (t) => {
  const overhead = JSON.stringify(['=', ['var', 'id'], ['str', '']]).length;
  t.notThrows(() => parse(['=', ['var', 'id'], ['str', 'x'.repeat(65_536 - overhead)]]));
  refuses(t, () => parse(['=', ['var', 'id'], ['str', 'x'.repeat(65_537 - overhead)]]), 'TOO_LARGE', '/expr');
  refuses(t, () => parse(['=', ['var', 'id'], ['str', '€'.repeat(30_000)]]), 'TOO_LARGE', '/expr');
  refuses(t, () => parse(Array.from({ length: 1_000_000 }, () => 'x')), 'TOO_LARGE', '/expr');
});

test('256 names are accepted, and no more', (t) => {
  const names = Array.from({ length: 257 }, (_, index) => `v${index}`);
  const scope: Scope = { names: { var: new Map(names.map((name) => [name, BOOL])) } };
  const rule = (count: number) => ['and', ...names.slice(0, count).map((name) => ['var', name])];
  t.notThrows(() => parse(rule(256), BOOL, scope));
  refuses(t, () => parse(rule(257), BOOL, scope), 'TOO_MANY_VARIABLES', '/expr/257');
});

test('any JSON is a rule or a DocumentError', (t) => {
  const words = fc.constantFrom(...OPERATORS.keys(), 'sum', 'var', 'int', 'dec', 'enum', 'ok', 'n', 'pay', '1');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      words,
      fc.jsonValue({ maxDepth: 1 }),
      fc.tuple(words).chain(([word]) => fc.array(tie('tree'), { maxLength: 3 }).map((args) => [word, ...args])),
    ),
  }));
  let refused = 0;
  fc.assert(
    fc.property(tree, (json) => {
      try {
        parse(json);
      } catch (error) {
        refused += 1;
        t.true(error instanceof DocumentError);
      }
    }),
    { numRuns: runs(2000) },
  );
  t.true(refused > runs(2000) / 2);
});
