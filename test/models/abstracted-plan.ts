import test from 'ava';
import type { Plan } from '../../workers/plan/plan.ts';
import { decide } from '../../workers/verdict/decide/decide.ts';
import type { SmtSolver } from '../../workers/verdict/decide/smt-solver.ts';
import type { Action } from '../../workers/verdict/run/action.ts';
import type { RunContext } from '../../workers/verdict/run/encoding-session.ts';
import { placed } from '../../workers/verdict/run/placed-action.ts';
import { readActions } from '../../workers/verdict/run/read-actions.ts';
import { abstractionProblem } from '../../workers/verdict/search/abstraction.ts';
import { allowancesOf } from '../../workers/verdict/search/continuations.ts';
import { DEFAULT_RLIMIT } from '../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from './open-z3.ts';
import { payPlan } from './pay-plan.ts';

export const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

/** Confirms what is known, and finds no number, text or time. */
export const withoutNumbers: SmtSolver = {
  check(query) {
    if (![...query.constants.values()].includes('Int')) return by.solver.check(query);
    return { status: 'unknown', reason: 'tired', rlimitUsed: 1, script: '' };
  },
};

type Parts = Parameters<typeof payPlan>[0];

/** What the abstraction says of the runs that begin with these actions. */
export function decisionOn(plan: Plan, actions: readonly Action[] = [], runContext?: RunContext) {
  return decide(abstractionProblem({ plan, done: placed(actions), runContext }, allowancesOf(plan, actions)), by);
}

/** The rules that contradict each other, such as `pay/min r0`. Undefined if the abstraction rules nothing out. */
export function coreOf(parts: Parts, done: readonly unknown[] = []): string | undefined {
  const plan = payPlan(parts);
  const decision = decisionOn(plan, readActions(done, plan));
  if (decision.verdict === 'satisfied') return undefined;
  if (decision.verdict !== 'violated') throw new Error(decision.verdict);
  return decision.core
    .map((id) => id.replace(/^\/(constraints|completion)\//, ''))
    .toSorted()
    .join(' ');
}

/** A core `*` is any; one that ends in `…` has more rules. */
export type Row = readonly [parts: Parts, core?: string | undefined, done?: readonly unknown[]];

/** A test for each promise: which plans no run can obey after some actions, and by which rules. */
export function testRows(promises: Readonly<Record<string, readonly Row[]>>): void {
  for (const [promise, rows] of Object.entries(promises)) {
    test(promise, (t) => {
      for (const [parts, core, done] of rows) {
        const found = coreOf(parts, done);
        const text = JSON.stringify(parts);
        if (core === undefined || !/[*…]$/.test(core)) t.is(found, core, text);
        else t.true(found?.includes(core.replace(/ ?[*…]$/, '')), `${found}: ${text}`);
      }
    });
  }
}
