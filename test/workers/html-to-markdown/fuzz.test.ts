import test from 'ava';
import { loadPages } from '../../../scripts/bench/pages.ts';
import { findFault } from '../../../scripts/fuzz/fuzz-conversion.ts';
import { mutate } from '../../../scripts/fuzz/mutate.ts';

const INPUTS = 600;

test(`${INPUTS} mutated pages convert to well-formed Markdown, or are refused`, (t) => {
  const pages = loadPages();
  for (let seed = 1; seed <= INPUTS; seed += 1) t.is(findFault(mutate(pages, seed)), undefined, `seed ${seed}`);
});
