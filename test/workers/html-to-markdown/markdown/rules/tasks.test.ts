import test from 'ava';
import { toMarkdown } from '../to-markdown.ts';

const CASES: readonly (readonly [what: string, html: string, markdown: string])[] = [
  [
    'the box of an item goes with its text in a block of its own',
    '<ul data-type=taskList><li data-checked=true><label><input type=checkbox checked><span></span></label>\n<div><p>a</p></div></li><li data-checked=false><label><input type=checkbox></label><div><p>b</p></div></ul>',
    '- [x] a\n- [ ] b',
  ],
  [
    'an element with the role of a checkbox is a box',
    '<ul><li><div role=checkbox aria-checked=true></div><div>a</div><li><span role=checkbox aria-checked=false>b</span><li role=checkbox aria-checked=true>c</ul>',
    '- [x] a\n- [ ] b\n- [x] c',
  ],
  [
    'an input in a label, a paragraph or a division is a box',
    '<ul><li><label><input type=checkbox checked> a</label><li><p><input type=checkbox> b</p><li><div><label><input type=checkbox> c</label></div></ul>',
    '- [x] a\n\n- [ ] b\n\n- [ ] c',
  ],
  [
    'a state of the list counts for its items',
    '<ul data-checked=true><li>a</ul><ul data-checked=false><li>b</ul>',
    '- [x] a\n\n* [ ] b',
  ],
  [
    'a box that a style sheet draws',
    '<ul class=to-do-list><li><div class="checkbox checkbox-on"></div> a</ul>',
    '- [x] a',
  ],
  ['nested tasks', '<ul><li data-checked=true><p>a</p><ul><li data-checked=false>b</ul></ul>', '- [x] a\n\n  - [ ] b'],
  ['a box without text stays in its item', '<ul><li><input type=checkbox><li>a</ul><p>b', '- [ ]\n- a\n\nb'],
  ['boxes of forms are dropped', '<p><input type=checkbox> a <span role=checkbox aria-checked=true>b</span>', 'a b'],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(toMarkdown(html), markdown));
