import { article, type Case, guide, prose, testCases } from './kinds.ts';

const withBase = (bases: string, link: string) =>
  `<html><head>${bases}</head><body><p><a href="${link}">the chart</a></p></body></html>`;

const BASES: readonly Case[] = [
  [
    'a base element without an address does not hide the next one',
    withBase('<base target="_top"><base href="https://cdn.example/kelm/">', 'chart.html'),
    { has: ['(https://cdn.example/kelm/chart.html)'] },
  ],
  [
    'the second of three base elements has the first address',
    withBase(
      '<base target="_self"><base target="_blank" href="/archive/"><base href="https://wrong.example/">',
      'a/b.html',
    ),
    { has: ['(https://example.org/archive/a/b.html)'], not: ['wrong.example'] },
  ],
  [
    'a base element with a relative address after one with a target resolves pictures',
    '<html><head><base target="main"><base href="../img/"></head><body><p><img src="lamp.png" alt="Lamp"></p></body></html>',
    { has: ['![Lamp](https://example.org/img/lamp.png)'] },
  ],
  [
    'the first of two addresses of a base element counts',
    withBase('<base href="https://first.example/"><base href="https://second.example/">', 'x'),
    { has: ['(https://first.example/x)'], not: ['second.example'] },
  ],
];

const SHADOWS: readonly Case[] = [
  [
    'the second shadow tree of an element is not read',
    guide(
      '<x-box><template shadowrootmode="open"><h3>Tide</h3><slot></slot></template><template shadowrootmode="open"><p>It is never shown.</p><slot></slot></template><p>The gauge reads nine.</p></x-box>',
    ),
    { has: ['### Tide', 'The gauge reads nine.'], not: ['never shown'] },
  ],
];

const EDIT_LINKS: readonly Case[] = [
  [
    'both links to edit a French section are left out',
    guide(
      `<div class="mw-heading mw-heading2"><h2 id="H">Histoire</h2><span class="mw-editsection"><span>[</span><a href="/w/index.php?title=K&amp;veaction=edit&amp;section=1"><span>modifier</span></a><span> | </span><a href="/w/index.php?title=K&amp;action=edit&amp;section=1"><span>modifier le code</span></a><span>]</span></span></div><p>Le môle est ancien.</p>`,
      'fr',
    ),
    { has: ['## Histoire\n', 'Le môle est ancien.'], not: ['action=edit', 'modifier'] },
  ],
  [
    'a section about editing stays with its link',
    guide('<h2>Edit</h2><p>Use the <a href="/editor">editor</a> for charts.</p>'),
    { has: ['## Edit', 'Use the [editor]'] },
  ],
  [
    'the line of links to the pages around a page of a manual is left out',
    guide(
      '<div class="header"><p>Next: <a href="b.html" accesskey="n" rel="next">Ropes</a>, Up: <a href="i.html" accesskey="u" rel="up">Top</a> [<a href="i.html#C" rel="contents">Contents</a>]</p></div>',
    ),
    { not: ['Next:', 'Contents'] },
  ],
  [
    'the cells of links to the pages around a page of a manual are left out',
    '<table class="header"><tr><td>[<a href="a.html" accesskey="p" rel="prev"> &lt; </a>]</td><td>[<a href="b.html" accesskey="n" rel="next"> &gt; </a>]</td></tr></table><h3>Ropes</h3>',
    { has: ['### Ropes'], not: ['a.html', 'b.html'] },
  ],
  [
    'a sentence with a link that has a key stays',
    '<p>Read the <a href="b.html" accesskey="n" rel="next">next chapter</a>, which tells of all the ropes that the sailors of Kelm have made for the quay.</p>',
    { has: ['next chapter'] },
  ],
  [
    'the links to the source of Rust are left out',
    '<details open><summary class="hideme"><span>Expand description</span></summary><p>Ties it.</p></details><h4>moor <a class="src" href="../src/kelm/lib.rs.html#9-12">Source</a></h4>',
    { has: ['Ties it.', '#### moor\n'], not: ['Source', 'Expand'] },
  ],
];

const SOURCES: readonly Case[] = [
  [
    'paragraphs that are only links to files stay in an article',
    article(
      `${prose(3)}<p>Attachments:</p><p><a href="/files/soundings-1990.xlsx">Soundings of 1990 (XLSX)</a></p><p><a href="/files/minutes.docx">Minutes of the council</a></p>${prose(1, 3)}`,
    ),
    { has: ['soundings-1990.xlsx', 'minutes.docx'] },
  ],
  [
    'a block with a link to the source of a story stays',
    article(
      `${prose(3)}<p>The numbers come from the council.</p><div class="source"><a href="https://council.example/report/depth">Source: Report on the depth of the channel</a></div>${prose(1, 3)}`,
    ),
    { has: ['https://council.example/report/depth'] },
  ],
];

const UNSEEN: readonly Case[] = [
  [
    'the choices of a datalist in a page are left out',
    guide(
      '<p>Type a port: <input list="ports"></p><datalist id="ports"><option value="Arn">Arn</option><option>Sollby</option></datalist>',
    ),
    { has: ['Type a port'], not: ['Arn', 'Sollby'] },
  ],
  [
    'a closed dialog within a fragment is left out, with a datalist of options',
    '<p>Colors</p><dialog class="x"><p>Choose a shade first.</p></dialog><datalist><option>Crimson</option></datalist><p>End</p>',
    { has: ['Colors', 'End'], not: ['Choose a shade', 'Crimson'] },
  ],
  [
    'an open dialog in a fragment stays',
    '<p>Before</p><dialog open><p>The gate is shut today.</p></dialog>',
    { has: ['Before', 'The gate is shut today.'] },
  ],
];

const RUBY: readonly Case[] = [
  [
    'each reading of a word with two parts is set apart',
    guide('<p><ruby>灯<rt>とう</rt>台<rt>だい</rt></ruby>が光る。</p>', 'ja'),
    { not: ['灯とう', '台だい'], has: ['とう', 'だい', 'が光る。'] },
  ],
  [
    'the Chinese readings of several bases are set apart',
    '<p><ruby><rb>北</rb><rt>běi</rt></ruby><ruby><rb>海</rb><rt>hǎi</rt></ruby>很冷。</p>',
    { not: ['北běi', '海hǎi'], has: ['běi', 'hǎi'] },
  ],
];

const MAILS: readonly Case[] = [
  [
    'a mail address in a span that a script decodes is written',
    '<p>Ask <span class="__cf_email__" data-cfemail="543f3138391424263b227a312c35392438">[email&#160;protected]</span>.</p>',
    { not: ['protected'], has: ['@'] },
  ],
  [
    'a mail address in a link that a script decodes is written',
    '<p><a href="/cdn-cgi/l/email-protection#254a4c494065544450410b405d44485549">Write</a></p>',
    { has: ['[Write](mailto:'] },
  ],
  [
    'a hidden mail address in a link is written once',
    guide(
      '<p>Ask <a href="/cdn-cgi/l/email-protection#422c272d023127236c273a232f322e27"><span class="__cf_email__" data-cfemail="422c272d023127236c273a232f322e27">[email&#160;protected]</span></a> today.</p>',
    ),
    { has: ['[neo@sea.example](mailto:neo@sea.example)'], not: ['protected'] },
  ],
  [
    'what is no code of a mail address stays',
    '<p><span data-cfemail="xyz">[email protected]</span></p>',
    { has: ['protected'] },
  ],
];

const NOTES: readonly Case[] = [
  [
    'a note in the margin is in brackets',
    '<p>The mole<span class="marginnote">Built in 1887.</span> is long.</p>',
    { has: ['The mole (Built in 1887.) is long.'] },
  ],
  [
    'a numbered note in the margin is in brackets',
    guide(
      '<p>The mole<label for="mn" class="margin-toggle">⊕</label><input type="checkbox" id="mn" class="margin-toggle"><span class="sidenote">Of <em>stone</em>.</span> is long.</p>',
    ),
    { has: ['(Of *stone*.) is long.'] },
  ],
  [
    'a note in the margin after a sentence is in brackets',
    article(`<p>The mole is long.<span class="side-note">In feet.</span></p>${prose(3)}`),
    { has: ['The mole is long. (In feet.)'] },
  ],
  [
    'a note of Asciidoctor has no sign before its text',
    '<p>Mole<sup class="footnote">[<a id="_footnoteref_1" class="footnote" href="#_footnotedef_1">1</a>]</sup></p><div class="footnote" id="_footnotedef_1"><a href="#_footnoteref_1">1</a>. Of stone.</div>',
    { has: ['[^1]: Of stone.'] },
  ],
];

const SUMMARIES: readonly Case[] = [
  [
    'a heading deep in a summary is a heading',
    '<details><summary><div><div class="x"><h3>read()</h3></div></div></summary>Reads it.</details>',
    { has: ['### read()', 'Reads it.'], not: ['**'] },
  ],
  [
    'a heading beside a link in a summary is a heading',
    guide('<details><summary><span><a href="/src">source</a><h4>moor()</h4></span></summary><p>Ties it.</p></details>'),
    { has: ['#### moor()'], not: ['**'] },
  ],
  [
    'a heading deep in a term is a heading',
    '<dl><dt><div><h4>quay</h4></div></dt><dd>A wall.</dd></dl>',
    { has: ['#### quay', 'A wall.'], not: ['**'] },
  ],
];

const GENERATORS: readonly Case[] = [
  [
    'a word over a name in Doxygen goes',
    '<p>a</p><div class=ttc><div class=ttname>Rope</div></div>',
    { not: ['Rope'] },
  ],
  ['the sign of a heading of Doxygen goes', '<h2><a href="#a">◆&nbsp;</a>cut()</h2>', { has: ['## cut()'] }],
  ['numbers of old Doxygen go', '<pre class=fragment>00001 <b>a</b>\n00002 b</pre>', { has: ['\na\nb\n'] }],
  [
    'the signs beside a link to the source go',
    '<p><b>1.4</b> · <a class=src href=a.rs.html>source</a> · <button>x</button></p>',
    { not: ['·'] },
  ],
  [
    'a mark is parted from the name before it',
    '<ul><li><span>cut</span><span class="tag">new</span>',
    { has: ['cut new'] },
  ],
  ['a mark after a sign is not', '<p>#<span class="tag">new</span></p>', { has: ['#new'], not: ['# new'] }],
  [
    'a note in an element for it is in brackets',
    '<p>A<d-footnote>B.</d-footnote> c<span role=note>D.</span>',
    { has: ['A (B.) c (D.)'] },
  ],
  [
    'cells that take room are left out',
    '<table><tr><td>&nbsp;<td>1.3<td><p>Third.<td></table>',
    { has: ['1.3 Third.'] },
  ],
  [
    'a term is parted from its meaning by a space',
    '<table><tr><td>“Berth”<td>means it.</table>',
    { has: ['“Berth” means it.'] },
  ],
  [
    'a file of which only an icon is shown',
    '<div><a href=a.pdf><i></i><span class=sr-only>Plan</span></a></div>',
    { has: ['[Plan]'] },
  ],
];

testCases([
  ...BASES,
  ...GENERATORS,
  ...SHADOWS,
  ...EDIT_LINKS,
  ...SOURCES,
  ...UNSEEN,
  ...RUBY,
  ...MAILS,
  ...NOTES,
  ...SUMMARIES,
]);
