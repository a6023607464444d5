import test from 'ava';
import { coins, quantity, words } from '../../../gateway/pages/browser/operator/words.ts';

test('numbers have units, and JSON is words', (t) => {
  t.deepEqual(
    [0, 1, 1234, 10_001].map((number) => quantity(number, 'job')),
    ['no jobs', '1 job', '1,234 jobs', 'more than 10,000 jobs'],
  );
  t.deepEqual(['0', '1', '262000000000000', '1000000000000000000', '10000000000000000000000'].map(coins), [
    '0 ETH',
    '0 ETH',
    '0.000262 ETH',
    '1 ETH',
    '10,000 ETH',
  ]);
  for (const [json, expected] of [
    ['{"verifyExecution":{"executionId":"7"}}', 'verify execution execution id 7'],
    ['{"given_at":null,"added":[1,true]}', 'given at null, added 1, true'],
    ['not JSON', 'not JSON'],
    [`${'['.repeat(100_000)}`, '['.repeat(100_000)],
  ] as const) {
    t.is(words(json), expected);
  }
});
