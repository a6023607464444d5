import { type Case, guide, testCases } from './kinds.ts';

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

testCases([...WORD_LISTS, ...LISTS]);
