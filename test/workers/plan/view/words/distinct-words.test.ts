import test from 'ava';
import { canonicalText } from '../../../../../workers/exact/canonical-json.ts';
import { OPERATORS } from '../../../../../workers/plan/language/operators.ts';
import { inWords } from '../../../../../workers/plan/view/words/expression-words.ts';
import { fc } from '../../../../kit/fast-check.ts';

type Tree = unknown;

const variables = {
  v: { type: 'int', value: '1' },
  'args.a': { type: 'int', value: '1' },
  w: { type: 'bool', value: true },
};
/** Names that are few, so that trees are alike, and odd, so that words of different parts could be equal. */
const NAME = fc.constantFrom('a', 'b', 'a.b', 'response', 'args.a', 'p');
const BINDERS = ['p', 'q', 'args', 'response', 'p.a'];
const TEXT = fc.constantFrom(
  'a',
  'args.a',
  '1',
  '',
  ' ',
  '⟨U+200B⟩',
  '\u200b',
  '`',
  'a and b',
  `${'x'.repeat(300)}a`,
  `${'x'.repeat(300)}b`,
);
const RANGES = ['pay', ['table', 't'], ['table', 'pay']] as const;

const LEAVES: readonly fc.Arbitrary<Tree>[] = [
  fc.constantFrom(0, 1, -1),
  NAME.map((name) => ['arg', name]),
  NAME.map((name) => ['resp', name]),
  NAME.map((name) => ['state', name]),
  NAME.map((name) => ['final', name]),
  NAME.map((name) => ['ev', name]),
  fc.constantFrom('v', 'args.a', 'w', 'x').map((name) => ['var', name]),
  fc.constantFrom('1', '1.0', '1.00', '-1').map((text) => ['dec', text]),
  fc.constantFrom('1', '-1').map((text) => ['int', text]),
  fc.boolean().map((value) => ['bool', value]),
  TEXT.map((text) => ['str', text]),
  TEXT.map((text) => ['enum', text]),
  fc.constantFrom('1', '1000', '-1', '0').map((text) => ['duration', text]),
  fc.constant(['time', '2026-12-01T00:00:00.000000Z']),
  fc.constantFrom(['started'], ['ended'], ['run', 'approvals'], ['run', 'approved_at'], ['approved_by', 'a']),
];

/** Parts of an element that a name stands for: which there are depends on its range. */
function boundLeaves(scope: ReadonlyMap<string, unknown>): readonly fc.Arbitrary<Tree>[] {
  return [...scope].flatMap(([binder, range]): readonly fc.Arbitrary<Tree>[] => {
    if (typeof range === 'string') {
      const parts = NAME.chain((name) => fc.constantFrom(['arg', binder, name], ['resp', binder, name]));
      return [parts, fc.constantFrom(['started', binder], ['ended', binder], ['before', binder, 'q'])];
    }
    return [NAME.map((name) => ['col', binder, name])];
  });
}

const AGGREGATES = ['forall', 'exists', 'sum', 'least', 'greatest', 'count', 'unique'] as const;

function trees(depth: number, scope: ReadonlyMap<string, unknown> = new Map()): fc.Arbitrary<Tree> {
  const leaf = fc.oneof(...LEAVES, ...boundLeaves(scope));
  if (depth === 0) return leaf;
  const inner = trees(depth - 1, scope);
  const operated = fc.constantFrom(...OPERATORS).chain(
    ([
      name,
      {
        arity: [least, most],
      },
    ]) => fc.array(inner, { minLength: least, maxLength: Math.min(most, 3) }).map((operands) => [name, ...operands]),
  );
  const keys = fc.array(inner, { minLength: 1, maxLength: 2 });
  const looked = fc.oneof(
    keys.map((list) => ['in', 't', list]),
    keys.map((list) => ['not', ['in', 't', list]]),
    keys.map((list) => ['look', 't', 'a', list]),
    fc.tuple(fc.constantFrom('state', 'final'), inner).map(([when, key]) => ['at', when, 'm', key]),
    fc.constantFrom(...RANGES).map((range) => ['count', range]),
  );
  const aggregated = fc
    .tuple(fc.constantFrom(...AGGREGATES), fc.constantFrom(...BINDERS), fc.constantFrom(...RANGES))
    .chain(([name, binder, range]) => {
      const body = trees(depth - 1, new Map([...scope, [binder, range]]));
      const head = [name, range, binder];
      if (name === 'unique') {
        const list = fc.array(body, { minLength: 1, maxLength: 2 });
        return fc.oneof(
          list.map((one) => [...head, one]),
          fc.tuple(list, body).map((both) => [...head, ...both]),
        );
      }
      if (name === 'forall' || name === 'exists' || name === 'count') {
        return body.chain((one) => fc.constantFrom<Tree>([...head, one], ['not', [...head, one]]));
      }
      return fc.oneof(
        body.map((one) => [...head, one]),
        fc.tuple(body, body).map((both) => [...head, ...both]),
      );
    });
  return fc.oneof(
    { weight: 1, arbitrary: leaf },
    { weight: 5, arbitrary: operated },
    { weight: 2, arbitrary: looked },
    { weight: 3, arbitrary: aggregated },
  );
}

/** The operands of an expression regrouped: `(a ∘ b) • c` for `a ∘ (b • c)`, in the whole tree. */
function regrouped(tree: Tree): readonly Tree[] {
  if (!Array.isArray(tree) || typeof tree[0] !== 'string') return [];
  const [operator, ...operands]: readonly unknown[] = tree;
  const variants: Tree[] = [];
  for (const [index, operand] of operands.entries()) {
    for (const variant of regrouped(operand)) variants.push([operator, ...operands.with(index, variant)]);
    if (!Array.isArray(operand) || typeof operand[0] !== 'string' || operand.length < 2) continue;
    const [other, ...others]: readonly unknown[] = operand;
    if (!OPERATORS.has(operator) || !OPERATORS.has(String(other))) continue;
    const last = others.length - 1;
    variants.push([other, ...others.with(last, [operator, ...operands.with(index, others[last])])]);
    variants.push([other, ...others.with(0, [operator, ...operands.with(index, others[0])])]);
  }
  return variants;
}

test('different expressions have different words', (t) => {
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3 }).chain((depth) => trees(depth)),
      (tree) => {
        for (const one of [tree, ...regrouped(tree)]) {
          const [words, own] = [inWords(one, { variables }), canonicalText(one)];
          const other = seen.get(words) ?? own;
          seen.set(words, own);
          t.is(other, own, words);
        }
      },
    ),
    { numRuns: 20_000 },
  );
});

test('groups that are easily confused have different words', (t) => {
  const [n, flag] = [
    ['arg', 'n'],
    ['var', 'w'],
  ];
  const some = (body: Tree) => ['exists', 'pay', 'p', body];
  const pairs: readonly (readonly [Tree, Tree])[] = [
    [
      ['*', 2, ['div', n, 3]],
      ['div', ['*', 2, n], 3],
    ],
    [
      ['div', ['+', n, 1], 3],
      ['+', n, ['div', 1, 3]],
    ],
    [
      ['or', ['not', some(flag)], ['arg', 'x']],
      ['not', some(['or', flag, ['arg', 'x']])],
    ],
    [
      ['or', ['unique', 'pay', 'p', [n]], flag],
      ['unique', 'pay', 'p', [['or', n, flag]]],
    ],
    [['and', flag], flag],
  ];
  const plain = (tree: Tree) => inWords(tree, { variables });
  for (const [one, other] of pairs) t.not(plain(one), plain(other));
});
