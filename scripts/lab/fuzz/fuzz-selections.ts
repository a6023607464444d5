import fc from 'fast-check';
import { enumerate, isObeyable } from '../../../test/models/enumerate.ts';
import { instances } from '../../../test/models/instances.ts';
import { exactSelect } from '../../../workers/select/exact-select.ts';
import { createProgress } from '../../launch/output/progress.ts';

const BATCH = 100;

/** Compares exact select with an enumeration of every set of items. @returns the number of wrong answers */
export function fuzzSelections({ cases, seed }: { readonly cases: number; readonly seed: number }): number {
  const counts = new Map<string, number>();
  using progress = createProgress({ title: 'fuzz selections', total: cases });
  let faults = 0;
  for (let done = 0; done < cases; done += BATCH) {
    for (const instance of fc.sample(instances, { seed: seed + done, numRuns: Math.min(BATCH, cases - done) })) {
      const answer = exactSelect(instance);
      const expected = enumerate(instance);
      counts.set(answer.outcome, (counts.get(answer.outcome) ?? 0) + 1);
      const isRight =
        answer.outcome === expected.outcome &&
        answer.chosen.join() === expected.chosen.join() &&
        answer.best_bound === (expected.best === undefined ? null : `${expected.best}`) &&
        isObeyable(instance, new Set(answer.core)) === (answer.outcome === 'optimal') &&
        answer.core.every((name) => isObeyable(instance, new Set(answer.core.filter((other) => other !== name))));
      if (isRight) continue;
      faults += 1;
      console.log(JSON.stringify({ answer, expected, instance }));
    }
    progress.add(Math.min(BATCH, cases - done), `${faults} wrong`);
  }
  console.log(`${cases} selections: ${[...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`);
  console.log(`${faults} wrong`);
  return faults;
}
