import { signUps } from '../../../../workers/html-to-markdown/page/sign-ups.ts';
import { prose, type Row, testRule } from './pages.ts';

const TEXT = `<p id=text>${prose('Text', 1000)}</p>`;
const MAIL = '<form><input type=email></form>';
const box = (inside: string, tag = 'div') => `${TEXT}<${tag} id=it>${inside}</${tag}>`;
const words = (characters: number) => '<b>x</b>'.repeat(characters);

testRule(signUps, [
  ...['<input type=email>', '<input name=email>', '<input type=text name=user_e-mail>'].map(
    (field): Row => [`a box with ${field} goes`, box(`<h3>Letters</h3><p>Each May.</p><form>${field}</form>`), 'text'],
  ),
  ...['<input type=hidden name=email>', '<input type=checkbox name=email>', '<input type=search>'].map(
    (field): Row => [`a box with ${field} stays`, box(`Letters${field}`), 'text it'],
  ),
  ['a box of 300 characters goes', box(words(300) + MAIL), 'text'],
  ['only the form goes from a longer one', box(`${words(301)}<div id=form>Join${MAIL}</div>`), 'text it'],
  ['a box with a number stays', box(`Lamp festival, May 4${MAIL}`), 'text it'],
  ['on the page of a product, a box with a heading goes', box(`<h3>Letters</h3>${MAIL}`), 'text', { kind: 'product' }],
  ['another box may have what is for sale', box(`Sold out${MAIL}`), 'text it', { kind: 'product' }],
  ['a page of reference keeps its fields', box(`Letters${MAIL}`), 'text it', { kind: 'other' }],
  ...[
    '<address>3 Quay</address>',
    '<a href=tel:112>112</a>',
    '<a href=mailto:a@b.example>a</a>',
    '<textarea></textarea>',
    '<ul><li>Lamps</ul>',
    '<time>May</time>',
    '<h1>Gates</h1>',
  ].map((part): Row => [`a box with ${part} stays`, box(part + MAIL), 'text it']),
  ['the item of a list stays', `${TEXT}<ul><li id=it>Lamp<div id=notice>Tell me${MAIL}</div></ul>`, 'text it'],
]);
