import test from 'ava';
import { toMarkdown } from '../to-markdown.ts';

const CASES: readonly (readonly [what: string, html: string, markdown: string])[] = [
  ['a link and its title', '<p><a href="/a b(1)" title=\'x "y"\'>c</a>', '[c](/a%20b%281%29 "x \\"y\\"")'],
  [
    'links without text, or only with an icon, are dropped',
    '<p>a <a href=x></a> <a href=x><i class=icon></i></a> <a href=x><span> </span></a>b',
    'a b',
  ],
  ['a link without an address becomes its text', '<p><a name=x>a</a> <a href="">b</a>', 'a b'],
  ['a link around an image', '<a href=x><img src=a.png alt=A></a>', '[![A](a.png)](x)'],
  ['a link around blocks is repeated in each block', '<a href=x><h3>a</h3><p>b</p></a>', '### [a](x)\n\n[b](x)'],
  ['white space moves out of links', '<p>a<a href=x> b </a>c', 'a [b](x) c'],
  ['an exclamation mark before a link is escaped', '<p>a!<a href=x>b</a>', 'a\\![b](x)'],
  [
    'the link <a href="#x" class=headerlink>¶</a> of a heading to itself is dropped',
    '<h2 id=x>a <a href="#x" class=headerlink>¶</a></h2>',
    '## a',
  ],
  ['the link <a href="#x">#</a> of a heading to itself is dropped', '<h2 id=x>a <a href="#x">#</a></h2>', '## a'],
  ['the link <a href="/p#x">§</a> of a heading to itself is dropped', '<h2 id=x>a <a href="/p#x">§</a></h2>', '## a'],
  [
    'the link <a href="#x">Permalink</a> of a heading to itself is dropped',
    '<h2 id=x>a <a href="#x">Permalink</a></h2>',
    '## a',
  ],
  [
    'the link <a href="#x">Copy link</a> of a heading to itself is dropped',
    '<h2 id=x>a <a href="#x">Copy link</a></h2>',
    '## a',
  ],
  [
    'the link <a href="#x" aria-hidden=true>to here</a> of a heading to itself is dropped',
    '<h2 id=x>a <a href="#x" aria-hidden=true>to here</a></h2>',
    '## a',
  ],
  [
    'the link <a href="#x"><img src=link.png alt=""></a> of a heading to itself is dropped',
    '<h2 id=x>a <a href="#x"><img src=link.png alt=""></a></h2>',
    '## a',
  ],
  [
    'the link <a href="#x">Link to this heading</a> of a heading to itself is dropped',
    '<h2 id=x>a <a href="#x">Link to this heading</a></h2>',
    '## a',
  ],
  ['a heading that links to itself becomes its text', '<h2 id=x><a href="#x">a</a></h2>', '## a'],
  ['a heading that links elsewhere keeps the link', '<h2 id=x><a href="#y">a</a></h2>', '## [a](#y)'],
  ['the link of a term to itself is dropped', '<dl><dt>a<a class=headerlink href="#a">¶</a><dd>b</dl>', '**a**\n\nb'],
  ['a number sign that links elsewhere stays', '<p><a href="#x">#</a> <a href=/x>¶</a>', '[#](#x) [¶](/x)'],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(toMarkdown(html), markdown));
