import test from 'ava';
import { parseExpression } from '../../../../workers/plan/language/parse-expression.ts';
import type { Scope } from '../../../../workers/plan/language/site.ts';
import { parseType, TIMED_TYPES, type ValueType } from '../../../../workers/plan/language/types.ts';
import { payPlan } from '../../../models/pay-plan.ts';
import { refuses, thrownBy } from '../../verdict/thrown.ts';

const plan = payPlan({ state: 'sent: "map(string(64), int, default 0)"' });
const typeOf = (json: object): ValueType => parseType(json, '', [], TIMED_TYPES);
const [BOOL, INT, TIME, DURATION] = ['bool', 'int', 'time', 'duration'].map((type) => typeOf({ type })) as [
  ValueType,
  ValueType,
  ValueType,
  ValueType,
];

const SCOPE: Scope = {
  names: { var: new Map([['most', INT]]) },
  relations: {
    tables: plan.tables,
    maps: { at: 'final', types: plan.maps },
    hasOwnTimes: false,
    hasRunFacts: true,
  },
  steps: new Map(
    plan.steps.map(({ stepId, tool }) => [
      stepId,
      { arg: tool.args, resp: new Map([...tool.responds].map(([name, field]) => [name, field.type])) },
    ]),
  ),
};

const N = ['arg', 'p', 'n'];
const FREE = ['>', N, 0];
const over = (head: string, ...rest: readonly unknown[]) => [head, 'pay', 'p', ...rest];
const most = (left: unknown) => ['<=', left, 9];

const READ: readonly (readonly [unknown, ValueType])[] = [
  [over('sum', N), INT],
  [over('sum', N, FREE), INT],
  [over('least', N), INT],
  [over('greatest', N, FREE), INT],
  [over('least', ['started', 'p']), TIME],
  [over('greatest', ['ended', 'p']), TIME],
  [over('sum', ['-', ['ended', 'p'], ['started', 'p']]), DURATION],
  [over('least', ['-', ['ended', 'p'], ['started', 'p']]), DURATION],
  [['count', 'pay'], INT],
  [over('count', FREE), INT],
  [['count', ['table', 'approved']], INT],
  [['sum', ['table', 'approved'], 'a', ['col', 'a', 'amount']], INT],
  [over('unique', [N, ['resp', 'p', 'note']]), BOOL],
  [over('unique', [N], FREE), BOOL],
  [over('forall', over('exists', FREE).with(2, 'q')), BOOL],
  [over('forall', ['forall', 'pay', 'q', ['before', 'p', 'q']]), BOOL],
  [['run', 'approved_at'], TIME],
  [['run', 'approvals'], INT],
  [['approved_by', 'finance'], BOOL],
  [['at', 'final', 'sent', ['str', 'A']], INT],
  [['look', 'approved', 'amount', [['str', 'A']]], INT],
  [['in', 'approved', [['str', 'A']]], BOOL],
  [['time', '2026-12-05T00:00:00.000000Z'], TIME],
  [['duration', '3600000000'], DURATION],
];

for (const [expression, type] of READ) {
  test(`${JSON.stringify(expression)} is of type ${type.type}, and of no other`, (t) => {
    for (const each of [BOOL, INT, TIME, DURATION]) {
      const read = () => parseExpression(expression, { type: each, scope: SCOPE });
      if (each === type) t.notThrows(read);
      else t.is(thrownBy(read)?.[0], 'TYPE_MISMATCH');
    }
  });
}

const REFUSED: readonly (readonly [unknown, string, string])[] = [
  [most(over('sum', ['started', 'p'])), 'TYPE_MISMATCH', '/1/3'],
  [most(over('sum', ['arg', 'p', 'payee'])), 'TYPE_MISMATCH', '/1/3'],
  [most(over('least', ['arg', 'p', 'payee'])), 'TYPE_MISMATCH', '/1/3'],
  [most(over('greatest', ['arg', 'p', 'flag'])), 'TYPE_MISMATCH', '/1/3'],
  [most(over('sum', N, N)), 'TYPE_MISMATCH', '/1/4'],
  [most(over('count', N)), 'TYPE_MISMATCH', '/1/3'],
  [most(over('sum')), 'WRONG_ARITY', '/1'],
  [most(over('sum', N, FREE, FREE)), 'WRONG_ARITY', '/1'],
  [most(['count']), 'WRONG_ARITY', '/1'],
  [most(['count', 'pay', 'p']), 'WRONG_ARITY', '/1'],
  [over('forall'), 'WRONG_ARITY', ''],
  [over('exists', FREE, FREE), 'WRONG_ARITY', ''],
  [over('forall', N), 'TYPE_MISMATCH', '/3'],
  [over('forall', FREE).with(1, 'nobody'), 'UNKNOWN_STEP', '/1'],
  [over('forall', FREE).with(1, ['table', 'nothing']), 'UNKNOWN_NAME', '/1/1'],
  [over('forall', FREE).with(1, ['map', 'sent']), 'MALFORMED_EXPRESSION', '/1'],
  [over('forall', FREE).with(1, ['step', 'pay']), 'MALFORMED_EXPRESSION', '/1'],
  [over('forall', FREE).with(1, ['table', 'approved', 1]), 'MALFORMED_EXPRESSION', '/1'],
  [over('forall', FREE).with(1, ['table', 1]), 'MALFORMED_EXPRESSION', '/1'],
  [over('forall', FREE).with(1, null), 'MALFORMED_EXPRESSION', '/1'],
  [over('forall', FREE).with(2, 'not a name'), 'MALFORMED_EXPRESSION', '/2'],
  [over('forall', over('forall', FREE)), 'MALFORMED_EXPRESSION', '/3/2'],
  [over('unique', []), 'MALFORMED_EXPRESSION', '/3'],
  [over('unique', 'n'), 'MALFORMED_EXPRESSION', '/3'],
  [over('unique', [N, ['arg', 'p', 'nobody']]), 'UNKNOWN_NAME', '/3/1/2'],
  [over('unique', [N], N), 'TYPE_MISMATCH', '/4'],
  [over('unique'), 'WRONG_ARITY', ''],
  [over('forall', ['>', ['resp', 'p', 'n'], 0]), 'UNKNOWN_NAME', '/3/1/2'],
  [over('forall', ['>', ['col', 'p', 'n'], 0]), 'UNKNOWN_NAME', '/3/1/2'],
  [over('forall', ['>', ['key', 'p'], 0]), 'UNKNOWN_OPERATOR', '/3/1/0'],
  [over('forall', ['>', ['value', 'p'], 0]), 'UNKNOWN_OPERATOR', '/3/1/0'],
  [most(['mod', ['count', 'pay'], 2]), 'UNKNOWN_OPERATOR', '/1/0'],
  [over('forall', ['>', ['arg', 'q', 'n'], 0]), 'UNKNOWN_NAME', '/3/1/1'],
  [['forall', ['table', 'approved'], 'a', ['>', ['arg', 'a', 'amount'], 0]], 'UNKNOWN_NAME', '/3/1/2'],
  [['forall', ['table', 'approved'], 'a', ['=', ['started', 'a'], ['run', 'approved_at']]], 'UNKNOWN_NAME', '/3/1/0'],
  [over('forall', ['before', 'p', 'q']), 'UNKNOWN_NAME', '/3/2'],
  [over('forall', ['before', 'p']), 'WRONG_ARITY', '/3'],
  [['forall', ['table', 'approved'], 'a', over('forall', ['before', 'a', 'p'])], 'TYPE_MISMATCH', '/3/3/1'],
  [['=', ['started'], ['run', 'approved_at']], 'OUT_OF_SCOPE', '/1/0'],
  [['=', ['run', 'approved'], ['run', 'approved_at']], 'UNKNOWN_NAME', '/1/1'],
  [['=', ['run'], ['run', 'approved_at']], 'WRONG_ARITY', '/1'],
  [['approved_by', 'not a name'], 'MALFORMED_EXPRESSION', '/1'],
  [['approved_by'], 'WRONG_ARITY', ''],
  [['=', ['time', 'soon'], ['run', 'approved_at']], 'MALFORMED_VALUE', '/1/1'],
  [['=', ['time', '2026-02-30T00:00:00.000000Z'], ['run', 'approved_at']], 'MALFORMED_VALUE', '/1/1'],
  [['<', ['run', 'approved_at'], 5], 'TYPE_MISMATCH', '/2'],
  [['<=', ['sum', 'pay', N], 1], 'WRONG_ARITY', '/1'],
  [['<=', N, 1], 'UNKNOWN_NAME', '/1/1'],
  [
    [
      'in',
      'approved',
      [
        ['str', 'A'],
        ['str', 'A'],
      ],
    ],
    'WRONG_ARITY',
    '/2',
  ],
  [['in', 'denied', [['str', 'A']]], 'UNKNOWN_NAME', '/1'],
  [['=', ['look', 'approved', 'iban', [['str', 'A']]], 1], 'UNKNOWN_NAME', '/1/2'],
  [['=', ['at', 'final', 'got', ['str', 'A']], 0], 'UNKNOWN_NAME', '/1/2'],
];

for (const [expression, code, path] of REFUSED) {
  test(`${JSON.stringify(expression)} is refused at ${path}: ${code}`, (t) => {
    refuses(t, () => parseExpression(expression, { type: BOOL, scope: SCOPE }), code, path);
  });
}

test('three aggregates can be nested, and a fourth cannot', (t) => {
  const nested = (...names: readonly string[]) =>
    names.reduceRight<unknown>((body, name) => ['forall', 'pay', name, body], ['bool', true]);
  const read = (expression: unknown) => parseExpression(expression, { type: BOOL, scope: SCOPE });
  t.notThrows(() => read(nested('a', 'b', 'c')));
  refuses(t, () => read(nested('a', 'b', 'c', 'd')), 'TOO_DEEP', '/3/3/3');
  t.notThrows(() => read(['and', nested('a', 'b', 'c'), nested('a', 'b', 'c')]));
});

const LESS: readonly (readonly [string, Partial<NonNullable<Scope['relations']>>, unknown, string])[] = [
  ['maps', { maps: undefined }, ['=', ['at', 'final', 'sent', ['str', 'A']], 1], '/1/1'],
  ['facts about the run', { hasRunFacts: false }, ['approved_by', 'finance'], '/0'],
  ['facts about the run', { hasRunFacts: false }, ['=', ['run', 'approvals'], 1], '/1/0'],
];
for (const [what, change, expression, path] of LESS) {
  test(`without ${what}, ${JSON.stringify(expression)} is out of scope`, (t) => {
    if (SCOPE.relations === undefined) return t.fail();
    const scope = { ...SCOPE, relations: { ...SCOPE.relations, ...change } };
    return refuses(t, () => parseExpression(expression, { type: BOOL, scope }), 'OUT_OF_SCOPE', path);
  });
}

test('without steps, no step is in scope', (t) => {
  const { steps: _, ...scope } = SCOPE;
  const read = () => parseExpression(over('forall', FREE), { type: BOOL, scope });
  t.deepEqual(thrownBy(read), ['OUT_OF_SCOPE', '/1']);
});
