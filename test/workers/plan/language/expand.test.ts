import test from 'ava';
import { DocumentError } from '../../../../workers/exact/document-error.ts';
import { createNodeBudget, expand, isTooLarge } from '../../../../workers/plan/language/expand.ts';
import { parseExpression } from '../../../../workers/plan/language/parse-expression.ts';
import { literal, type Term, variable } from '../../../../workers/plan/language/terms.ts';
import { parseTypes } from '../../../../workers/plan/language/types.ts';
import { evaluate } from '../../../../workers/verdict/decide/evaluate.ts';
import { refuses } from '../../verdict/thrown.ts';

const SCOPE = { names: { var: parseTypes({ cap: { type: 'decimal', scale: 2 } }, '') } };
const CAP = ['var', 'cap'];
const read = (json: unknown) => parseExpression(json, { type: { type: 'bool' }, scope: SCOPE });
const named = (cap: Term) => ({ var: new Map([['cap', cap]]) });

test('a name may stand for a whole term, and one without a term is an error of the caller', (t) => {
  const least: Term = { op: 'min', left: literal(700n), right: variable('x') };
  const term = expand(read(['<=', ['dec', '5.00'], CAP]), named(least));
  t.deepEqual(
    [600n, 400n].map((x) => evaluate(term, new Map([['x', x]]))),
    [true, false],
  );
  t.throws(() => expand(read(['=', CAP, 1]), {}), { instanceOf: TypeError });
});

test('an expression is too large if it has too many nodes or is nested too deeply', (t) => {
  const failures = [new DocumentError('TOO_MANY_NODES', '', ''), new DocumentError('TOO_DEEP', '', '')];
  t.true(failures.every(isTooLarge));
  t.false([new DocumentError('UNKNOWN_NAME', '', ''), new RangeError('TOO_DEEP')].some(isTooLarge));
});

test('a sheet expands to 20,000 nodes, and no more', (t) => {
  const rule = read(['<', ['+', ...Array.from({ length: 900 }, () => CAP)], 1]);
  const shared = createNodeBudget();
  for (let index = 0; index < 22; index += 1) expand(rule, named(literal(1n)), shared);
  refuses(t, () => expand(rule, named(literal(1n)), shared), 'TOO_MANY_NODES', '');
});

test('terms that replace names are counted with all their nodes', (t) => {
  let doubled: Term = variable('x');
  for (let level = 0; level < 60; level += 1) doubled = { op: '+', args: [doubled, doubled] };
  const rule = read(['=', CAP, 1]);
  refuses(t, () => expand(rule, named(doubled)), 'TOO_MANY_NODES', '');
  let deep: Term = variable('x');
  for (let level = 0; level < 300; level += 1) deep = { op: '*', arg: deep, by: 1n };
  refuses(t, () => expand(rule, named(deep)), 'TOO_DEEP', '');
});
