import test from 'ava';
import { cleanName, findName } from '../../../../workers/html-to-markdown/metadata/byline-text.ts';
import { repairEncoding } from '../../../../workers/html-to-markdown/metadata/encoding.ts';

const misread = (text: string, encoding: string) => new TextDecoder(encoding).decode(Buffer.from(text));

for (const name of [
  'José Müller',
  'Jarosław Żak',
  'Łukasz Śpiewak',
  'Zoë Ångström',
  'Дарья Ли',
  '李明',
  'Ada “Bo” Lane',
]) {
  test(`${name}, read as Windows-1252 or Latin-1, is repaired`, (t) => {
    t.is(repairEncoding(misread(name, 'windows-1252')), name);
    t.is(repairEncoding(Buffer.from(name).toString('latin1')), name);
    t.is(cleanName(misread(name, 'windows-1252')), name);
  });
}

test('a text that was read rightly is left alone', (t) => {
  for (const name of ['José', 'Åsa Öberg', 'Ângela São João', 'Jarosław', 'Émile — Ça', 'İbrahim', 'Ada Lane', '']) {
    t.is(repairEncoding(name), name);
  }
});

test('a text that is only partly misread is left alone as a whole', (t) => {
  for (const name of ['JosÃ© Jarosław', 'JosÃ© Müller', 'JosÃ© Ã', 'Å\u0082ukasz \ud83d'])
    t.is(repairEncoding(name), name);
});

test('a name that cannot be repaired is not cut within a letter', (t) => {
  t.is(findName('Åbel JaroÅ»yk Müller')?.name, 'Åbel JaroÅ»yk Müller');
  t.is(findName('By JarosÅ‚aw Å»ak | Editor')?.name, 'Jarosław Żak');
});
