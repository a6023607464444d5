import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { ordinary } from '../../../scripts/lab/selections/instances.ts';
import { exactSelect } from '../../../workers/select/exact-select.ts';

const answers = JSON.parse(
  readFileSync(new URL('../../../scripts/lab/selections/answers.json', import.meta.url), 'utf8'),
);

test('ordinary selections of up to 100 items have the answers that another search found', (t) => {
  for (const { name, selection } of ordinary) {
    const { outcome, value_proven, totals, chosen, core } = exactSelect(selection);
    const digest = hash('sha256', `${chosen.join()};${core.join()}`).slice(0, 16);
    t.like(answers[name], { outcome, isValueProven: value_proven, totals, digest }, name);
  }
});
