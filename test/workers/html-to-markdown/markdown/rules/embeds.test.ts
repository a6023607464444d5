import test from 'ava';
import { htmlToMarkdown } from '../../../../../workers/html-to-markdown/html-to-markdown.ts';

const read = (html: string) => htmlToMarkdown({ html }).markdown.trim();

const LINKS: readonly (readonly [what: string, html: string, markdown: string])[] = [
  [
    'a frame with a title',
    '<p>Watch:</p><iframe src=https://www.youtube.com/embed/a_1-b title="How to [fold]"></iframe><p>End</p>',
    'Watch:\n\n[How to \\[fold\\]](https://www.youtube.com/embed/a_1-b)\n\nEnd',
  ],
  [
    'a frame of any host with a title',
    '<iframe src=/maps/1.html title="Map of gates"></iframe>',
    '[Map of gates](/maps/1.html)',
  ],
  [
    'a frame of a known host',
    '<iframe src="//player.vimeo.com/video/1?h=2"></iframe>',
    '[Vimeo video](//player.vimeo.com/video/1?h=2)',
  ],
  [
    'a frame whose title says nothing',
    '<iframe title=iframe src=https://open.spotify.com/embed/track/1></iframe>',
    '[Spotify audio](https://open.spotify.com/embed/track/1)',
  ],
  [
    'a map',
    '<iframe src="https://www.google.com/maps/embed?pb=1"></iframe>',
    '[map](https://www.google.com/maps/embed?pb=1)',
  ],
  [
    'a late frame',
    '<iframe src=about:blank data-src=https://codepen.io/a/embed/b></iframe>',
    '[CodePen](https://codepen.io/a/embed/b)',
  ],
  [
    'a frame that waits for consent',
    '<iframe data-src-cmplz=https://w.soundcloud.com/player/1></iframe>',
    '[SoundCloud audio](https://w.soundcloud.com/player/1)',
  ],
  [
    'a frame that is a link until it is clicked',
    `<iframe title=Folding srcdoc="<style>a{}</style><a class=p href='https://youtu.be/ab?t=1&amp;amp;x'><img src=a.jpg></a>"></iframe>`,
    '[Folding](https://youtu.be/ab?t=1&x)',
  ],
  [
    'a player of a component',
    '<lite-youtube videoid=a_1-b playlabel="Play: Folding"><a href=x>Play</a></lite-youtube>',
    '[Folding](https://www.youtube.com/watch?v=a_1-b)',
  ],
  [
    'a player of AMP',
    '<amp-youtube data-videoid=ab layout=fixed></amp-youtube>',
    '[YouTube video](https://www.youtube.com/watch?v=ab)',
  ],
  [
    'a frame of AMP',
    '<amp-iframe src=https://h.example/ title=Chart><amp-img src=a.png placeholder></amp-img></amp-iframe>',
    '[Chart](https://h.example/)',
  ],
  [
    'a document',
    '<object data=/files/gates.pdf type=application/pdf><p>Your browser cannot show it.</p></object>',
    '[gates.pdf](/files/gates.pdf)',
  ],
  [
    'an embedded file',
    '<embed src="/files/gates.pdf#page=2" type=application/pdf>',
    '[gates.pdf](/files/gates.pdf#page=2)',
  ],
  [
    'an object that shows another page of its site',
    '<object data=/menu.html><p>The <b>text</b></p></object>',
    'The **text**',
  ],
  [
    'an old player',
    '<object classid=x><param name=movie value=v><embed src=https://www.youtube.com/v/ab></object>',
    '[YouTube video](https://www.youtube.com/v/ab)',
  ],
  ['a component without a video', '<lite-youtube videoid="a b"><a href=x>Folding</a></lite-youtube>', '[Folding](x)'],
];

for (const [what, html, markdown] of LINKS) test(`${what} is written`, (t) => t.is(read(html), markdown));

for (const frame of [
  '<iframe src=https://h.example/x></iframe>',
  '<iframe title=Video></iframe>',
  '<iframe title=Video src="javascript:alert(1)"></iframe>',
  '<iframe title=Video src=about:blank></iframe>',
  '<iframe title=Video srcdoc="<p>x</p>"></iframe>',
  '<iframe title=Video src=https://www.youtube.com/embed/a width=1 height=1></iframe>',
  '<iframe title=Video src=https://www.youtube.com/embed/a style="display:none"></iframe>',
  '<iframe title=Video src=https://www.youtube.com/embed/a aria-hidden=true></iframe>',
  '<iframe title=Tags src="https://www.googletagmanager.com/ns.html?id=1"></iframe>',
  '<iframe title=Challenge src="https://www.google.com/recaptcha/api2/anchor"></iframe>',
  '<iframe title="3rd party ad content" src=https://x.example/></iframe>',
  '<iframe title=Advertisement src=https://x.example/></iframe>',
  '<iframe title="Cookie consent" src=https://x.example/></iframe>',
  '<iframe title=Like src=https://www.facebook.com/plugins/like.php></iframe>',
  '<iframe title=Video src=https://ads.doubleclick.net/youtube.com/></iframe>',
  '<embed src=banner.swf>',
  '<object data=banner.swf></object>',
]) {
  test(`${frame} is not written`, (t) => t.is(read(`<p>a</p>${frame}<p>c</p>`), 'a\n\nc'));
}

test('a frame in a link is not a link in it', (t) => {
  t.is(read('<a href=x>b<iframe title=V src=https://youtu.be/a></iframe></a>'), '[b](x)');
});

test('a host that only ends like a known one is not known', (t) => {
  t.is(read('<p>a</p><iframe src=https://notyoutube.com/embed/a></iframe>'), 'a');
  t.is(read('<p>a</p><iframe src=https://h.example/youtube.com/embed/a></iframe>'), 'a');
});

test('many frames with long attributes are read in linear time', (t) => {
  const long = '<a href '.repeat(100_000);
  t.notThrows(() => read(`<iframe title="${long}" srcdoc="${long}"></iframe>`));
  t.notThrows(() => read('<object data=x>'.repeat(50_000)));
  t.notThrows(() => read('<iframe title=a src=//a.b.c.d.e.f.g.h/></iframe>'.repeat(50_000)));
  t.notThrows(() => read('<picture>'.repeat(50_000)));
});
