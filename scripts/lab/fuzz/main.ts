import { parseArgs } from 'node:util';
import { mutate } from '../inputs/mutate.ts';
import { loadPages } from '../inputs/pages.ts';
import { fuzzPages } from './fuzz-pages.ts';
import { fuzzSelections } from './fuzz-selections.ts';
import { fuzzVerdicts } from './fuzz-verdicts.ts';

const USAGE = `usage: npm run fuzz -- [--scope pages] [--inputs N] [--seed N] [--pages DIR] [--show SEED]
       npm run fuzz -- --scope verdicts|selections [--cases N] [--seed N]

pages: converts mutated pages, each on both of two threads, and compares what comes out, byte by byte. Ends with 1 when a
conversion fails, hangs or differs. Two runs with one seed print one digest. --show prints the input of a seed.

verdicts: has small problems and runs judged by the evaluator, by trying every value, and some by z3, and compares with
another reading of what they mean. Ends with 1 when a verdict is wrong.

selections: has small selections answered, and compares with looking at every set of items. Ends with 1 when one is wrong.`;

const { values } = parseArgs({
  options: {
    scope: { type: 'string', default: 'pages' },
    inputs: { type: 'string', default: '100000' },
    cases: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    pages: { type: 'string' },
    show: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const inputs = Number(values.inputs);
const cases = Number(values.cases);
const seed = Number(values.seed);
const isKnown = ['pages', 'verdicts', 'selections'].includes(values.scope);
if (values.help || !isKnown || !(inputs >= 1) || !(cases >= 1) || !Number.isSafeInteger(seed)) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}
if (values.show !== undefined) {
  process.stdout.write(mutate(loadPages(values.pages), Number(values.show)));
  process.exit();
}
const faults = await fuzz();
process.exitCode = faults === 0 ? 0 : 1;

async function fuzz(): Promise<number> {
  switch (values.scope) {
    case 'verdicts':
      return fuzzVerdicts({ cases, seed });
    case 'selections':
      return fuzzSelections({ cases, seed });
    default:
      return fuzzPages({ inputs, seed, folder: values.pages });
  }
}
