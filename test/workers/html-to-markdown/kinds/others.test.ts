import { article, type Case, guide, page, prose, testCases } from './kinds.ts';

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
    'a shadow tree in an article is read',
    article(
      `${prose(2)}<tide-table><template shadowrootmode="open"><table><tr><th>Day</th><th>Arms</th></tr><tr><td>Monday</td><td>7</td></tr></table></template></tide-table>${prose(2, 2)}`,
    ),
    { has: ['| Monday | 7 |'] },
  ],
  [
    'the slotted text of a host stays beside its closed shadow tree',
    guide(
      '<kelm-note><template shadowrootmode="closed"><style>p{color:red}</style><h3>Note</h3><slot></slot></template><p>Paint dries slowly in May.</p></kelm-note>',
    ),
    { has: ['### Note', 'Paint dries slowly in May.'], not: ['color:red'] },
  ],
  [
    'shadow trees within each other are read in a German page',
    guide(
      '<x-box><template shadowrootmode="open"><x-line><template shadowrootmode="open"><p>Der Anker hält im Lehm.</p></template></x-line></template></x-box>',
      'de',
    ),
    { has: ['Der Anker hält im Lehm.'] },
  ],
  [
    'the second shadow tree of an element is not read',
    guide(
      '<x-box><template shadowrootmode="open"><h3>Tide</h3><slot></slot></template><template shadowrootmode="open"><p>It is never shown.</p><slot></slot></template><p>The gauge reads nine.</p></x-box>',
    ),
    { has: ['### Tide', 'The gauge reads nine.'], not: ['never shown'] },
  ],
  [
    'an ordinary template is not read',
    guide('<template><p>A row for the script to copy.</p></template><p>The list is empty.</p>'),
    { has: ['The list is empty.'], not: ['A row for the script'] },
  ],
];

const editLink = (word: string) =>
  `<span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="/w/index.php?title=Kelm&amp;action=edit&amp;section=2" title="${word}">${word}</a><span class="mw-editsection-bracket">]</span></span>`;

const EDIT_LINKS: readonly Case[] = [
  [
    'the link to edit a German section is left out',
    guide(
      `<h2><span class="mw-headline" id="G">Geschichte</span>${editLink('Bearbeiten')}</h2><p>Die Mole ist alt.</p>`,
      'de',
    ),
    { has: ['## Geschichte\n', 'Die Mole ist alt.'], not: ['action=edit', 'Bearbeiten'] },
  ],
  [
    'the link to edit a Russian section is left out',
    guide(
      `<div class="mw-heading mw-heading3"><h3 id="I">История</h3>${editLink('править')}</div><p>Мол построен давно.</p>`,
      'ru',
    ),
    { has: ['### История\n', 'Мол построен давно.'], not: ['action=edit', 'править'] },
  ],
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

const task = (isDone: boolean, text: string) =>
  `<li data-checked="${isDone}" data-type="taskItem"><label><input type="checkbox"${isDone ? ' checked="checked"' : ''}><span></span></label><div><p>${text}</p></div></li>`;

const TASKS: readonly Case[] = [
  [
    'the open and closed tasks of Tiptap are tasks',
    `<ul data-type="taskList">${task(true, 'Grease the winch')}${task(false, 'Count the hooks')}</ul>`,
    { has: ['- [x] Grease the winch', '- [ ] Count the hooks'] },
  ],
  [
    'tasks with labels in a German page are tasks',
    guide(
      '<ul class="contains-task-list"><li class="task-list-item"><label><input type="checkbox" disabled checked> Tau prüfen</label></li><li class="task-list-item"><label><input type="checkbox" disabled> Lampe füllen</label></li></ul>',
      'de',
    ),
    { has: ['- [x] Tau prüfen', '- [ ] Lampe füllen'] },
  ],
  [
    'nested tasks of Tiptap are tasks',
    '<ul data-type="taskList"><li data-checked="false"><label><input type="checkbox"><span></span></label><div><p>Spring</p><ul data-type="taskList"><li data-checked="true"><label><input type="checkbox" checked><span></span></label><div><p>Paint the hull</p></div></li></ul></div></li></ul>',
    { has: ['- [ ] Spring', '- [x] Paint the hull'] },
  ],
  [
    'tasks with paragraphs around their boxes are tasks',
    '<ul><li><p><input type="checkbox" checked disabled> Sweep the quay</p></li><li><p><input type="checkbox" disabled> Ring the bell</p></li></ul>',
    { has: ['[x] Sweep the quay', '[ ] Ring the bell'] },
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
    'a German block with a link to the judgment stays',
    article(
      `${prose(2, 0, 'de')}<div>Das Urteil im Wortlaut:</div><div><a href="https://gericht.example/urteile/4711.pdf">Urteil vom 3. Mai (PDF, 2 MB)</a></div>${prose(1, 2, 'de')}`,
      { lang: 'de' },
    ),
    { has: ['4711.pdf'] },
  ],
  [
    'a block with a link to the source of a story stays',
    article(
      `${prose(3)}<p>The numbers come from the council.</p><div class="source"><a href="https://council.example/report/depth">Source: Report on the depth of the channel</a></div>${prose(1, 3)}`,
    ),
    { has: ['https://council.example/report/depth'] },
  ],
  [
    'a French list of documents stays',
    article(
      `${prose(2, 0, 'fr')}<p>Documents :</p><ul><li><a href="/doc/plan.pdf">Plan du port</a></li><li><a href="/doc/carte.zip">Carte des profondeurs</a></li></ul>${prose(1, 2, 'fr')}`,
      { lang: 'fr' },
    ),
    { has: ['plan.pdf', 'carte.zip'] },
  ],
  [
    'links to other stories between paragraphs are left out',
    article(`${prose(2)}<div><a href="/news/whale">The whale that came to tea</a></div>${prose(2, 2)}`),
    { has: ['faces north'], not: ['whale'] },
  ],
  [
    'teasers of other stories below an article are left out',
    article(
      `${prose(4)}<div class="teaser"><a href="/news/raft">A school that floats on a raft</a></div><div class="teaser"><a href="/news/bell">Why the bell of Arn fell silent</a></div>`,
    ),
    { has: ['faces north'], not: ['floats on a raft', 'fell silent'] },
  ],
];

const wordItem = (place: string, mark: string, text: string, level = 1) =>
  `<p class=MsoListParagraphCxSp${place} style='margin-left:36.0pt;text-indent:-18.0pt;mso-list:l1 level${level} lfo2'><![if !supportLists]><span style='font-family:Symbol;mso-list:Ignore'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span><![endif]>${text}<o:p></o:p></p>`;

const WORD_LISTS: readonly Case[] = [
  [
    'a numbered list of Word is numbered',
    wordItem('First', '1.', 'Cast off') +
      wordItem('Middle', '2.', 'Hoist the sail') +
      wordItem('Last', '3.', 'Steer west'),
    { has: ['1. Cast off\n2. Hoist the sail\n3. Steer west'] },
  ],
  [
    'a German list of Word in a page has items',
    page(
      `<div class=WordSection1><h1>Liste</h1>${prose(2, 0, 'de')}${wordItem('First', '§', 'Öl')}${wordItem('Last', '§', 'Docht')}</div>`,
      { lang: 'de', title: 'Liste' },
    ),
    { has: ['- Öl\n- Docht'], not: ['§'] },
  ],
  [
    'the levels of a list of Word are nested',
    wordItem('First', '·', 'Deck') + wordItem('Middle', 'o', 'Mast', 2) + wordItem('Last', '·', 'Hold'),
    { oneOf: [['- Deck\n  - Mast\n- Hold', '- Deck\n\n  - Mast\n- Hold', '- Deck\n    - Mast\n- Hold']], not: ['·'] },
  ],
  [
    'a list of Word with comments around its marks has items',
    "<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><!--[if !supportLists]--><span style='mso-list:Ignore'>-<span>&nbsp;&nbsp; </span></span><!--[endif]-->Net</p><p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><!--[if !supportLists]--><span style='mso-list:Ignore'>-<span>&nbsp;&nbsp; </span></span><!--[endif]-->Hook</p>",
    { has: ['- Net\n- Hook'], not: ['\\-'] },
  ],
  [
    'a paragraph of Word that is no item stays a paragraph',
    '<p class=MsoNormal>· 3 boats are missing.</p>',
    { has: ['· 3 boats are missing.'] },
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
    'a closed dialog with a form is left out of a German page',
    guide(
      '<dialog id="d"><h2>Wirklich löschen?</h2><form method="dialog"><p>Alle Karten gehen verloren.</p></form></dialog><p>Danach ist Ruhe.</p>',
      'de',
    ),
    { has: ['Danach ist Ruhe.'], not: ['Wirklich löschen?', 'gehen verloren'] },
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

const NBSP = '\u00a0';
const EDGES: readonly Case[] = [
  [
    'a no-break space at the end of bold text is outside of it',
    '<p><strong>Draft:&nbsp;</strong>two arms</p>',
    { has: [`**Draft:**${NBSP}two arms`] },
  ],
  [
    'a no-break space at the start of italic text is outside of it',
    '<p>the ship<em>&nbsp;Tern</em> left</p>',
    { has: [`the ship${NBSP}*Tern* left`] },
  ],
  [
    'a no-break space at the end of a link is outside of it or kept in it',
    '<p><a href="https://k.example/">Kelm&nbsp;</a>lies north</p>',
    {
      oneOf: [[`[Kelm](https://k.example/)${NBSP}lies north`, `[Kelm${NBSP}](https://k.example/)lies north`]],
    },
  ],
  [
    'no-break spaces on both sides of French bold text are outside of it',
    guide('<p>Fermez<b>&nbsp;la porte&nbsp;</b>du phare.</p>', 'fr'),
    { has: [`Fermez${NBSP}**la porte**${NBSP}du phare.`] },
  ],
  ['a no-break space within bold text stays', '<p><b>No.&nbsp;7</b> is free</p>', { has: [`**No.${NBSP}7** is free`] }],
];

const RUBY: readonly Case[] = [
  [
    'the reading of a word without brackets is set apart',
    '<p><ruby>港<rt>みなと</rt></ruby>に入る。</p>',
    { not: ['港みなと'], oneOf: [['港(みなと)', '港（みなと）', '港 (みなと)', '港《みなと》']] },
  ],
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
  [
    'the brackets of a reading are not doubled',
    '<p><ruby>船<rp>(</rp><rt>ふね</rt><rp>)</rp></ruby>が来る。</p>',
    { has: ['船(ふね)が来る。'] },
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

const GLUE: readonly Case[] = [
  [
    'labels of choices stand apart',
    '<form><label for="a">Rope</label><label for="b">Sail</label></form>',
    { not: ['RopeSail'] },
  ],
  [
    'labels of tabs with radio buttons between stand apart',
    '<div><input type="radio" id="a"><label for="a">Mac</label><input type="radio" id="b"><label for="b">Linux</label></div>',
    { not: ['MacLinux'] },
  ],
  [
    'labels in a page stand apart',
    guide('<div class="tabs"><label>npm</label><label>yarn</label><label>pnpm</label></div>'),
    { not: ['npmyarn', 'yarnpnpm'] },
  ],
  [
    'a line break between Chinese characters is no space',
    guide('<p>港口在海湾里\n，冬天结冰\n六个星期。</p>'),
    { has: ['港口在海湾里，冬天结冰六个星期。'] },
  ],
  [
    'a line break before and after Japanese emphasis is no space',
    '<p>船が\n<b>港</b>\nに来る。</p>',
    { has: ['船が**港**に来る。'] },
  ],
  ['a space between Chinese words stays', '<p>港口 海湾 <b>冬天</b></p>', { has: ['港口 海湾 **冬天**'] }],
  [
    'a line break between Chinese and Latin characters, or in Korean, is a space',
    '<p>港口\nKelm\n한국\n사람</p>',
    { has: ['港口 Kelm 한국 사람'] },
  ],
  [
    'two line breaks in bold text begin a paragraph',
    '<p><b>Tide<br><br>Wind</b></p>',
    { has: ['**Tide**\n\n**Wind**'] },
  ],
  [
    'line breaks with white space between begin a paragraph',
    guide('<div>Ice in May.<br>\n <br />Snow in June.<br>\n<br>\n<br>Rain in July.</div>'),
    { has: ['Ice in May.\n\nSnow in June.\n\nRain in July.'] },
  ],
  [
    'two line breaks in a cell and in a heading are a space',
    '<h2>Tide<br><br>Wind</h2><table><tr><th>a</th><th>b</th></tr><tr><td>1<br><br>2</td><td>3</td></tr></table>',
    { has: ['## Tide Wind', '| 1 2 | 3 |'] },
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

const LISTS: readonly Case[] = [
  [
    'the numbered lists of Notion are one list',
    '<ol type="1" class="numbered-list" start="1"><li>Tide</li></ol><ol type="1" class="numbered-list" start="2"><li>Wind</li></ol><ol type="1" class="numbered-list" start="3"><li>Ice</li></ol>',
    { has: ['1. Tide\n2. Wind\n3. Ice'] },
  ],
  [
    'the tasks of Quill have states and levels',
    '<ol><li data-list="unchecked"><span class="ql-ui"></span>Tide</li><li data-list="checked" class="ql-indent-1">Wind</li></ol>',
    { has: ['- [ ] Tide\n  - [x] Wind'] },
  ],
  [
    'the numbers and bullets of Quill are lists of their own',
    '<ol><li data-list="ordered">Tide</li><li data-list="ordered">Wind</li><li data-list="bullet" class="ql-indent-1">Ice</li></ol>',
    { has: ['1. Tide\n2. Wind\n   - Ice'] },
  ],
  [
    'the numbered lists of Google Docs have levels',
    '<ol class="lst-kix_a1-0 start" start="1"><li>Tide</li></ol><ul class="lst-kix_a1-1 start"><li>Wind</li><li>Ice</li></ul><ol class="lst-kix_a1-0" start="2"><li>Snow</li></ol>',
    { has: ['1. Tide\n   - Wind\n   - Ice\n2. Snow'] },
  ],
  [
    'the lists of Word Online are one list',
    '<div class="ListContainerWrapper"><ul class="BulletListStyle1"><li data-aria-level="1" data-listid="3"><p>Tide</p></li></ul></div><div class="ListContainerWrapper"><ul class="BulletListStyle2"><li data-aria-level="2" data-listid="3"><p>Wind</p></li></ul></div><div class="ListContainerWrapper"><ul class="BulletListStyle1"><li data-aria-level="1" data-listid="3"><p>Ice</p></li></ul></div>',
    { has: ['- Tide', '\n  - Wind', '\n- Ice'] },
  ],
  [
    'the letters of clauses are written',
    '<ol style="list-style-type: upper-roman"><li>Tide<ol type="a" start="2"><li>Wind</li></ol></li><li>Ice</li></ol>',
    { has: ['- I. Tide', '  - b. Wind', '- II. Ice'] },
  ],
  [
    'the letters of items with paragraphs are written',
    '<ol type="i"><li><p>Tide</p><p>Wind</p></li><li><pre>ice()</pre></li></ol>',
    { has: ['- i. Tide', '- ii.', 'ice()'] },
  ],
  [
    'numbers that are written in items are not repeated',
    '<ol><li><div class="num">1.</div><h3>Tide</h3></li><li><div class="num">2.</div><h3>Wind</h3></li></ol>',
    { has: ['1. ### Tide', '2. ### Wind'] },
  ],
  [
    'bullets that are written in items are not repeated',
    '<ul><li><span>•</span> Tide</li><li><span>•</span> Wind</li></ul>',
    { has: ['- Tide\n- Wind'] },
  ],
  [
    'a number in an item that is its content stays',
    '<ol><li><b>1</b> boat</li><li><b>9</b> boats</li></ol>',
    { has: ['1. **1** boat', '2. **9** boats'] },
  ],
  [
    'items by their roles are a list',
    guide('<div role="list"><span role="listitem">Tide</span><span role="listitem">Wind <b>east</b></span></div>'),
    { has: ['- Tide\n- Wind **east**'] },
  ],
  [
    'cards that are items by their roles are no list',
    '<div role="list"><div role="listitem"><h3>Tide</h3><p>It rises.</p></div></div>',
    { has: ['### Tide'], not: ['- #'] },
  ],
  [
    'lists without a class of their own stay apart',
    '<ul><li>Tide</li></ul><ul><li>Wind</li></ul>',
    { has: ['- Tide\n\n* Wind'] },
  ],
];

testCases([
  ...BASES,
  ...SHADOWS,
  ...EDIT_LINKS,
  ...TASKS,
  ...SOURCES,
  ...WORD_LISTS,
  ...UNSEEN,
  ...EDGES,
  ...RUBY,
  ...MAILS,
  ...GLUE,
  ...NOTES,
  ...SUMMARIES,
  ...LISTS,
]);
