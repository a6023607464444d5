import test from 'ava';
import { CATEGORIES } from '../../../../../scripts/lab/quality/maps/categories.ts';
import { measureMaps } from '../../../../../scripts/lab/quality/maps/maps.ts';
import {
  claimsOf,
  failuresOf,
  formatClaims,
  formatFailures,
  formatTable,
  summarize,
} from '../../../../../scripts/lab/quality/maps/report.ts';
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
  t.is(formatTable([summarize(result)]).split('\n')[1], 'capitals          2         1         50.0 %    ≥ 50.0 %');
  t.is(formatFailures(result), '\ncapitals\n  b\n    12 km away; countryCode FR, not DE\n    B');
  t.is(formatFailures({ category, scores: [PASSED] }), '');
});

test('the claims are counted for each category and confidence', (t) => {
  const claimed = (isRight: boolean) => ({ ...PASSED, claim: { confidence: 'High', isRight } as const });
  const results = [
    { category, scores: [claimed(true), claimed(false), PASSED] },
    { category: { name: 'islands', kind: 'reverse' } as const, scores: [PASSED] },
  ];
  t.like(claimsOf(results)[0], { confidence: 'High', answers: 2, right: 1, share: 0.5, target: 0.99 });
  const [, , first = '', all = '', ...others] = formatClaims(results).split('\n');
  t.regex(first, /^capitals +1\/2 +50\.0 % +0\/0/);
  t.regex(all, /^all +1\/2 +50\.0 %/);
  t.is(others.length, 1);
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
