import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { ordinary } from '../../../scripts/lab/selections/instances.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { exactSelect } from '../../../workers/select/exact-select.ts';

const answers = readFileSync(new URL('../../../scripts/lab/selections/answers.jsonl', import.meta.url), 'utf8').split(
  '\n',
);

test('ordinary selections of up to 100 items have the answers that another search found', (t) => {
  for (const [index, { name, selection }] of ordinary.entries()) {
    const { outcome, value_proven, totals, chosen, core } = exactSelect(selection);
    const digest = hash('sha256', `${chosen.join()};${core.join()}`).slice(0, 16);
    t.like(JSON.parse(defined(answers[index])), { name, outcome, isValueProven: value_proven, totals, digest }, name);
  }
});
