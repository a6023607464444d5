import test from 'ava';
import { literal, type Term, variable } from '../../../../workers/plan/language/terms.ts';
import type { ValueType } from '../../../../workers/plan/language/types.ts';
import type { Value } from '../../../../workers/plan/language/values.ts';
import { createEncoding } from '../../../../workers/verdict/decide/encoding.ts';
import { SmtError, type SmtModel } from '../../../../workers/verdict/decide/smt-solver.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';

const z3 = await sharedZ3();
const SMALL: ValueType = { type: 'int', min: -8n, max: 8n };
const string = (max: number): ValueType => ({ type: 'string', max });
const is = (key: string, value: Value): Term => ({ op: '=', left: variable(key), right: literal(value) });
const differ = (left: string, right: string): Term => ({
  op: 'not',
  arg: { op: '=', left: variable(left), right: variable(right) },
});

function ask(types: Readonly<Record<string, ValueType>>, ...terms: readonly Term[]) {
  const encoding = createEncoding(new Map(Object.entries(types)), terms);
  const asserted = [...Object.keys(types).map(encoding.encodeType), ...terms.map(encoding.encode)];
  const assertions = asserted.map((term, index) => ({ name: `a${index}`, term }));
  const answer = z3.check({ constants: encoding.constants, assertions, rlimit: 1_000_000 });
  return answer.status === 'sat' ? encoding.decode(answer.model) : answer.status;
}

test('there are enough strings for all variables, and none is longer than its type', (t) => {
  const three = { a: string(1), b: string(1), c: string(9) };
  const apart = [differ('a', 'b'), differ('b', 'c'), differ('a', 'c')];
  const others = ['A', 'a', 'b', ''].map(
    (text): Term => ({ op: 'not', arg: { op: 'or', args: [is('a', text), is('c', text)] } }),
  );
  const model = ask(three, ...apart, ...others);
  if (typeof model === 'string') return t.fail(model);
  t.is(new Set(model.values()).size, 3);
  t.true([model.get('a'), model.get('b')].every((text) => typeof text === 'string' && text.length <= 1));
  return t.is(ask(three, is('a', 'AB')), 'unsat');
});

test('a string of at most 0 code points is empty', (t) => {
  t.is(ask({ a: string(0), b: string(0) }, differ('a', 'b')), 'unsat');
  t.deepEqual(ask({ a: string(0) }, literal(true)), new Map([['a', '']]));
});

test('an enum has its values and no others', (t) => {
  const type: ValueType = { type: 'enum', values: ['x', 'y'] };
  t.is(ask({ e: type }, { op: 'not', arg: { op: 'or', args: [is('e', 'x'), is('e', 'y')] } }), 'unsat');
  t.is(ask({ e: type, s: string(2) }, is('e', 'z')), 'unsat');
  t.deepEqual(ask({ e: type }, { op: 'not', arg: is('e', 'x') }), new Map([['e', 'y']]));
});

test('the solver gets no name and no text of a caller', (t) => {
  const key = '/x) (assert false) (';
  const encoding = createEncoding(new Map([[key, string(9)]]), [is(key, '") (exit)')]);
  t.is(encoding.encode(is(key, '") (exit)')), '(= x0 2)');
  t.deepEqual([...encoding.constants.keys()], ['x0']);
});

test('a model with a missing value, a truth for a number, or an unknown code is refused', (t) => {
  const encoding = createEncoding(
    new Map([
      ['n', SMALL],
      ['s', string(1)],
    ]),
    [],
  );
  const model: SmtModel = new Map([
    ['x0', 1n],
    ['x1', 0n],
  ]);
  t.deepEqual(
    encoding.decode(model),
    new Map<string, Value>([
      ['n', 1n],
      ['s', ''],
    ]),
  );
  const refused = (other: SmtModel) => t.throws(() => encoding.decode(other), { instanceOf: SmtError });
  for (const symbol of ['x0', 'x1']) {
    refused(new Map([...model].filter(([name]) => name !== symbol)));
    refused(new Map([...model, [symbol, true]]));
  }
  refused(new Map([...model, ['x1', 99n]]));
});
