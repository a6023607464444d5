import test from 'ava';
import { judgeKnown } from '../../../../workers/verdict/decide/ground-values.ts';
import { drawCases } from '../../../models/verdict-cases.ts';

const RUNS = 300;

for (const kind of ['alignment', 'constraints'] as const) {
  test(`${kind}: the verdicts of the evaluator match brute force, and each verdict is frequent`, (t) => {
    const counts = new Map<string, number>();
    for (const { problem, right } of drawCases(kind, 1, RUNS)) {
      const verdict: string | undefined = judgeKnown(problem);
      if (verdict === undefined) continue;
      t.is(verdict, right);
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    }
    for (const verdict of ['satisfied', 'violated']) t.true((counts.get(verdict) ?? 0) >= 0.15 * RUNS, verdict);
  });
}
