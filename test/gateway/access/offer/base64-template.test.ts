import test from 'ava';
import fc from 'fast-check';
import { createBase64Template } from '../../../../gateway/access/offer/base64-template.ts';
import '../../../kit/fast-check.ts';

test('a filled template decodes to the JSON with its values in place of the marks', (t) => {
  const property = fc.property(fc.json(), fc.json(), fc.string(), fc.string(), (a, b, before, after) => {
    const json = JSON.stringify({ before, first: '{{1}}', between: { after, second: '{{2}}' }, again: '{{1}}' });
    const header = createBase64Template(json, ['{{1}}', '{{2}}'])({ '{{1}}': a, '{{2}}': b });
    const [first, second] = [JSON.parse(a), JSON.parse(b)];
    const expected = { before, first, between: { after, second }, again: first };
    t.deepEqual(JSON.parse(Buffer.from(header, 'base64').toString()), expected);
    t.is(Buffer.from(header, 'base64').toString('base64'), header, 'canonical base64');
  });
  fc.assert(property);
});

test('a mark that is missing is refused, as is a value that is missing', (t) => {
  t.throws(() => createBase64Template('{}', ['x']));
  t.throws(() => createBase64Template('["x"]', ['x'])({}));
});
