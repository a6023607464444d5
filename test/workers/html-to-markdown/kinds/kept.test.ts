import test from 'ava';
import { KEPT } from './kept.ts';
import { faultsOf } from './kinds.ts';

/** Inputs that fail today. A repair takes its input off this list. */
const FAILING = new Set(['t4']);

for (const [id, what, html, wanted] of KEPT) {
  const declare = FAILING.has(id) ? test.failing : test;
  declare(`${id}: ${what}`, (t) => t.deepEqual(faultsOf(html, wanted), []));
}
