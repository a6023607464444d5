import { drawCases, type VerdictCase } from '../../../../test/models/cases.ts';
import { openZ3 } from '../../../../test/models/open-z3.ts';
import { judgeCases, type RelationalKind } from '../../../../test/models/relational/relational-cases.ts';
import { recycling } from '../../../../workers/thread/recycling.ts';
import { decide } from '../../../../workers/verdict/decide/decide.ts';
import { judgeKnown } from '../../../../workers/verdict/decide/ground-values.ts';
import type { Question } from '../../../../workers/verdict/decide/problem.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';

/** `evaluator` gives a verdict only if the known values are sufficient. */
export type Engine = 'evaluator' | 'z3';

export interface VerdictTask {
  readonly kind: Question | RelationalKind;
  readonly engine: Engine;
  readonly seed: number;
  readonly count: number;
}

export interface VerdictResult {
  /** Number of cases by verdict. */
  readonly counts: Readonly<Record<string, number>>;
  /** Wrong verdicts, with the right verdicts and the cases. */
  readonly faults: readonly { readonly verdict: string; readonly right: string; readonly source: string }[];
}

const z3 = await openZ3();

function verdictOf({ problem }: VerdictCase, engine: Engine): string {
  if (engine === 'evaluator') return judgeKnown(problem) ?? 'open';
  return decide(problem, { solver: z3, rlimit: DEFAULT_RLIMIT }).verdict;
}

/** `open` and `indeterminate` are not wrong: the evaluator lacks a value, or the solver reached its limit. */
function isRight(verdict: string, { right }: VerdictCase, engine: Engine): boolean {
  return verdict === right || verdict === 'indeterminate' || (engine === 'evaluator' && verdict === 'open');
}

function fuzz(task: VerdictTask): VerdictResult {
  const { kind, engine, seed, count } = task;
  if (kind !== 'holds' && kind !== 'possible') return fuzzRelational(kind, task);
  const counts: Record<string, number> = {};
  const faults: VerdictResult['faults'][number][] = [];
  for (const one of drawCases(kind, seed, count)) {
    const verdict = verdictOf(one, engine);
    counts[verdict] = (counts[verdict] ?? 0) + 1;
    if (isRight(verdict, one, engine)) continue;
    faults.push({ verdict, right: one.right, source: JSON.stringify(one.source) });
  }
  return { counts, faults };
}

/** Cases with relations. If `right` is unknown, no verdict is wrong. */
function fuzzRelational(kind: RelationalKind, { engine, seed, count }: VerdictTask): VerdictResult {
  const by = engine === 'z3' ? { solver: z3, rlimit: DEFAULT_RLIMIT } : undefined;
  const counts: Record<string, number> = {};
  const faults: VerdictResult['faults'][number][] = [];
  for (const { verdict, right, source } of judgeCases(kind, { seed, count, by })) {
    counts[verdict] = (counts[verdict] ?? 0) + 1;
    if (right === undefined || verdict === right || verdict === 'indeterminate') continue;
    faults.push({ verdict, right, source: JSON.stringify(source) });
  }
  return { counts, faults };
}

export default recycling<VerdictTask, VerdictResult>((task) => ({ ok: true, value: fuzz(task) }), z3.isWorn);
