import test from 'ava';
import { MAX_TEXT_LENGTH } from '../../../../../workers/plan/text/yaml/read-yaml.ts';
import type { TextNode } from '../../../../../workers/plan/text/yaml/text-node.ts';
import { readText } from '../faults/yaml-cases.ts';

/** The texts of a node. */
function plain(node: TextNode | undefined): unknown {
  if (node?.kind === 'map') return node.entries.map(({ key, value }) => [key.text, plain(value)]);
  return node?.kind === 'list' ? node.items.map(plain) : node && (node.isQuoted ? [node.text] : node.text);
}

test('maps, lists and scalars are read as texts, with what is in quotes marked', (t) => {
  const text = `a: 1.10\nb: 'x'\nc: "y"\nd: |\n  z\ne: >-\n  u\nf: [yes, ~]\ng: {h}\ni:\nj: {k: , l: m}\n`;
  const read = (yaml: string) => JSON.stringify(plain(readText(yaml).node));
  t.is(
    read(text),
    '[["a","1.10"],["b",["x"]],["c",["y"]],["d",["z\\n"]],["e",["u"]],["f",["yes","~"]],["g",[["h",""]]],["i",""],["j",[["k",""],["l","m"]]]]',
  );
  for (const one of ['a:\t1\r\n', '---\na: 1\n', 'a: 1\n...\n', 'a: 1 # %b\n']) t.is(read(one), '[["a","1"]]', one);
  t.is(read('a: |\n  %b\n'), '[["a",["%b\\n"]]]');
  for (const one of ['\ufeffa: 1', '%b: 1\n']) t.is(readText(one).node, undefined, one);
});

test('a value that is missing is after its name', (t) => {
  const { node } = readText('ab: {cde, f: g}');
  const inner = node?.kind === 'map' ? node.entries[0]?.value : undefined;
  const value = inner?.kind === 'map' ? inner.entries[0]?.value : undefined;
  t.is(value?.at, 'ab: {cde'.length);
  t.is(value?.kind === 'scalar' ? value.sourceOf(3) : -1, 'ab: {cde'.length);
});

test('a character of a scalar has its offset in the text, and what is after its end the end', (t) => {
  const { node } = readText('- "a\\"b"\n');
  const scalar = node?.kind === 'list' ? node.items[0] : undefined;
  const offsets = scalar?.kind === 'scalar' ? [0, 1, 2, 3, 9].map(scalar.sourceOf) : [];
  t.deepEqual(offsets, [3, 4, 6, 8, 8]);
});

const codesOf = (text: string) => readText(text).faults.map(({ code }) => code);

test('a text has a limited length, depth and number of parts', (t) => {
  t.deepEqual(codesOf(`a: 1\n${'#'.repeat(MAX_TEXT_LENGTH - 5)}`), []);
  t.deepEqual(codesOf(`a: 1\n${'#'.repeat(MAX_TEXT_LENGTH - 4)}`), ['TOO_LARGE']);
  t.deepEqual(codesOf(`[${'a,'.repeat(49_999)}]`), []);
  t.deepEqual(codesOf(`[${'a,'.repeat(50_000)}]`), ['TOO_LARGE']);
  for (const nested of [
    (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`,
    (depth: number) => `${'- '.repeat(depth)}a`.replace(/- a$/, '[]'),
    (depth: number) => `${'{a: '.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`,
    (depth: number) => `${'{? '.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`,
  ]) {
    t.false(codesOf(nested(24)).includes('TOO_DEEP'), nested(24));
    t.deepEqual(codesOf(nested(25)), ['TOO_DEEP'], nested(25));
  }
  for (const deep of ['[', '- ']) t.like(readText(`\n${deep.repeat(100_000)}`).faults, [{ code: 'TOO_DEEP', line: 2 }]);
});
