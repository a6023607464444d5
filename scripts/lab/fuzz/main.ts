import { parseArgs } from 'node:util';
import { mutate } from '../inputs/mutate.ts';
import { loadPages } from '../inputs/pages.ts';
import { fuzzPages } from './fuzz-pages.ts';
import { fuzzSelections } from './fuzz-selections.ts';
import { fuzzVerdicts } from './fuzz-verdicts.ts';

const USAGE = `usage: npm run fuzz -- [--scope pages] [--inputs N] [--seed N] [--pages DIR] [--show SEED]
       npm run fuzz -- --scope verdicts|selections [--cases N] [--seed N]

pages: converts mutated pages, each in two threads, and compares the results byte by byte. The exit code is 1 if a
conversion fails, hangs or differs. Two runs with the same seed print the same digest. --show prints the input of a seed.

verdicts: judges small random problems and runs with the evaluator and with z3, and compares the verdicts with an
independent model. The exit code is 1 if a verdict is wrong.

selections: solves small random selections, and compares the answers with an enumeration of every set of items. The exit
code is 1 if an answer is wrong.`;

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
