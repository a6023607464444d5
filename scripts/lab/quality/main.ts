import { defined } from '../../../workers/exact/defined.ts';
import { html } from './html/html.ts';
import { loss } from './loss/loss.ts';
import { maps } from './maps/maps.ts';
import type { Measure } from './measure/measure.ts';

const DEFAULT = 'html';
const MEASURES: Readonly<Record<string, Measure>> = { html, loss, maps };

// The first argument names the measure. Without a name, it is the HTML converter.
const [first = '', ...rest] = process.argv.slice(2);
const isNamed = Object.hasOwn(MEASURES, first);
const measure = defined(MEASURES[isNamed ? first : DEFAULT]);
const isRun = await measure.run(isNamed ? rest : process.argv.slice(2));
if (!isRun) {
  const usages = Object.entries(MEASURES).map(([name, { usage }]) => `  npm run quality -- ${name} ${usage}`);
  console.error(`usage:\n${usages.join('\n')}`);
  process.exitCode = 2;
}
