import test from 'ava';
import fc from 'fast-check';
import { createBase64Template } from '../../../../gateway/access/offer/base64-template.ts';
import '../../../helpers/fast-check.ts';

test('a filled template decodes to the JSON with its values in place of the marks', (t) => {
  const property = fc.property(fc.json(), fc.json(), fc.string(), fc.string(), (a, b, before, after) => {
    const json = JSON.stringify({ before, first: '{{1}}', between: { after, second: '{{2}}' } });
    const header = createBase64Template(json, ['{{1}}', '{{2}}'])(a, b);
    const expected = { before, first: JSON.parse(a), between: { after, second: JSON.parse(b) } };
    t.deepEqual(JSON.parse(Buffer.from(header, 'base64').toString()), expected);
    t.is(Buffer.from(header, 'base64').toString('base64'), header, 'canonical base64');
  });
  fc.assert(property);
});

test('a mark that is missing or not unique is refused, as are too few values', (t) => {
  t.throws(() => createBase64Template('{}', ['x']));
  t.throws(() => createBase64Template('["x","x"]', ['x']));
  t.throws(() => createBase64Template('["x"]', ['x'])());
});
