import test from 'ava';
import { planOf } from '../../../../models/plan-texts.ts';
import { compileRun, RUN_PLAN } from '../faults/run-cases.ts';

test('a run has actions with the times, the response and the evidence that it says', (t) => {
  const { runs } = compileRun(`full:
  must: violated
  because: once
  approved: 2026-12-01T09:00:00.000123+01:00
  approvals: [finance, board]
  actions:
    - pay: { invoice: A1, amount: 1, payee: x }
      responds: { id: t1, left: 2.00 }
      started: 2026-12-01T10:00:00Z
      ended: 2026-12-01T10:00:01Z
      receipt: [{ id: t1, sum: 3, n: 4, last: z }, {}]
    - look: {}
    - pay: { invoice: A2 }
      started: 2026-12-01T11:00:00Z
      receipt: { id: t2 }
`);
  const pay = { step_id: 'pay', tool: 'bank.pay', tool_version: '2.3.1' };
  const times = (started_at: string, ended_at = started_at) => ({ started_at, ended_at });
  t.deepEqual(runs, [
    {
      ...{ name: 'full', must: 'violated', because: 'once' },
      approvals: ['finance', 'board'].map((group) => ({ at: '2026-12-01T08:00:00.000123Z', group })),
      actions: [
        {
          ...pay,
          args: { invoice: 'A1', amount: '1.00', payee: 'x' },
          response: { id: 't1', left: '2.00' },
          ...times('2026-12-01T10:00:00.000000Z', '2026-12-01T10:00:01.000000Z'),
        },
        {
          ...{ step_id: 'look', tool: 'look', tool_version: '1.0.0', args: {}, response: {} },
          ...times('2026-12-01T08:02:00.000123Z'),
        },
        { ...pay, args: { invoice: 'A2' }, response: {}, ...times('2026-12-01T11:00:00.000000Z') },
      ],
      artifacts: [
        { action: 0, kind: 'receipt', document: { 'a/b': { '~1': { id: 't1' }, sum: '3.00' }, n: '4', z: 'z' } },
        { action: 0, kind: 'receipt', document: {} },
        { action: 2, kind: 'receipt', document: { 'a/b': { '~1': { id: 't2' } } } },
      ],
    },
  ]);
});

test('a run is approved a day before the plan expires, by as many as the plan needs', (t) => {
  const two = planOf(RUN_PLAN.replace('recorded: 20', 'approvals: 2'));
  const { runs } = compileRun('r: { must: satisfied, actions: [{ look: {} }] }', two);
  const at = '2026-12-04T00:00:00.000000Z';
  t.like(runs?.[0], {
    because: undefined,
    approvals: ['approver-1', 'approver-2'].map((group) => ({ at, group })),
    actions: [{ started_at: '2026-12-04T00:01:00.000000Z' }],
  });
  t.is(compileRun('r: { must: satisfied, actions: [] }', two).runs?.[0]?.actions.length, 0);
  const alone = compileRun('r: { must: satisfied, approvals: finance, actions: [] }', two).runs?.[0];
  t.deepEqual(alone?.approvals, [{ at, group: 'finance' }]);
});

test('a run of a tool that the plan describes has its arguments, and evidence may be one value as a whole', (t) => {
  const described = planOf(
    RUN_PLAN.replace('rules:', 'tools: { own@1.0.0: { args: { of: int }, responds: { rate: decimal(1) } } }\nrules:')
      .replace('tool: look@1', 'tool: own@1')
      .replace('n: int,', 'n: int at "",'),
  );
  const look = 'r: { must: satisfied, actions: [{ look: { of: 3 }, responds: { rate: 2 } }] }';
  const { runs } = compileRun(look, described);
  t.like(runs?.[0]?.actions[0], { tool: 'own', args: { of: '3' }, response: { rate: '2.0' } });
  const { faults } = compileRun('r: { must: satisfied, actions: [{ pay: {}, receipt: { n: 3 } }] }', described);
  const message = 'the evidence receipt is one value as a whole: it cannot be written here';
  t.like(faults, [{ code: 'WRONG_FORM', line: 1, column: 53, message }]);
});
