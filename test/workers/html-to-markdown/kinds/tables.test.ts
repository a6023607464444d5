import { type Case, guide, testCases } from './kinds.ts';

const CASES: readonly Case[] = [
  [
    'a table without a head whose cells hold lists stays a table',
    '<table><tr><td>Boat</td><td>Gear</td></tr><tr><td>Gull</td><td><ul><li>net</li><li>lamp</li></ul></td></tr><tr><td>Tern</td><td><ol><li>rope</li></ol></td></tr></table>',
    { has: ['| Boat | Gear |', '| Gull |', 'net', 'lamp', '| Tern |'] },
  ],
  [
    'a German table in a page whose cells hold lists stays a table',
    guide(
      '<table><tbody><tr><td><strong>Tarif</strong></td><td><strong>Leistung</strong></td></tr><tr><td>Klein</td><td><ul><li>Liegeplatz</li><li>Wasser</li></ul></td></tr><tr><td>Groß</td><td><ul><li>Kran</li><li>Strom</li></ul></td></tr></tbody></table>',
      'de',
    ),
    { has: ['| **Tarif** | **Leistung** |', '| Klein |', '| Groß |', 'Liegeplatz', 'Strom'] },
  ],
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
    'a foot before the body is the last row of a French table',
    '<table><thead><tr><th>Mois</th><th>Navires</th></tr></thead><tfoot><tr><td>Somme</td><td>9</td></tr></tfoot><tbody><tr><td>mai</td><td>4</td></tr><tr><td>juin</td><td>5</td></tr></tbody></table>',
    { has: ['| Mois | Navires |\n', '| mai | 4 |\n| juin | 5 |\n| Somme | 9 |'] },
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
    'a foot after the body stays the last row',
    '<table><thead><tr><th>Net</th><th>Knots</th></tr></thead><tbody><tr><td>small</td><td>90</td></tr></tbody><tfoot><tr><td>Sum</td><td>90</td></tr></tfoot></table>',
    { has: ['| small | 90 |\n| Sum | 90 |'] },
  ],
];

testCases(CASES);
