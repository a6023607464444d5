import { article, prose, testCases } from './kinds.ts';

testCases([
  [
    'the byline of an author element is the name alone',
    article(`<div class="author">Written by Mary K. Wells, Reuters</div>${prose(3)}`),
    { byline: 'Mary K. Wells' },
  ],
  [
    'the byline of a meta element is the name alone',
    article(prose(3, 0, 'de'), { lang: 'de', head: '<meta name="author" content="Von Greta Sommer">' }),
    { byline: 'Greta Sommer' },
  ],
  [
    'a byline has no mail address',
    article(prose(3), { head: '<meta name="author" content="Greta Sommer (greta@kelm.example)">' }),
    { byline: 'Greta Sommer' },
  ],
  [
    'a byline has no mail address in angle brackets',
    article(prose(3), { head: '<meta name="author" content="Greta Sommer &lt;greta@kelm.example&gt;">' }),
    { byline: 'Greta Sommer' },
  ],
  [
    'a byline has no address of a page',
    article(prose(3), { head: '<meta name="author" content="Greta Sommer, https://kelm.example/greta">' }),
    { byline: 'Greta Sommer' },
  ],
]);
