import test from 'ava';
import { ask, documentsOf } from '../../../models/ask-solver.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

const TOOLS = toolsIn(`tools:
  pay@1.0.0: { effect: write, args: { m: decimal(2), at: time, d: duration, to: string(200), ok: bool, cc?: [string(9), 1..3], by?: { name: string(9) }, lines: [{ v: int, gift?: bool }, 0..2] }, responds: { id: string(64) } }
`);
const INTENT = {
  step_id: 'pay',
  tool: 'pay',
  tool_version: '1.0.0',
  args: { m: '25.00', at: '2026-12-06T00:00:00.000000Z', d: '3600000000', to: 'x', ok: false, lines: [{ v: '1' }] },
};
type Change = Partial<typeof INTENT.args>;
const doing = (args: Change = {}) => ({ ...INTENT, args: { ...INTENT.args, ...args } });

const planOf = (rule: string, tables = '{}', more = 'tool: pay@1, times: 0..9', state = '') =>
  documentsOf(
    `plan: X
expires: 2026-12-05T00:00:00Z
recorded: 9
tables: ${tables}
${state}steps: { pay: { ${more} } }
rules: { r: ${JSON.stringify(rule)} }
`,
    TOOLS,
  );

const runContext = { approvals: [{ at: '2026-11-01T00:00:00.000000Z', group: 'audit' }] };

/** Why the rules, or the steps, refuse a proposal of these actions. */
function why(plan: ReturnType<typeof planOf>, actions: readonly object[] = [doing()], ofSteps = false): string {
  const check = ofSteps ? 'plan_alignment' : 'constraints';
  const task = {
    kind: 'check_proposal',
    check,
    mode: 'complete',
    ...plan,
    actions: JSON.stringify(actions),
  } as const;
  return ask(plan.plan.includes('approved_by') ? { ...task, runContext } : task)
    .judgement.reasons.map(({ message }) => message)
    .join('; ');
}
const of1 = (said: string) => `is not met: for action 1 of the run, ${said}`;
const keyed = (type: string, key: string) =>
  `{ t: { key: k, columns: { k: "${type}", v: int }, rows: [{ k: ${key}, v: 1 }] } }`;
const TWO_KEYS = '{ t: { key: [k, l], columns: { k: string(9), l: int, v: int }, rows: [{ k: a, l: 1, v: 1 }] } }';
const NOTHING = 'a rule of the plan is broken';
const LEAST = 'least(pay, p, p.at) < timestamp("2026-11-01T00:00:00Z")';
const LOOKED = 'pay.all(p, count(pay) <= t[p.to].v)';

for (const [rule, said, tables, actions] of [
  // Values are written as in a plan.
  ['pay.all(p, p.m in t)', of1('25.00 in t is false'), keyed('decimal(2)', '2.50')],
  ['t.all(r, r.v > 1)', 'is not met: for the row 2.50, 1 > 1 is false', keyed('decimal(2)', '2.50')],
  ['pay.all(p, p.at in t)', of1('2026-12-06T00:00:00.000000Z in t is false'), keyed('time', '2026-12-05T00:00:00Z')],
  ['pay.all(p, p.d in t)', of1('1h in t is false'), keyed('duration', '2h')],
  ['pay.all(p, p.d == duration("90s"))', of1('1h == 1m30s is false')],
  ['count(pay) * 1.5 > 2.00', 'is not met: 1.50 > 2.00 is false'],
  [LEAST, 'is not met: 2026-12-06T00:00:00.000000Z < 2026-11-01T00:00:00.000000Z is false'],
  ['!t.exists(r, r.v > 0)', 'is not met: for the row ["a", 1], 1 > 0 is true', TWO_KEYS],
  ['pay.all(p, [p.to, 2] in t)', of1('["x", 2] in t is false'), TWO_KEYS],
  ['!(["a", 1] in t)', 'is not met: ["a", 1] in t is true', TWO_KEYS],
  // Of conditions that must hold together, the broken one is named. Of those of which one must hold, all are named.
  ['pay.all(p, p.m <= 30.00 && p.to == "Acme")', of1('"x" == "Acme" is false')],
  ['pay.all(p, p.m <= 20.00 && p.to == "Acme")', of1('25.00 <= 20.00 is false')],
  ['pay.all(p, !(p.m > 30.00 || p.to == "x"))', of1('"x" == "x" is true')],
  ['!(count(pay) == 1 && count(pay) >= 1)', 'is not met: 1 == 1 is true, and 1 >= 1 is true'],
  [
    'pay.all(p, p.m <= 20.00 || p.to == "Acme")',
    `${of1('25.00 <= 20.00 is false')}, and for action 1 of the run, "x" == "Acme" is false`,
  ],
  ['pay.all(p, p.to == "x")', of1('"y" == "x" is false').replace('1', '2'), '{}', ['x', 'y']],
  ['pay.all(p, p.m > 30.00)', of1('25.00 > 30.00 is false')],
  ['pay.all(p, p.m >= 30.00)', of1('25.00 >= 30.00 is false')],
  ['pay.all(p, 30.00 < p.m)', of1('30.00 < 25.00 is false')],
  ['2 >= count(pay) + 2', 'is not met: 2 >= 3 is false'],
  ['pay.all(p, p.to != "x")', of1('"x" == "x" is true')],
  ['pay.all(p, p.to == "x" ? p.m <= 20.00 : p.m <= 10.00)', of1('25.00 <= 20.00 is false')],
  ['pay.all(p, p.to != "x" ? p.m <= 20.00 : p.m <= 10.00)', of1('25.00 <= 10.00 is false')],
  ['!pay.exists(p, p.m > 20.00)', of1('25.00 > 20.00 is true')],
  [
    't.all(r, count(pay, p, p.to == r.k) >= r.v + 1)',
    'is not met: for the row "x", 1 >= 2 is false',
    keyed('string(9)', 'x'),
  ],
  // What is open, or compares nothing, is not explained.
  ['pay.all(p, approvals > 1 ? p.m <= 20.00 : p.m <= 10.00)', NOTHING],
  ['pay.all(p, ["z", approvals] in t)', NOTHING, TWO_KEYS],
  ['!unique(pay, p, p.to)', NOTHING],
  ['unique(pay, p, p.m + p.m)', NOTHING, '{}', ['x', 'y']],
  ['pay.all(p, p.ok)', of1('ok is false')],
  ['pay.all(p, !p.ok)', ''],
  ['approved_by("finance")', 'is not met: no key of the group finance approved'],
  ['!approved_by("audit")', 'is not met: a key of the group audit approved'],
  // What is missing, and what is there twice.
  ['pay.exists(p, p.m > 30.00)', 'is not met: no action of pay meets it'],
  ['pay.exists(p, p.to == "y" && p.m > 30.00)', 'is not met: no action of pay with to "y" meets it'],
  ['pay.exists(p, "y" == p.to)', 'is not met: no action of pay with to "y" meets it', '{}', []],
  ['pay.all(p, t.exists(r, r.k == p.to))', of1('no row of t with k "x" meets it'), keyed('string(9)', 'y')],
  [
    'pay.all(p, pay.exists(q, q.to == p.to && q.m == 25.00 && before(q, p)))',
    of1('action 1 of the run has not ended before'),
  ],
  ['!pay.all(p, p.m > 20.00)', NOTHING],
  [
    'unique(pay, p, p.to)',
    'is not met: action 1 of the run and action 3 of the run have the same to "x"',
    '{}',
    ['x', 'y', 'x'],
  ],
  [
    'unique(pay, p, [p.to, p.m])',
    'is not met: action 1 of the run and action 2 of the run have the same to "x", m 25.00',
    '{}',
    ['x', 'x'],
  ],
  [
    'unique(t, r, r.v)',
    'is not met: the row "a" and the row "b" have the same v 1',
    '{ t: { key: k, columns: { k: string(9), v: int }, rows: [{ k: a, v: 1 }, { k: b, v: 1 }] } }',
  ],
  [
    'pay.exists(p, p.to == "y") || unique(pay, p, p.to)',
    'is not met: no action of pay with to "y" meets it, and action 1 of the run and action 2 of the run have the same to "x"',
    '{}',
    ['x', 'x'],
  ],
  // A rule without a value says why it has none.
  [LEAST, 'has no value: there is no least of no values', '{}', []],
  [LEAST.replace('least', 'greatest'), 'has no value: there is no greatest of no values', '{}', []],
  [LOOKED, 'has no value: a row of t that it looks up is missing', keyed('string(9)', 'y')],
  [LOOKED, '', keyed('string(9)', 'x')],
] as readonly [string, string, string?, string[]?][]) {
  test(`a run of ${actions?.length ?? 1} actions is told of ${rule}: ${said}`, (t) => {
    t.is(
      why(
        planOf(rule, tables),
        (actions ?? ['x']).map((to) => doing({ to })),
      ),
      said,
    );
  });
}

const ACME = planOf('pay.all(p, p.to == "Acme")');
for (const [what, to, wanted] of [
  ['an invisible character', 'Acme\u200b', 'Acme'],
  ['characters after those that are shown', `${'x'.repeat(100)}2`, `${'x'.repeat(100)}1`],
] as const) {
  test(`two texts that differ by ${what} are not shown as the same text`, (t) => {
    const message = why(planOf(`pay.all(p, p.to == "${wanted}")`), [doing({ to })]);
    const [, one = '', other = ''] = /run, ("[^"]*").* == ("[^"]*")/.exec(message) ?? [];
    const seen = (text: string) => text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
    t.not(seen(one), seen(other), message);
  });
}

test('a text is shown up to its 80th character, without control characters and marks of direction', (t) => {
  const shown = (to: string) => why(ACME, [doing({ to })]);
  t.true(shown('x'.repeat(80)).includes(`"${'x'.repeat(80)}"`));
  t.true(shown('x'.repeat(81)).includes(`"${'x'.repeat(80)}…"`));
  t.notRegex(shown('a\u009b31m\u202eb'), /[\u0080-\u009f\u202a-\u202e]/);
});

test('an action of another version of a tool is told the version of the step', (t) => {
  t.is(why(ACME, [{ ...doing(), tool_version: '1.0.1' }], true), 'is not pay@1.0.0, the tool of the step');
});

for (const [condition, said] of [
  ['has(args.cc)', 'is not met: cc is missing'],
  ['"x" in args.cc', 'is not met: cc is missing'],
  ['!has(args.by) && args.ok', 'is not met: ok is false'],
  ['args.by.name == "x"', 'has no value: by.name is missing'],
  ['sum(args.lines, l, l.v, l.gift) > 0', 'has no value: lines[].gift is missing'],
  ['args.lines.all(l, has(l.gift))', 'is not met: lines[].gift is missing'],
  ['args.lines.all(l, l.v > 1)', 'is not met: 1 > 1 is false'],
] as const) {
  test(`an action is told of ${condition}: ${said}`, (t) => {
    const plan = planOf('true', '{}', `tool: pay@1, times: 0..9, where: ${JSON.stringify(condition)}`);
    t.is(why(plan, [doing()], true), said);
  });
}

test('a broken condition is explained with the states and maps before its action, not with those at the end of the run', (t) => {
  const step = `tool: pay@1, times: 1..9, where: { enough: args.m <= state.left, once: 'state.paid[args.to] + args.m <= 60.00' }, effects: { left: state.left - args.m, 'paid[args.to]': 'state.paid[args.to] + args.m' }`;
  const state = 'state: { left: 80.00, paid: "map(string, decimal(2), default 0.00)" }\n';
  const actions = ['50.00', '40.00', '5.00'].map((m) => doing({ m }));
  t.is(
    why(planOf('count(pay) < 9', '{}', step, state), actions, true),
    ['40.00 <= 30.00', '90.00 <= 60.00', '5.00 <= -10.00', '95.00 <= 60.00']
      .map((said) => `is not met: ${said} is false`)
      .join('; '),
  );
});
