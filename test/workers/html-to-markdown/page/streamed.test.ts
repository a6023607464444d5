import test from 'ava';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';

const read = (html: string) => htmlToMarkdown({ html }).markdown;

for (const letter of ['B', 'P']) {
  test(`a part that was streamed late is written at the place of its template ${letter}:1f`, (t) => {
    t.is(
      read(`<p>a</p><template id="${letter}:1f"></template><p>c</p><div hidden id="S:1f"><p>b</div>`),
      'a\n\nb\n\nc\n',
    );
  });
}

test('a streamed part can be placed in another one', (t) => {
  const inner = '<div hidden id="S:1"><p>b</div>';
  t.is(
    read(`<p>a</p><template id="B:0"></template><div hidden id="S:0"><template id="P:1"></template><p>c</div>${inner}`),
    'a\n\nb\n\nc\n',
  );
});

test('a streamed part without a place, or with a place in itself, is not written', (t) => {
  t.is(read('<p>a</p><div hidden id="S:1"><p>b</div>'), 'a\n');
  t.is(read('<p>a</p><div hidden id="S:1"><template id="B:1"></template><p>b</div>'), 'a\n');
});

for (const part of [
  '<div id="S:1"><p>b</div>',
  '<div hidden id="S:x"><p>b</div>',
  '<div hidden id="xS:1"><p>b</div>',
]) {
  test(`${part} is no streamed part`, (t) => {
    const isShown = !part.includes('hidden');
    t.is(read(`<template id="B:1"></template><p>a</p>${part}`), isShown ? 'a\n\nb\n' : 'a\n');
  });
}

test('parts in parts do not make a page deeper than its bounds allow', (t) => {
  const deep = (id: number) =>
    `${'<div>'.repeat(100)}<template id="B:${id.toString(16)}"></template>${'</div>'.repeat(100)}`;
  const parts = Array.from(
    { length: 400 },
    (_, id) => `<div hidden id="S:${id.toString(16)}">${id}${deep(id + 1)}</div>`,
  );
  const markdown = read(`${deep(0)}${parts.join('')}`);
  t.is(markdown.match(/\d+/g)?.length, 400);
});
