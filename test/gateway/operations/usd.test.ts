import test from 'ava';
import { toUsd } from '../../../gateway/operations/operation/usd.ts';

test('an amount is exact, and has at least two decimal places', (t) => {
  t.deepEqual([0n, 1n, 500n, 3000n, 14_000n, 50_000n, 1_000_000n, 5_250_001n, 12_345_678_901_234_567_890n].map(toUsd), [
    '0.00',
    '0.000001',
    '0.0005',
    '0.003',
    '0.014',
    '0.05',
    '1.00',
    '5.250001',
    '12345678901234.56789',
  ]);
});
