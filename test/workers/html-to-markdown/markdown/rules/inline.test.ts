import test from 'ava';
import { toMarkdown } from '../to-markdown.ts';

const CASES: readonly (readonly [what: string, html: string, markdown: string])[] = [
  [
    'emphasis, strong emphasis, strikethrough',
    '<p><em>a</em> <i>b</i> <strong>c</strong> <b>d</b> <del>e</del> <s>f</s>',
    '*a* *b* **c** **d** ~~e~~ ~~f~~',
  ],
  [
    'elements without Markdown syntax become text',
    '<p><abbr title=x>a</abbr> <ins>b</ins> <mark>c</mark> <u>d</u> <small>e</small>',
    'a b c d e',
  ],
  ['quotation marks', '<p><q>a</q>', '“a”'],
  ['white space moves out of emphasis', '<p>x <b> a </b>y<i> b</i>', 'x **a** y *b*'],
  ['nested emphasis becomes one emphasis', '<p><em>a <i>b</i> c</em>', '*a b c*'],
  ['emphasis without text is dropped', '<p>a<b></b> <i> </i>b', 'a b'],
  ['emphasis around blocks is repeated in each block', '<b><p>a</p><p>b</p></b>', '**a**\n\n**b**'],
  ['line breaks', '<p>a<br> b<br><br>c<br>', 'a\\\nb\n\nc'],
  [
    'text that looks like markup is escaped',
    '<p>*a* _b_ `c` [d] &lt;e> &amp;amp; ~~f~~ \\*',
    '\\*a\\* \\_b\\_ \\`c\\` \\[d\\] \\<e> \\&amp; \\~\\~f\\~\\~ \\\\\\*',
  ],
  ['ordinary text is not escaped', '<p>a_b 2*3 - (c) #d 1.5 e! f: g|h', 'a_b 2\\*3 - (c) #d 1.5 e! f: g|h'],
  [
    'text that looks like a block at the start of a line is escaped',
    '<p># a<p>- b<p>1. c<p>> d<p>+ e<p>=',
    '\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n\n\\+ e\n\n\\=',
  ],
  [
    'spaces that do not collapse move out of emphasis and links',
    '<p><b>Name:&nbsp;</b>Ana a<i>&nbsp;b</i> <a href=z>q&nbsp;</a>r <b><i>k&nbsp;</i></b>l <s>&#x3000;p</s>',
    '**Name:**\u00a0Ana a\u00a0*b* [q](z)\u00a0r __*k*__\u00a0l \u3000~~p~~',
  ],
  ['emphasis of such spaces alone is dropped', '<p>a<b>&nbsp;</b>b <a href=z>&nbsp;</a>c', 'a\u00a0b \u00a0c'],
  [
    'readings without brackets get them',
    '<p><ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby> <ruby>漢<rp>（</rp><rt>kan</rt><rp>）</rp></ruby> <ruby>x<rtc>y</rtc></ruby>',
    '漢(kan)字(ji) 漢（kan） x(y)',
  ],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(toMarkdown(html), markdown));
