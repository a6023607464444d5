import test from 'ava';
import { findFault } from '../../../scripts/lab/fuzz/fuzz-conversion.ts';
import { mutate } from '../../../scripts/lab/inputs/mutate.ts';
import { loadPages } from '../../../scripts/lab/inputs/pages.ts';

const INPUTS = 600;

test(`${INPUTS} mutated pages convert to well-formed Markdown, or are refused`, (t) => {
  const pages = loadPages();
  for (let seed = 1; seed <= INPUTS; seed += 1) t.is(findFault(mutate(pages, seed)), undefined, `seed ${seed}`);
});
