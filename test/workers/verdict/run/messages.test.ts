import test from 'ava';
import type { CheckName } from '../../../../workers/verdict/run/checked.ts';
import { ask, documentsOf } from '../../../models/ask-solver.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

const TOOLS = toolsIn(`tools:
  pay@1.0.0: { effect: write, args: { m: decimal(2), at: time, d: duration, to: string(200) }, responds: { id: string(64) } }
`);
const DONE = { m: '25.00', at: '2026-12-06T00:00:00.000000Z', d: '3600000000', to: 'x' };

function compiled(tables: string, rule: string, more = '') {
  const text = `plan: X
expires: 2026-12-05T00:00:00Z
recorded: 9
tables: ${tables}
steps: { pay: { tool: pay@1, times: 1..9${more} } }
rules: { r: ${JSON.stringify(rule)} }
`;
  return documentsOf(text, TOOLS);
}

const why = (tables: string, rule: string, args: object = {}): string => whyOf(compiled(tables, rule), args);

function whyOf(
  plan: ReturnType<typeof compiled>,
  args: object = {},
  { check = 'constraints', tool_version = '1.0.0' }: { check?: CheckName; tool_version?: string } = {},
): string {
  const actions = JSON.stringify([{ step_id: 'pay', tool: 'pay', tool_version, args: { ...DONE, ...args } }]);
  const task = {
    kind: 'check_proposal',
    check,
    mode: 'complete',
    ...plan,
    actions,
  } as const;
  return ask(task)
    .judgement.reasons.map(({ message }) => message)
    .join('; ');
}
const table = (type: string, key: string) =>
  `{ t: { key: k, columns: { k: "${type}", v: int }, rows: [{ k: ${key}, v: 1 }] } }`;

for (const [type, key, rule, said] of [
  ['decimal(2)', '2.50', 'pay.all(p, p.m in t)', / 25\.00 in t is false/],
  ['decimal(2)', '2.50', 't.all(r, r.v > 1)', /for the row 2\.50,/],
  ['time', '2026-12-05T00:00:00Z', 'pay.all(p, p.at in t)', /2026-12-06T00:00:00/],
  ['duration', '2h', 'pay.all(p, p.d in t)', / 1h in t is false/],
] as const) {
  test(`a ${type} of a message about ${rule} is named as it is written`, (t) => {
    t.regex(why(table(type, key), rule), said);
  });
}

for (const [what, to, wanted] of [
  ['an invisible character', 'Acme\u200b', 'Acme'],
  ['characters after those that are shown', `${'x'.repeat(100)}2`, `${'x'.repeat(100)}1`],
] as const) {
  test(`two texts that differ by ${what} are not shown as the same text`, (t) => {
    const message = why('{}', `pay.all(p, p.to == "${wanted}")`, { to });
    const [, one = '', other = ''] = /run, ("[^"]*").* == ("[^"]*")/.exec(message) ?? [];
    const seen = (text: string) => text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
    t.not(seen(one), seen(other), message);
  });
}
test('a text is shown up to its 80th character', (t) => {
  const shown = (length: number) => why('{}', 'pay.all(p, p.to == "Acme")', { to: 'x'.repeat(length) });
  t.true(shown(80).includes(`"${'x'.repeat(80)}"`));
  t.true(shown(81).includes(`"${'x'.repeat(80)}…"`));
});

test('of conditions that must hold together, only one that is broken is named', (t) => {
  const both = why('{}', 'pay.all(p, p.m <= 30.00 && p.to == "Acme")');
  t.regex(both, /"x" == "Acme" is false$/);
  t.notRegex(both, /30\.00/);
  t.notRegex(why('{}', 'pay.all(p, p.m <= 20.00 && p.to == "Acme")'), /Acme/);
  const neither = why('{}', 'pay.all(p, !(p.m > 30.00 || p.to == "x"))');
  t.regex(neither, /"x" == "x" is true$/);
  t.notRegex(neither, /30\.00/);
});

test('of conditions of which one must hold, all are named', (t) => {
  t.regex(
    why('{}', 'pay.all(p, p.m <= 20.00 || p.to == "Acme")'),
    /25\.00 <= 20\.00 is false, and for action 1 of the run, "x" == "Acme" is false$/,
  );
});

const TWO_KEYS = '{ t: { key: [k, l], columns: { k: string(9), l: int, v: int }, rows: [{ k: a, l: 1, v: 1 }] } }';
for (const [rule, said, tables] of [
  ['pay.all(p, p.m > 30.00)', 'is not met: for action 1 of the run, 25.00 > 30.00 is false', '{}'],
  ['pay.all(p, p.m >= 30.00)', 'is not met: for action 1 of the run, 25.00 >= 30.00 is false', '{}'],
  ['pay.all(p, 30.00 < p.m)', 'is not met: for action 1 of the run, 30.00 < 25.00 is false', '{}'],
  ['pay.all(p, p.to != "x")', 'is not met: for action 1 of the run, "x" == "x" is true', '{}'],
  [
    'pay.all(p, p.to == "x" ? p.m <= 20.00 : p.m <= 10.00)',
    'is not met: for action 1 of the run, 25.00 <= 20.00 is false',
    '{}',
  ],
  [
    'pay.all(p, p.to != "x" ? p.m <= 20.00 : p.m <= 10.00)',
    'is not met: for action 1 of the run, 25.00 <= 10.00 is false',
    '{}',
  ],
  ['pay.all(p, approvals > 1 ? p.m <= 20.00 : p.m <= 10.00)', 'a rule of the plan is broken', '{}'],
  ['pay.all(p, ["z", approvals] in t)', 'a rule of the plan is broken', TWO_KEYS],
  ['!pay.exists(p, p.m > 20.00)', 'is not met: for action 1 of the run, 25.00 > 20.00 is true', '{}'],
  ['pay.exists(p, p.m > 30.00)', 'a rule of the plan is broken', '{}'],
  ['!t.exists(r, r.v > 0)', 'is not met: for the row ["a", 1], 1 > 0 is true', TWO_KEYS],
  ['pay.all(p, [p.to, 2] in t)', 'is not met: for action 1 of the run, ["x", 2] in t is false', TWO_KEYS],
  ['!(["a", 1] in t)', 'is not met: ["a", 1] in t is true', TWO_KEYS],
] as const) {
  test(`a run that breaks ${rule} is told why`, (t) => {
    t.is(why(tables, rule), said);
  });
}

test('an action of another version of a tool is told the version of the step', (t) => {
  const other = { check: 'plan_alignment', tool_version: '1.0.1' } as const;
  t.is(whyOf(compiled('{}', 'count(pay) > 0'), {}, other), 'is not pay@1.0.0, the tool of the step');
});

test('a message has no control characters and no marks of direction of a value that the agent chose', (t) => {
  t.notRegex(why('{}', 'pay.all(p, p.to == "Acme")', { to: 'a\u009b31m\u202eb' }), /[\u0080-\u009f\u202a-\u202e]/);
});

const APPROVED = { runContext: { approvals: [{ at: '2026-11-27T10:00:00.000000Z', group: 'g' }] } };

test('a plan that a run obeys is not called impossible: a start within the tolerance of clocks before the approval', (t) => {
  const plan = compiled('{}', 'pay.exists(p, p.started_at < approved_at)');
  const at = '2026-11-27T09:59:58.000000Z';
  const done = {
    step_id: 'pay',
    tool: 'pay',
    tool_version: '1.0.0',
    args: DONE,
    response: { id: 'x' },
    started_at: at,
    ended_at: at,
  };
  for (const check of ['plan_alignment', 'constraints'] as const) {
    const run = ask({ kind: 'check_run', check, ...plan, ...APPROVED, actions: JSON.stringify([done]) });
    t.is(run.judgement.verdict, 'satisfied');
  }
  // The service records it (assertClock tolerates 5 s), and verification tolerates it (underCircumstances).
  t.not(ask({ kind: 'propose', ...plan }).judgement.verdict, 'vacuous');
});

test('an action that an agent reports as done in the future does not make it late enough for the next one', (t) => {
  const rule = 'pay.all(p, p.to == "first" || p.started_at >= timestamp("2026-12-01T00:00:00Z"))';
  const at = '2026-12-02T00:00:00.000000Z';
  const intent = { step_id: 'pay', tool: 'pay', tool_version: '1.0.0' };
  const done = { ...intent, args: { ...DONE, to: 'first' }, response: { id: 'x' }, started_at: at, ended_at: at };
  const after = (before: readonly object[]) =>
    ask({
      kind: 'preflight',
      ...compiled('{}', rule),
      ...APPROVED,
      done: JSON.stringify(before),
      action: JSON.stringify({ ...intent, args: { ...DONE, to: 'second' } }),
      now: '2026-11-27T11:00:00.000000Z',
    });
  t.is(after([]).passesFrom, '2026-12-01T00:00:00.000000Z');
  const { alignment, constraints, passesFrom } = after([done]);
  t.true(passesFrom !== undefined || alignment.verdict !== 'satisfied' || constraints.verdict !== 'satisfied');
});

test('a condition that is broken is explained with the states and maps before its action, not with those at the end of the run', (t) => {
  const text = `plan: X
expires: 2027-12-05T00:00:00Z
recorded: 9
state:
  left: 80.00
  paid: map(string, decimal(2), default 0.00)
steps:
  pay:
    tool: pay@1
    times: 1..9
    where: { enough: args.m <= state.left, once: 'state.paid[args.to] + args.m <= 60.00' }
    effects: { left: state.left - args.m, 'paid[args.to]': 'state.paid[args.to] + args.m' }
`;
  const actions = ['50.00', '40.00', '5.00'].map((m) => ({
    step_id: 'pay',
    tool: 'pay',
    tool_version: '1.0.0',
    args: { ...DONE, m },
  }));
  const task = {
    kind: 'check_proposal',
    check: 'plan_alignment',
    mode: 'complete',
    ...documentsOf(text, TOOLS),
    actions: JSON.stringify(actions),
  } as const;
  const { reasons } = ask(task).judgement;
  t.deepEqual(
    reasons.map(({ path, message }) => `${path} ${message}`),
    [
      '/actions/1/where/enough is not met: 40.00 <= 30.00 is false',
      '/actions/1/where/once is not met: 90.00 <= 60.00 is false',
      '/actions/2/where/enough is not met: 5.00 <= -10.00 is false',
      '/actions/2/where/once is not met: 95.00 <= 60.00 is false',
    ],
  );
});
