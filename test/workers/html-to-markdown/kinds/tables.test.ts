import { type Case, guide, testCases } from './kinds.ts';

const CASES: readonly Case[] = [
  [
    'a Confluence table with lists and headings of rows stays a table',
    guide(
      '<div class="table-wrap"><table class="confluenceTable"><tbody><tr><th class="confluenceTh">Role</th><td class="confluenceTd"><ul><li>opens the gate</li><li>counts carts</li></ul></td></tr><tr><th class="confluenceTh">Time</th><td class="confluenceTd"><p>dawn</p></td></tr></tbody></table></div>',
    ),
    { has: ['| Role |', 'opens the gate', 'counts carts', '| Time |'] },
  ],
  [
    'a list of links in a cell stays in its row',
    '<table><thead><tr><th>Place</th><th>Charts</th></tr></thead><tbody><tr><td>Kelm</td><td><ul><li><a href="https://m.example/1">north</a></li><li><a href="https://m.example/2">south</a></li></ul></td></tr></tbody></table>',
    { oneOf: [['| Kelm | [north](https://m.example/1)']], has: ['[south](https://m.example/2)'] },
  ],
  [
    'a foot before two bodies is the last row of a table in a page',
    guide(
      '<table><thead><tr><th>Day</th><th>Carts</th></tr></thead><tfoot><tr><td>All</td><td>30</td></tr></tfoot><tbody><tr><td>one</td><td>10</td></tr></tbody><tbody><tr><td>two</td><td>20</td></tr></tbody></table>',
    ),
    { has: ['| one | 10 |\n| two | 20 |\n| All | 30 |'] },
  ],
  [
    'a foot of a table without a head is its last row',
    '<table><tfoot><tr><td>合計</td><td>7</td></tr></tfoot><tbody><tr><td>品</td><td>数</td></tr><tr><td>縄</td><td>7</td></tr></tbody></table>',
    { has: ['| 品 | 数 |\n', '| 縄 | 7 |\n| 合計 | 7 |'] },
  ],
  [
    'words for screen readers beside icons fill a cell',
    '<table><tr><th>Berth</th><th>Water</th></tr><tr><td>North</td><td><svg aria-hidden="true"><path d=""/></svg><span class="visually-hidden">Available</span></td></tr></table>',
    { has: ['| North | Available |'] },
  ],
  [
    'labels of icons fill a cell',
    '<table><tr><th>Berth</th><th>Water</th></tr><tr><td>North</td><td><i class="icon-ok" aria-label="Yes"></i></td></tr><tr><td>South</td><td><span class="icon-no" title="No"></span></td></tr></table>',
    { has: ['| North | Yes |\n| South | No |'] },
  ],
  [
    'the title of a drawing fills a cell',
    guide(
      '<table><tr><th>Berth</th><th>Water</th></tr><tr><td>North</td><td><svg viewBox="0 0 9 9"><title>Full</title><path d=""/></svg></td></tr></table>',
    ),
    { has: ['| North | Full |'] },
  ],
  [
    'links of icons in a cell get the words of the icon',
    '<table><tr><th>Chart</th><th>Files</th></tr><tr><td>Bay</td><td><a href="/b.pdf" aria-label="PDF"><svg><path d=""/></svg></a> <a href="/b.zip"><i title="ZIP"></i></a></td></tr></table>',
    { has: ['[PDF](https://example.org/b.pdf)', '[ZIP](https://example.org/b.zip)'] },
  ],
  [
    'a link of an icon in a sentence is written',
    '<p>The plan is here: <a href="/plan" title="Plan"><i class="fa fa-file"></i></a></p>',
    { has: ['[Plan](https://example.org/plan'] },
  ],
  [
    'words for screen readers beside text in a cell are not repeated',
    '<table><tr><th>Berth</th><th>Sort</th></tr><tr><td>North</td><td title="sorted">Nine <i aria-label="arrow"></i></td></tr></table>',
    { has: ['| North | Nine |'], not: ['arrow', 'sorted'] },
  ],
  [
    'boxes of a table that nobody can change are written',
    '<table><tr><th>Berth</th><th>Paid</th></tr><tr><td>North</td><td><input type="checkbox" checked></td></tr><tr><td>South</td><td><input type="checkbox" disabled></td></tr></table>',
    { has: ['| North | [x] |', '| South | [ ] |'] },
  ],
  [
    'boxes that select rows are left out',
    '<table><tr><th></th><th>Berth</th></tr><tr><td><input type="checkbox"></td><td>North</td></tr></table>',
    { not: ['[ ]'] },
  ],
  [
    'rows and cells by their roles are a table',
    '<div role="grid"><div role="row"><div role="columnheader">Day</div><div role="columnheader">Arms</div></div><div role="row"><div role="gridcell">Monday</div><div role="gridcell">7</div></div></div>',
    { has: ['| Day | Arms |\n| --- | --- |\n| Monday | 7 |'] },
  ],
  [
    'own elements with the roles of tables are a table',
    '<k-table role="table"><k-row role="row"><k-cell role="columnheader">Day</k-cell><k-cell role="columnheader">Arms</k-cell></k-row><k-row role="row"><k-cell role="rowheader">Monday</k-cell><k-cell role="cell">7</k-cell></k-row></k-table>',
    { has: ['| Day | Arms |', '| Monday | 7 |'] },
  ],
  [
    'a table of roles in a page with a part around its rows is a table',
    guide(
      '<div role="table"><div role="rowgroup"><div role="row"><span role="columnheader">Day</span><span role="columnheader">Arms</span></div></div><div role="rowgroup"><div role="row"><span role="cell">Monday</span><span role="cell">7</span></div></div></div>',
    ),
    { has: ['| Day | Arms |', '| Monday | 7 |'] },
  ],
  [
    'a clause goes on after its number',
    '<table border="0"><tbody><tr><td><p>1.</p></td><td><p>Each ship pays a fee.</p><p>It is due in May.</p></td></tr></tbody></table>',
    { has: ['1\\. Each ship pays a fee.\n\nIt is due in May.'] },
  ],
  [
    'clauses in clauses go on after their letters',
    '<table><tr><td>(i)</td><td><p>ships of wood:</p><table><tr><td>—</td><td><p>with a keel;</p></td></tr></table></td></tr></table>',
    { has: ['(i) ships of wood:', '— with a keel;'] },
  ],
  [
    'a clause in a page goes on after its letter',
    guide(
      '<table><colgroup><col><col></colgroup><tbody><tr><td><p>(b)</p></td><td><p>the owner of the boat;</p></td></tr></tbody></table>',
    ),
    { has: ['(b) the owner of the boat;'] },
  ],
  [
    'a heading in a row of its own begins another table',
    '<table><tr><td colspan="2"><h3>Tides</h3></td></tr><tr><td>Monday</td><td>7</td></tr><tr><td>Friday</td><td>9</td></tr><tr><td colspan="2"><h3>Winds</h3></td></tr><tr><td>Monday</td><td>east</td></tr><tr><td>Friday</td><td>west</td></tr></table>',
    { has: ['### Tides\n\n| Monday | 7 |', '### Winds\n\n| Monday | east |'] },
  ],
];

testCases(CASES);
