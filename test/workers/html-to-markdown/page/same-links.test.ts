import { sameLinks } from '../../../../workers/html-to-markdown/page/same-links.ts';
import { type Row, testRule } from './pages.ts';

const card = (href: string, label: string, { to = href, tag = 'p' } = {}) =>
  `<div><h3><a href=${href}>The road to the sea and back</a></h3><${tag} id=${href}><a href=${to}>${label}</a></${tag}></div>`;

testRule(sameLinks, [
  ['lines that lead where the title leads go', card('a', 'Read more') + card('b', 'Read more'), ''],
  ['a label of 25 characters goes', card('a', 'x'.repeat(25)), ''],
  ['a longer one stays', card('a', 'x'.repeat(26)), 'a'],
  ['a line that leads elsewhere stays', card('a', 'Read more', { to: 'c' }), 'a'],
  ['labels that differ stay', card('a', 'Add to cart') + card('b', 'Sold out'), 'a b'],
  ['a price stays', card('a', '12 €') + card('b', '12 €'), 'a b'],
  ...['h4', 'li', 'dd'].map((tag): Row => [`a <${tag}> stays`, card('a', 'Read more', { tag }), 'a']),
  ['a cell stays', '<table><tr><td><a href=a>The road</a><td id=a><a href=a>View</a></table>', 'a'],
  ['links for programs do not lead to the same page', card('#', 'Read more'), '#'],
  ['a line soon after the title goes', card('a', 'Read more').replace('<p', `${'<b>x</b>'.repeat(472)}<p`), ''],
  ['a line far from it stays', card('a', 'Read more').replace('<p', `${'<b>x</b>'.repeat(473)}<p`), 'a'],
  ['a link in a sentence stays', card('a', 'Read more</a> of it<a>'), 'a'],
  ['a picture with a label stays', card('a', '<img src=a>Read more'), 'a'],
  ['a title below a short link stays', '<p><a href=a>Roads</a></p><p id=a><a href=a>The road to the sea</a></p>', 'a'],
  ['a label without the link before it stays', card('a', 'Read more').replace('href=a', ''), 'a'],
  ['so does one whose link was dropped', card('a', 'Read more').replace('<h3', '<h3 gone'), 'a'],
] satisfies readonly Row[]);
