import test from 'ava';
import { hidingOf } from '../../../../workers/html-to-markdown/page/hidden.ts';
import { bodyOf, elementIn } from './pages.ts';

const hiding = (attributes: string, before = '') =>
  hidingOf(elementIn(bodyOf(`${before}<section ${attributes}>text</section>`), 'section'));

for (const attributes of [
  'hidden',
  'style="display:none"',
  'style="visibility:collapse"',
  'style="display:block;display:none"',
]) {
  test(`an element with ${attributes} is not shown`, (t) => t.is(hiding(attributes), 'whole'));
}

for (const style of [
  'opacity:0',
  'opacity: 0.0',
  'opacity: .0 !important',
  'font-size:0',
  'font-size:0px',
  'height:0;overflow:hidden',
  'max-height:0;overflow:hidden',
  'width:0;overflow-y:clip',
  'position:absolute;left:-9999px',
  'position:fixed;top:-1000px',
  'text-indent:-999px',
  'margin-left:-9999px',
  'transform:translateX(-9999px)',
  'transform:scale(0)',
  'clip-path:inset(50%)',
  'position:absolute;clip:rect(0 0 0 0)',
  'position:absolute;width:1px;height:1px;overflow:hidden',
]) {
  test(`text with the style ${style} is not seen`, (t) => t.is(hiding(`style="${style}"`), 'styled'));
}

for (const attributes of [
  'hidden=until-found',
  'style="display:none;display:block"',
  'style="opacity:0.1"',
  'style="opacity:1"',
  'style="font-size:0.5em"',
  'style="height:0"',
  'style="mso-hide: all"',
  'style="overflow:hidden"',
  'style="height:0;padding-bottom:56.25%;overflow:hidden"',
  'style="height:10px;overflow:hidden"',
  'style="left:-9999px"',
  'style="position:absolute;left:-20px"',
  'style="float:left;width:300px;margin-left:-300px"',
  'style="clip:rect(0 0 0 0)"',
  'style="background:url(display:none)"',
  'style="opacity:0;transform:translateY(20px)"',
  'style="opacity:0;transition:opacity 1s"',
  'style="opacity:0" data-aos=fade-up',
  'style="opacity:0" class="fade-in"',
  'class="tab-pane" style="display:none"',
  'class=accordion-panel style="max-height:0;overflow:hidden"',
]) {
  test(`text with ${attributes} is seen`, (t) => t.is(hiding(attributes), null));
}

test('a panel that something before it opens is seen', (t) => {
  const panel = 'style="max-height:0;overflow:hidden"';
  for (const before of [
    '<button>Open</button>',
    '<h3><button>Open</button></h3>',
    '<div role=button>Open</div>',
    '<a aria-expanded=false>Open</a>',
  ]) {
    t.is(hiding(panel, before), null, before);
  }
  t.is(hiding(panel, '<p>Text</p>'), 'styled');
});

test('an attribute of a framework is not one of an animation', (t) => {
  t.is(hiding('style="opacity:0" data-v-1a2b3c4d'), 'styled');
});

for (const [what, hidden, beside, isSeen] of [
  ['code beside shown code', '<pre>open</pre>', '<section><pre>open()</pre></section>', true],
  ['code beside hidden code', '<pre>open</pre>', '<section hidden><pre>open()</pre></section>', false],
  ['code beside text', '<pre>open</pre>', '<section>open</section>', false],
  ['text beside code', 'open', '<section><pre>open()</pre></section>', false],
  ['code beside code in another element', '<pre>open</pre>', '<div><pre>open()</pre></div>', false],
] as const) {
  test(`hidden ${what} is ${isSeen ? '' : 'not '}read`, (t) => {
    const body = bodyOf(`<section hidden id=it>${hidden}</section>\n<p>or</p>${beside}`);
    t.is(hidingOf(elementIn(body, 'section')), isSeen ? null : 'whole');
  });
}

test('what holds a formula or text with a size of its own is seen', (t) => {
  const held = (style: string, content: string) =>
    hidingOf(elementIn(bodyOf(`<section style="${style}">${content}</section>`), 'section'));
  t.is(held('display:none', '<math><mi>x</mi></math>'), null);
  t.is(held('font-size:0', '<b style="font-size:1rem">x</b>'), null);
});
