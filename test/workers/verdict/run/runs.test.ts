import test from 'ava';
import type { SolverTask } from '../../../../workers/verdict/tasks.ts';
import { ask } from '../../../models/ask-solver.ts';
import { check, FAILED, look, move, pay, planOf, restart, UNKNOWN, verify } from './outcome-acts.ts';

// Rules over the runs of a plan: over this run, and those that were recorded before it.

const BUDGET = 'sum(pay, p, p.amount) <= 5.00';
const ONCE = 'unique(pay, p, p.id)';
const WRONG = { ...pay('a', '1.00'), args: { id: 'a', amount: 1 } };
const ELSEWHERE = ['other', 'check'].map((step_id) => ({ ...pay('a', '3.00'), step_id }));
const R0 = '/runs/r0';
for (const [what, rule, runs, actions, expected] of [
  ['is met by the first run', BUDGET, [], [pay('a', '5.00')], undefined],
  ['is met by two', BUDGET, [[pay('a', '2.00')]], [pay('b', '3.00')], undefined],
  [
    'is broken by the run that goes beyond it',
    BUDGET,
    [[pay('a', '2.00')], [check('a'), pay('b', '2.00')]],
    [pay('c', '1.01')],
    'is not met: 5.01 <= 5.00 is false, over action 1 of the run, action 2 of run 2, action 1 of run 1',
  ],
  [
    'names two acts of two runs',
    ONCE,
    [[pay('a', '1.00')]],
    [pay('b', '1.00'), pay('a', '2.00')],
    'is not met: action 1 of run 1 and action 2 of the run have the same id "a", over action 2 of the run, action 1 of the run, action 1 of run 1',
  ],
  [
    'counts an earlier act that failed',
    BUDGET,
    [[pay('a', '3.00', FAILED)]],
    [pay('b', '3.00')],
    'is not met: 6.00 <= 5.00 is false, over action 1 of the run, action 1 of run 1 (if action 1 of run 1 took effect)',
  ],
  [
    'does not count an earlier act of unknown outcome towards a minimum',
    'count(pay) >= 2',
    [[pay('a', '3.00', UNKNOWN)]],
    [pay('b', '3.00')],
    'is not met: 1 >= 2 is false, over action 1 of the run, action 1 of run 1 (if action 1 of run 1 did not)',
  ],
  ['counts an earlier act towards a minimum', 'count(pay) >= 2', [[pay('a', '3.00')]], [pay('b', '3.00')], undefined],
  [
    'counts attempts of an earlier run once',
    BUDGET,
    [[pay('a', '3.00', { ...FAILED, key: 'k' }), pay('a', '3.00', { key: 'k' })]],
    [pay('b', '2.00')],
    undefined,
  ],
  [
    'has no value where earlier arguments have none',
    BUDGET,
    [[WRONG]],
    [pay('b', '1.00')],
    'has no value: the arguments of action 1 of run 1 are not those of its tool, over action 1 of the run, action 1 of run 1',
  ],
  [
    'counts an act whose arguments have no value',
    'count(pay) <= 1',
    [[WRONG]],
    [pay('b', '1.00')],
    'is not met: 2 <= 1 is false, over action 1 of the run, action 1 of run 1',
  ],
  [
    'counts acts of a tool of the step that name another step',
    'count(pay) <= 1',
    [ELSEWHERE],
    [pay('b', '1.00')],
    'is not met: 3 <= 1 is false, over action 1 of the run, action 2 of run 1, action 1 of run 1',
  ],
  [
    'knows which act of another run came before',
    'pay.all(p, check.exists(c, c.id == p.id && before(c, p)))',
    [[check('a', { at: 1 })], [pay('a', '1.00', { at: 2 })]],
    [check('b', { at: 1 }), pay('a', '1.00', { at: 3 })],
    undefined,
  ],
  [
    'knows which act of another run came later',
    'pay.all(p, check.exists(c, before(c, p)))',
    [[pay('a', '1.00', { at: 2 })]],
    [check('a', { at: 3 }), pay('a', '1.00', { at: 4 })],
    'is not met: for action 1 of run 1, action 1 of the run has not ended before, over action 1 of the run, action 2 of the run, action 1 of run 1',
  ],
] as const) {
  test(`a rule over the runs ${what}`, (t) => {
    restart();
    const documents = planOf([], { runs: [rule], executions: 10 });
    const { all } = verify({ ...documents, runs: JSON.stringify(runs) }, actions);
    const constraints = all[1];
    t.deepEqual(
      constraints?.reasons.map(({ path, message }) => [path, message]),
      expected === undefined ? [] : [[R0, expected]],
    );
    t.is(constraints?.verdict, expected === undefined ? 'satisfied' : 'violated');
  });
}

const ROWS = Array.from({ length: 40 }, (_, index) => `{ id: i${index}, most: 2.00 }`).join(', ');
const USED = Array.from({ length: 39 }, (_, index) => [pay(`i${index}`, '2.00', { at: 1 })]);
for (const [what, rule, runs, verdict] of [
  ['finds the row that no run has used', ONCE, USED, 'satisfied'],
  ['finds an amount that is left', 'sum(pay, p, p.amount) <= 80.00', USED, 'satisfied'],
  ['finds that nothing is left', 'sum(pay, p, p.amount) <= 78.00', USED, 'violated'],
  ['counts acts that may have been done', 'count(pay) <= 1', [[pay('i0', '1.00', UNKNOWN)]], 'violated'],
] as const) {
  test(`a preflight ${what}`, (t) => {
    const documents = planOf([], {
      runs: [rule],
      executions: 50,
      times: '1..3',
      steps: 'evidence: {}',
      tables: `{ listed: { key: id, columns: { id: string(8), most: decimal(2) }, rows: [${ROWS}] } }`,
      pays: 'args.amount > 0.00 && args.amount <= listed[args.id].most',
    });
    const { step_id, tool, tool_version, args } = check('a');
    const action = JSON.stringify({ step_id, tool, tool_version, args });
    const task = { kind: 'preflight', ...documents, runs: JSON.stringify(runs), done: '[]', action } as const;
    const { constraints } = ask<Extract<SolverTask, { kind: 'preflight' }>>(task);
    t.is(constraints.verdict, verdict, JSON.stringify(constraints));
    t.is(constraints.core.includes(R0), verdict === 'violated');
  });
}

test('an earlier act of unknown outcome lends no belief to what this run observed', (t) => {
  restart();
  const documents = planOf([], { runs: ['count(pay) <= 9'], executions: 9 });
  const { step_id, tool, tool_version, args } = look(100, 'full');
  const action = JSON.stringify({ step_id, tool, tool_version, args });
  // The state is 90, whatever the response says.
  const done = JSON.stringify([move(10, 100)]);
  for (const runs of [[], [[pay('a', '1.00', UNKNOWN)]]]) {
    const task = { kind: 'preflight', ...documents, runs: JSON.stringify(runs), done, action } as const;
    t.is(ask<Extract<SolverTask, { kind: 'preflight' }>>(task).alignment.verdict, 'violated');
  }
});
