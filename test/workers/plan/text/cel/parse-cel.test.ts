import test from 'ava';
import { parseCel } from '../../../../../workers/plan/text/cel/parse-cel.ts';

/** Texts of CEL and their values. */
const TEXTS: readonly (readonly [written: string, value: string])[] = [
  ['"a(\'"', "a('"],
  ["'a)\"'", 'a)"'],
  ['"\\""', '"'],
  ["'\\''", "'"],
  ['"""a"(\n"""', 'a"(\n'],
  ["'''a'(\n'''", "a'(\n"],
  ['r"\\"', '\\'],
  ["R'\\'", '\\'],
  ['r"""\\"""', '\\'],
  ["r'''\\'''", '\\'],
];

test('a text is read as CEL writes it, whatever brackets and quotes it has', (t) => {
  for (const [written, value] of TEXTS) t.like(parseCel(written), { kind: 'string', value }, written);
  t.like(parseCel('a // (\n'), { kind: 'name', name: 'a' });
});

test('each operand has its place, and a chain is one operator', (t) => {
  t.like(parseCel(' a  + b.cc + -0x1f'), {
    ...{ kind: 'operator', operator: '+', at: 1 },
    operands: [
      { kind: 'name', at: 1 },
      { kind: 'select', at: 6, mark: 8 },
      { kind: 'number', text: '-0x1f', at: 13 },
    ],
  });
  t.like(parseCel('a[bb].c'), { kind: 'select', mark: 6, operand: { kind: 'index', at: 0, mark: 1 } });
  t.like(parseCel('x . exists ( e, f )'), { kind: 'macro', name: 'exists', binder: 'e', at: 0, mark: 4 });
  t.like(parseCel('f(1, [2])'), { kind: 'call', name: 'f', args: [{ text: '1' }, { kind: 'list' }] });
});
