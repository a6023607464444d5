import test from 'ava';
import { isContentButton, removeSigns } from '../../../../workers/html-to-markdown/page/buttons.ts';
import { bodyOf, elementIn } from './pages.ts';

const CONTENT = [
  '<h3><button>Why?</button></h3>',
  '<h3><span><button>Why?</button></span><button>Copy</button></h3>',
  '<table><tr><th><button>City</button></th></tr></table>',
  '<dl><dt><button>Why?</button></dt></dl>',
  '<p>Press <button>Save</button> to keep it.</p>',
  '<ul><li><b><button>Save</button></b> keeps it.</li></ul>',
  '<button aria-expanded=false aria-controls=a>Why?</button><div id=a>Because of the ice.</div>',
  '<button class=accordion>Why?</button><div class=panel>Because of the ice.</div>',
  '<div><button aria-expanded=true>Why?</button></div><div class=collapse>Because of the ice.</div>',
  '<figure><button><img src=map.jpg></button></figure>',
  '<button class=zoom><img src=map.jpg></button>',
];
for (const html of CONTENT) {
  test(`the button is content in ${html}`, (t) => t.true(isContentButton(elementIn(bodyOf(html), 'button'))));
}

const CONTROLS = [
  '<button>Copy</button>',
  '<h3><button>Copy</button> Title</h3>',
  '<h3>Title <button>Copy</button></h3>',
  '<table><tr><td>3 <button>Delete</button></td></tr></table>',
  '<p><button>Subscribe</button></p>',
  '<p>Was this helpful? <button>Yes</button></p>',
  '<p><button>♥</button> 12 likes</p>',
  '<button aria-expanded=false>Menu</button><p>Text</p>',
  '<button aria-expanded=false aria-controls=a>Menu</button><div id=a><a href=b>Roads</a></div>',
  '<button role=tab aria-controls=a>npm</button><div id=a>npm install</div>',
  '<button aria-expanded=false class=tab>One</button><button class=tab>Two</button><div class=panel>Text</div>',
  '<button><img src=menu.svg alt=Menu></button>',
  '<p><button><img src=a.png width=16></button></p>',
];
for (const html of CONTROLS) {
  test(`the button is a control in ${html}`, (t) => t.false(isContentButton(elementIn(bodyOf(html), 'button'))));
}

test('signs of a button are removed, words and pictures stay', (t) => {
  const button = elementIn(bodyOf('<button><span>Why?</span><b>+</b><i><svg></svg></i><img src=a></button>'), 'button');
  removeSigns(button);
  t.deepEqual(
    button.children.map(({ nodeName }) => nodeName),
    ['SPAN', 'IMG'],
  );
});
