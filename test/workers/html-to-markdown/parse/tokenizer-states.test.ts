import test from 'ava';
import { Tokenizer } from 'parse5';
import { FastTokenizer } from '../../../../workers/html-to-markdown/parse/fast-tokenizer.ts';
import { ourTree, stockTree } from './trees.ts';

/** The states of WHATWG HTML 13.2.5 in its order, with sources that enter them. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  data: ['a', 'a&amp;b', 'a\0b', ' \n a', '😀\ud83d', ''],
  RCDATA: ['<title>a&lt;<b></title>c', '<textarea>\n\na\0b', '<title>a', '<TITLE> a </title> b'],
  RAWTEXT: ['<xmp>a&lt;<b></xmp>c', '<iframe>a\0b</iframe>', '<noframes>a'],
  'script data': ['<script type="math/tex">a&lt;b</script>c', '<script type="math/tex">a\0b'],
  PLAINTEXT: ['<plaintext>a<b>&lt;\0</plaintext>'],
  'tag open': ['<b>', '<B>', '<', '<1', '<?a>b', '< a>', '<\0', '<é>'],
  'end tag open': ['<b></b>c', '</', '</>a', '</1>a', '</ a>b', '</\0>a'],
  'tag name': ['<b\0c>', '<bÉ>', '<b\n>', '<b/>', '<b', '<x-1.y:z>', '<sVg>'],
  'RCDATA less-than sign': ['<title><a', '<title><', '<textarea><</textarea>'],
  'RCDATA end tag open': ['<title></a', '<title></1', '<title></'],
  'RCDATA end tag name': [
    '<title></title >a',
    '<title></title/>a',
    '<title></titles>',
    '<title></title',
    '<title></TITLE>a',
  ],
  'RAWTEXT less-than sign': ['<xmp><a', '<xmp><', '<xmp><</xmp>'],
  'RAWTEXT end tag open': ['<xmp></a', '<xmp></1', '<xmp></'],
  'RAWTEXT end tag name': ['<xmp></xmp >a', '<xmp></xmp/>a', '<xmp></xmpp>', '<xmp></xmp', '<xmp></xmp a=b>c'],
  'script data less-than sign': ['<script type=math/tex><a</script>b', '<script type=math/tex><'],
  'script data end tag open': ['<script type=math/tex></a', '<script type=math/tex></'],
  'script data end tag name': ['<script></script >a', '<script></script/>a', '<script></scripts>a', '<script></script'],
  'script data escape start': ['<script type=math/tex><!a</script>b', '<script type=math/tex><!'],
  'script data escape start dash': ['<script type=math/tex><!-a</script>b'],
  'script data escaped': ['<script type=math/tex><!--a\0b--></script>c', '<script type=math/tex><!--a'],
  'script data escaped dash': ['<script type=math/tex><!--a-b-\0-<--></script>c', '<script type=math/tex><!--a-'],
  'script data escaped dash dash': [
    '<script type=math/tex><!--a--b--\0---></script>c',
    '<script type=math/tex><!--a--',
  ],
  'script data escaped less-than sign': ['<script type=math/tex><!--<1</script>b', '<script type=math/tex><!--<'],
  'script data escaped end tag open': ['<script type=math/tex><!--</1--></script>b'],
  'script data escaped end tag name': [
    '<script type=math/tex><!--</script >a',
    '<script type=math/tex><!--</scrip>--></script>',
  ],
  'script data double escape start': ['<script><!--<script></script>a</script>b', '<script><!--<scripts></script>a'],
  'script data double escaped': [
    '<script type=math/tex><!--<script>a\0</script>--></script>b',
    '<script><!--<script>a',
  ],
  'script data double escaped dash': ['<script type=math/tex><!--<script>-a-\0-<a</script>b</script>c'],
  'script data double escaped dash dash': ['<script type=math/tex><!--<script>--a--\0---></script>b'],
  'script data double escaped less-than sign': ['<script type=math/tex><!--<script><a</script>b</script>c'],
  'script data double escape end': [
    '<script><!--<script></script></script>a',
    '<script><!--<script></scripts></script>a',
  ],
  'before attribute name': ['<p =a>', '<p  / a>', '<p\n\t\fa>', '<p ', '<p \0>', '<p "a>'],
  'attribute name': [
    '<p A=b>',
    '<p a"b\'c<d=e>',
    '<p a\0=b>',
    '<p é=b>',
    '<p É=b>',
    '<p a',
    '<p a b=c a=d>',
    '<p a/b>',
  ],
  'after attribute name': ['<p a =b>', '<p a  />', '<p a >', '<p a\n', '<p a b>', '<p a /b>'],
  'before attribute value': ['<p a= b>', '<p a=>b', '<p a= >b', '<p a=\n"b">', '<p a='],
  'attribute value (double-quoted)': [
    '<p a="b\'>\n😀">',
    '<p a="&lt;&ampb&amp=&am;&">',
    '<p a="\0">',
    '<p a="b',
    '<p a="">',
  ],
  'attribute value (single-quoted)': [
    "<p a='b\">\n😀'>",
    "<p a='&lt;&ampb&amp=&am;&'>",
    "<p a='\0'>",
    "<p a='b",
    "<p a=''>",
  ],
  'attribute value (unquoted)': [
    '<p a=b&lt;c d>',
    '<p a=b"\'<=`c>',
    '<p a=b/>',
    '<p a=\0b>',
    '<p a=b',
    '<a href=/b/c?d=e&f=g>h',
  ],
  'after attribute value (quoted)': ['<p a="b"c=d>', '<p a="b"/>', '<p a="b"', '<p a="b" >', "<p a='b'/c>"],
  'self-closing start tag': ['<br/>', '<br/ a>', '<br/', '<svg><g/><g a=b/>c', '</p/>'],
  'bogus comment': ['<?a\0b>c', '</ a>b', '<!a>b', '<?a'],
  'markup declaration open': ['<!-a>b', '<!DOCTYP>a', '<!', '<![CDATA[a]]>b'],
  'comment start': ['<!-->a', '<!--->a', '<!--a-->b'],
  'comment start dash': ['<!---->a', '<!---a-->b', '<!---'],
  comment: ['<!--a\0b<c-->d', '<!--a', '<!--😀-->a'],
  'comment less-than sign': ['<!--<<a-->b', '<!--<-->a'],
  'comment less-than sign bang': ['<!--<!a-->b', '<!--<!>-->a'],
  'comment less-than sign bang dash': ['<!--<!-a-->b', '<!--<!->-->a'],
  'comment less-than sign bang dash dash': ['<!--<!--a-->b', '<!--<!-->a', '<!--<!--'],
  'comment end dash': ['<!--a-b-->c', '<!--a-'],
  'comment end': ['<!--a-->b', '<!--a---->b', '<!--a--b-->c', '<!--a--'],
  'comment end bang': ['<!--a--!>b', '<!--a--!-->b', '<!--a--!b-->c', '<!--a--!'],
  DOCTYPE: ['<!doctypehtml>a', '<!doctype>a', '<!doctype'],
  'before DOCTYPE name': ['<!doctype  HTML>a', '<!doctype \0>a', '<!doctype >a', '<!doctype '],
  'DOCTYPE name': ['<!doctype hTmL>a', '<!doctype h\0>a', '<!doctype h'],
  'after DOCTYPE name': ['<!doctype html >a', '<!doctype html a>b', '<!doctype html '],
  'after DOCTYPE public keyword': ['<!doctype html public>a', '<!doctype html public"-//W3C//DTD HTML 3.2//">a<table>'],
  'before DOCTYPE public identifier': [
    '<!doctype html public  "a">b',
    '<!doctype html public >a',
    '<!doctype html public b>a',
  ],
  'DOCTYPE public identifier (double-quoted)': ['<!doctype html public "a\0">b', '<!doctype html public "a>b'],
  'DOCTYPE public identifier (single-quoted)': ["<!doctype html public 'a\0'>b", "<!doctype html public 'a>b"],
  'after DOCTYPE public identifier': [
    '<!doctype html public "a"b>c',
    '<!doctype html public "a">b',
    '<!doctype html public "a"',
  ],
  'between DOCTYPE public and system identifiers': ['<!doctype html public "a" "b">c', '<!doctype html public "a" b>c'],
  'after DOCTYPE system keyword': [
    '<!doctype html system>a',
    '<!doctype html system"a">b',
    "<!doctype html system'a'>b",
  ],
  'before DOCTYPE system identifier': [
    '<!doctype html system  "a">b',
    '<!doctype html system >a',
    '<!doctype html system a>b',
  ],
  'DOCTYPE system identifier (double-quoted)': ['<!doctype html system "a\0">b', '<!doctype html system "a>b'],
  'DOCTYPE system identifier (single-quoted)': ["<!doctype html system 'a\0'>b", "<!doctype html system 'a>b"],
  'after DOCTYPE system identifier': ['<!doctype html system "a" >b', '<!doctype html system "a"b>c'],
  'bogus DOCTYPE': ['<!doctype html a\0b>c', '<!doctype html a'],
  'CDATA section': ['<svg><![CDATA[a<b>&lt;\0]]>c', '<svg><![CDATA[a'],
  'CDATA section bracket': ['<svg><![CDATA[a]b]]>c', '<svg><![CDATA[a]'],
  'CDATA section end': ['<svg><![CDATA[a]]b]]]>c', '<svg><![CDATA[a]]'],
  'character reference': ['&', '& a', '&<b>', '<p a="&">', '<p a=&>', '&&amp;'],
  'named character reference': [
    '&amp;&notin;&notit;&ampx',
    '<p a="&notit;&notin;&not">',
    '&NotEqualTilde;',
    '<title>&copy</title>',
  ],
  'ambiguous ampersand': ['&abc;d', '&abc d', '<p a="&abc;d&abc">', '&a1b'],
  'numeric character reference': ['&#', '&#;', '&#a', '<p a="&#">'],
  'hexadecimal character reference start': ['&#x', '&#xg;', '&#X;', '<p a="&#xg">'],
  'decimal character reference start': ['&#a;', '&#-1;', '<p a="&#a">'],
  'hexadecimal character reference': ['&#x1F600;&#X41&#x4g;', '<p a="&#x41;&#x41g">'],
  'decimal character reference': ['&#65;&#65a&#128512;', '<p a="&#65;&#65a">'],
  'numeric character reference end': [
    '&#0;&#x110000;&#xD800;&#xFDD0;&#x80;&#13;&#xB;',
    '<p a="&#0;&#x110000;&#x9F;">',
    '&#32;a&#10;',
  ],
};

/** The methods of parse5's tokenizer for its states. Its reference decoder handles the other states. */
const methods = Object.getOwnPropertyNames(Tokenizer.prototype).filter((name) => name.startsWith('_state'));

for (const [state, sources] of Object.entries(STATES)) {
  test(`the tree is that of stock parse5 in the ${state} state`, (t) => {
    for (const source of sources) {
      for (const context of [
        '',
        '<!doctype html>',
        'x',
        '<table>',
        '<p a=b>',
        '<select><option>',
        '<frameset>',
        '<svg><desc>',
      ]) {
        for (const behind of ['', 'é <i b="c">d</i>']) {
          const html = context + source + behind;
          t.is(ourTree(html), stockTree(html), html);
        }
      }
    }
  });
}

test('the sources above enter every state for which parse5 has a method', (t) => {
  const entered = new Set<string>();
  const originals = new Map<string, unknown>(methods.map((name) => [name, Reflect.get(Tokenizer.prototype, name)]));
  try {
    for (const [name, original] of originals) {
      if (typeof original !== 'function') throw new TypeError(`${name} is not a method`);
      Reflect.set(Tokenizer.prototype, name, function (this: unknown, cp: number) {
        entered.add(name);
        Reflect.apply(original, this, [cp]);
      });
    }
    for (const source of Object.values(STATES).flat()) stockTree(source);
  } finally {
    for (const [name, original] of originals) Reflect.set(Tokenizer.prototype, name, original);
  }
  t.deepEqual(
    methods.filter((name) => !entered.has(name)),
    [],
  );
});

test('every state that the tokenizer overrides is a state of parse5', (t) => {
  const own = Object.getOwnPropertyNames(FastTokenizer.prototype).filter((name) => name.startsWith('_state'));
  t.deepEqual(
    own.filter((name) => !methods.includes(name)),
    [],
  );
});
