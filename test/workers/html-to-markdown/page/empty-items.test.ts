import { emptyItems } from '../../../../workers/html-to-markdown/page/empty-items.ts';
import { type Row, testRule } from './pages.ts';

testRule(emptyItems, [
  ['an item without text goes', '<ul><li id=a>x<li id=b><li id=c> \n <b id=d></b><li id=e><a>y</a></ul>', 'a e'],
  ['an item whose text was dropped goes', '<ul><li id=a>x</li><li id=b><b gone>y</b></li></ul>', 'a'],
  ['an item with only empty items goes', '<ul><li id=a><ul><li id=b></ul><li id=c>x</ul>', 'c'],
  ['an item with text loses an empty item inside', '<ul><li id=a>x<ul><li id=b><li id=c>y</ul></ul>', 'a c'],
  ...['<img src=a>', '<video></video>', '<audio></audio>', '<input type=checkbox>'].map(
    (media): Row => [`an item with ${media} stays`, `<ul><li id=a><p>${media}</p></ul>`, 'a'],
  ),
  ['media that was dropped keeps no item', '<ul><li id=a><p><img gone src=a></p></ul>', ''],
  [
    'other elements may be empty',
    '<div id=a></div><ul id=b></ul><table><td id=c></table><dl><dt id=d><dd id=e></dl>',
    'a b c d e',
  ],
]);
