import test from 'ava';
import { earlierThan, recentBlock } from '../../../../services/payments/chain/search-range.ts';

for (const [find, latest, first] of [
  [recentBlock, 30_000_000n, 29_995_000n],
  [recentBlock, 5001n, 1n],
  [recentBlock, 4999n, 0n],
  [earlierThan, 30_000_000n, 29_999_872n],
  [earlierThan, 129n, 1n],
  [earlierThan, 127n, 0n],
] as const) {
  test(`${find.name} of ${latest} is ${first}`, (t) => t.is(find(latest), first));
}
