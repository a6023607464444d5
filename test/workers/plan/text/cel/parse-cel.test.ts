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
