import { gzipSync } from 'node:zlib';
import test from 'ava';
import { CommandError } from '../../../../scripts/cli/terminal/command.ts';
import { decodePage } from '../../../../scripts/cli/try/decode-page.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

test('a page is decoded by its byte order mark, then by its meta charset, then as UTF-8', (t) => {
  const rows: readonly (readonly [Buffer, string])[] = [
    [Buffer.from('<p>Łódź'), '<p>Łódź'],
    [Buffer.from('\ufeff<meta charset=windows-1252><p>é'), '<meta charset=windows-1252><p>é'],
    [Buffer.from('\ufeff<p>é', 'utf16le'), '<p>é'],
    [utf16be('\ufeff<p>é'), '<p>é'],
    [latin('<meta charset="windows-1252"><p>\x93\xe9\x94'), '<meta charset="windows-1252"><p>“é”'],
    [latin("<META CHARSET='iso-8859-1' /><p>\x80"), "<META CHARSET='iso-8859-1' /><p>€"],
    [
      latin('<meta http-equiv=x content="text/html; charset=Shift_JIS">\x93\xfa\x96\x7b'),
      '<meta http-equiv=x content="text/html; charset=Shift_JIS">日本',
    ],
    [Buffer.from('<!-- <meta charset=big5> --><p>é'), '<!-- <meta charset=big5> --><p>é'],
    [Buffer.from('<meta charset=utf-16><p>é'), '<meta charset=utf-16><p>é'],
    [Buffer.from(`${' '.repeat(1024)}<meta charset=big5>é`), `${' '.repeat(1024)}<meta charset=big5>é`],
    [Buffer.from(''), ''],
  ];
  for (const [bytes, text] of rows) t.is(decodePage(bytes, 'page.html'), text);
});

test('what is not text is refused', (t) => {
  const rows: readonly (readonly [Buffer, RegExp])[] = [
    [gzipSync('<p>x'), /^page\.html is compressed with gzip/],
    [latin('<p>caf\xe9'), /^page\.html is not text in utf-8: nothing was sent/],
    [latin('<meta charset=utf-8>caf\xe9'), /not text in utf-8/],
    [Buffer.from('<meta charset=klingon>'), /not text in klingon/],
    [Buffer.from('<p>UTF-16 without a mark', 'utf16le'), /^page\.html is not text: nothing was sent/],
    [latin('PK\x03\x04zip'), /not text/],
    [latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), /not text/],
    [latin('\xff\xfea\0b'), /not text in utf-16le/],
  ];
  for (const [bytes, message] of rows) {
    t.throws(() => decodePage(bytes, 'page.html'), { instanceOf: CommandError, message });
  }
});
