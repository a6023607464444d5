import test from 'ava';
import { decodeBase64 } from '../../../services/platform/base64.ts';
import { fc } from '../../kit/fast-check.ts';

test('decodes the base64 of any bytes', (t) => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      t.deepEqual(decodeBase64(Buffer.from(bytes).toString('base64')), Buffer.from(bytes));
    }),
  );
});

const REFUSED: readonly (readonly [string, string])[] = [
  ['no padding', 'Zg'],
  ['half the padding', 'Zg='],
  ['too much padding', 'Zm9v='],
  ['unused bits that are set', 'Zh=='],
  ['the URL alphabet', '-_8='],
  ['a space', 'Zm 9v'],
  ['a newline at the end', 'Zm9v\n'],
  ['padding in the middle', 'Zg==Zg=='],
  ['a character outside the alphabet', 'Zm9*'],
  ['one character', 'Z'],
];

for (const [name, text] of REFUSED) {
  test(`refuses ${name}`, (t) => {
    t.is(decodeBase64(text), undefined);
  });
}
