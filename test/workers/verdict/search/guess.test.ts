import test from 'ava';
import { isGuessed } from '../../../../workers/verdict/search/guess.ts';
import { runs } from '../../../kit/property-runs.ts';
import { drawCases } from '../../../models/cases.ts';

test('what a guess solves is possible, and most of what is possible is guessed', (t) => {
  let [guessed, possible] = [0, 0];
  for (const { problem, right, source } of drawCases('possible', 8402, runs(500))) {
    if (right === 'satisfied') possible += 1;
    if (!isGuessed(problem)) continue;
    t.is(right, 'satisfied', JSON.stringify(source));
    guessed += 1;
  }
  t.true(guessed > possible / 2, `${guessed} of ${possible}`);
});
