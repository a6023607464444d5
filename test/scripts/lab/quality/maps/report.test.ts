import test from 'ava';
import { CATEGORIES } from '../../../../../scripts/lab/quality/maps/categories.ts';
import { measureMaps } from '../../../../../scripts/lab/quality/maps/maps.ts';
import { failuresOf, formatFailures, formatTable, summarize } from '../../../../../scripts/lab/quality/maps/report.ts';
import { defined } from '../../../../../workers/exact/defined.ts';
import { fakeFinder } from './fake-finder.ts';

const PASSED = { asked: 'a', faults: [], found: 'A' };
const FAILED = { asked: 'b', faults: ['12 km away', 'countryCode FR, not DE'], found: 'B' };
const category = { name: 'capitals', kind: 'forward', target: 0.5 } as const;

test('a category meets its target if at least that share of its cases is right', (t) => {
  const half = { category, scores: [PASSED, FAILED] };
  t.like(summarize(half), { cases: 2, passed: 1, share: 0.5, isMet: true });
  t.is(summarize({ category: { ...category, target: 0.51 }, scores: half.scores }).isMet, false);
  t.is(summarize({ category: { name: 'x', kind: 'forward' }, scores: half.scores }).isMet, undefined);
  t.is(summarize({ category, scores: [] }).share, 0);
});

test('the table and the failures are readable', (t) => {
  const result = { category, scores: [PASSED, FAILED] };
  t.is(formatTable([summarize(result)]).split('\n')[1], 'capitals          2       1       50.0 %    ≥ 50.0 %');
  t.is(formatFailures(result), '\ncapitals\n  b\n    12 km away; countryCode FR, not DE\n    B');
  t.is(formatFailures({ category, scores: [PASSED] }), '');
});

test('a finder without results is right only at sea and in some unpopulated places', (t) => {
  const results = measureMaps(fakeFinder());
  t.is(results.length, CATEGORIES.length);
  const shares = Object.fromEntries(results.map((result) => [result.category.name, summarize(result).share]));
  t.is(shares['open-sea'], 1);
  t.is(shares['capitals'], 0);
  t.true(defined(shares['edges']) < 1);
  t.true(results.every(({ scores }) => failuresOf(scores).every(({ found }) => found === 'nothing')));
});
