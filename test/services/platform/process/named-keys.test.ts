import test from 'ava';
import { parseNamedKeys } from '../../../../services/platform/process/named-keys.ts';

const [A, B] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));

test('keys are a list with an id for each', (t) => {
  t.deepEqual(
    parseNamedKeys('KEYS', `b:${B},a:${A}`)?.map(({ id }) => id),
    ['b', 'a'],
  );
  t.deepEqual([parseNamedKeys('KEYS', undefined), parseNamedKeys('KEYS', '')], [undefined, undefined]);
  for (const text of [
    `a:${A},a:${B}`,
    `a:${A},a:${A}`,
    A,
    'a:',
    `:${A}`,
    `a:${A?.slice(4)}`,
    `${'a'.repeat(33)}:${A}`,
  ]) {
    t.throws(() => parseNamedKeys('KEYS', text), { name: 'ConfigurationError', message: /^KEYS: / }, text);
  }
});
