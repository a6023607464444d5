import test from 'ava';
import { canonicalText } from '../../../../../workers/exact/canonical-json.ts';
import { OPERATORS } from '../../../../../workers/plan/language/operators.ts';
import { inWords } from '../../../../../workers/plan/view/words/expression-words.ts';
import { fc } from '../../../../kit/fast-check.ts';
import { rowsOf, tree } from '../../../../models/trees.ts';

type Tree = unknown;

const variables = {
  v: { type: 'int', value: '1' },
  'args.a': { type: 'int', value: '1' },
  w: { type: 'bool', value: true },
};

/** What the words in capitals stand for: few and odd, so that words of different parts could be equal. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  NAME: ['a', 'b', 'a.b', 'response', 'args.a', 'p'],
  TEXT: [
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
  ],
  STEP: ['p', 'q', 'args'],
  ROW: ['response', 'p.a'],
  TABLE: ['[table t]', '[table pay]'],
  WHEN: ['state', 'final'],
  RUN: ['approvals', 'approved_at'],
};

const LEAVES = `0 ¦ 1 ¦ -1 ¦ [arg NAME] ¦ [resp NAME] ¦ [state NAME] ¦ [final NAME] ¦ [ev NAME] ¦ [var v] ¦ [var args.a]
[var w] ¦ [var x] ¦ [dec "1"] ¦ [dec 1.0] ¦ [dec 1.00] ¦ [dec "-1"] ¦ [int "1"] ¦ [int "-1"] ¦ [bool true] ¦ [bool false]
[str "TEXT"] ¦ [enum "TEXT"] ¦ [duration "1"] ¦ [duration "1000"] ¦ [duration "-1"] ¦ [duration "0"] ¦ [started] ¦ [ended]
[time 2026-12-01T00:00:00.000000Z] ¦ [run RUN] ¦ [approved_by a] ¦ [arg STEP NAME] ¦ [resp STEP NAME] ¦ [col ROW NAME]
[started STEP] ¦ [ended STEP] ¦ [before STEP q]`.split(/ ¦ |\n/);

/** Expressions with `X` for each that they contain. Names of elements are by what they range over. */
const CONTAINING = [
  ...[...OPERATORS].flatMap(([name, { arity }]) =>
    [1, 2, 3]
      .filter((count) => count >= arity[0] && count <= arity[1])
      .map((count) => `[${name}${' X'.repeat(count)}]`),
  ),
  ...[
    '[in t [X]]',
    '[in t [X X]]',
    '[not [in t [X]]]',
    '[look t a [X]]',
    '[at WHEN m X]',
    '[count pay]',
    '[count TABLE]',
  ],
  ...['pay STEP', 'TABLE ROW'].flatMap((range) => [
    ...['sum', 'least', 'greatest'].flatMap((name) => [`[${name} ${range} X]`, `[${name} ${range} X X]`]),
    ...['forall', 'exists', 'count'].flatMap((name) => [`[${name} ${range} X]`, `[not [${name} ${range} X]]`]),
    ...['[X]', '[X X]', '[X] X'].map((keys) => `[unique ${range} ${keys}]`),
  ]),
];

function texts(depth: number): fc.Arbitrary<string> {
  const leaf = fc.constantFrom(...LEAVES);
  const filled = (text: string): fc.Arbitrary<string> => {
    const hole = /X|\b(NAME|TEXT|STEP|ROW|TABLE|WHEN|RUN)\b/.exec(text);
    if (hole === null) return fc.constant(text);
    const parts = hole[1] === undefined ? texts(depth - 1) : fc.constantFrom(...(WORDS[hole[1]] ?? []));
    const end = hole.index + hole[0].length;
    return fc.tuple(parts, filled(text.slice(end))).map(([part, rest]) => text.slice(0, hole.index) + part + rest);
  };
  return fc
    .oneof(leaf, ...Array.from({ length: depth === 0 ? 0 : 5 }, () => fc.constantFrom(...CONTAINING)))
    .chain(filled);
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
      fc.integer({ min: 0, max: 3 }).chain((depth) => texts(depth).map(tree)),
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
  const plain = (text: string) =>
    inWords(tree(text.replaceAll('N', '[arg n]').replaceAll('W', '[var w]')), { variables });
  for (const [one, other] of rowsOf(`
[* 2 [div N 3]] ⇒ [div [* 2 N] 3]
[div [+ N 1] 3] ⇒ [+ N [div 1 3]]
[or [not [exists pay p W]] [arg x]] ⇒ [not [exists pay p [or W [arg x]]]]
[or [unique pay p [N]] W] ⇒ [unique pay p [[or N W]]]
[and W] ⇒ W
`))
    t.not(plain(one), plain(other));
});
