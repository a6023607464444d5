import test from 'ava';
import type { SolverTask } from '../../../../workers/verdict/tasks.ts';
import { ask, documentsOf } from '../../../models/ask-solver.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

// Acts that failed, or whose outcome nobody knows: a run passes if it does however they turned out.

const TOOLS = toolsIn(`tools:
  check@1.0.0: { args: { id: string(8) }, responds: { ok: bool } }
  pay@1.0.0:
    effect: none
    args: { id: string(8), amount: "decimal(2, 0.00..)", key: string(8) }
    responds: { ref: string(8), fee: "decimal(2, 0.00..1.00)" }
    once: args.key
  wire@1.0.0: { args: { id: string(8), amount: int }, responds: { ref: string(8) }, post: "args.amount > 0" }
  move@1.0.0:
    replay: effects
    args: { amount: "int(1..100)" }
    responds: { left: int }
    state: { left: int, moves: int }
    effects: { left: state.left - args.amount, moves: state.moves + 1 }
    observe: { left: left }
  order@1.0.0:
    replay: effects
    args: { amount: "int(1..100)", key: string(8) }
    responds: { left: int }
    state: { left: int }
    effects: { left: state.left - args.amount }
    observe: { left: left }
    once: args.key
  look@1.0.0:
    replay: effects
    args: { id: string(8) }
    responds: { left: int }
    state: { left: int }
    observe: { left: left }
`);

function planOf(rules: readonly string[], { steps = '' } = {}) {
  return documentsOf(
    `plan: Outcomes
expires: 2026-12-31T00:00:00Z
recorded: 50
state: { left: 100, moves: 0 }
steps:
  check: { tool: check@1, times: 0..20 }
  pay: { tool: pay@1, times: 0..20, where: args.amount <= 50.00, ${steps || 'evidence: {}'} }
  again: { tool: pay@1, times: 0..20 }
  wire: { tool: wire@1, times: 0..3 }
  move: { tool: move@1, times: 0..20 }
  order: { tool: order@1, times: 0..20 }
  look: { tool: look@1, times: 0..20 }
  full: { tool: look@1, times: 0..20, where: state.left == 100 }
  moveAlong: { tool: move@1, times: 0..20, overlaps: [moveAlong] }
rules:${rules.length === 0 ? ' {}' : rules.map((rule, index) => `\n  r${index}: ${JSON.stringify(rule)}`).join('')}
`,
    TOOLS,
  );
}

interface Report {
  readonly outcome?: string;
  readonly response?: object | null;
  readonly at?: number;
  readonly to?: number;
}
let clock = 0;
function act(step: string, args: object, response: object, { at = clock++, to = at, ...report }: Report = {}) {
  const time = (minutes: number) =>
    new Date(Date.UTC(2026, 10, 20, 10, minutes)).toISOString().replace('.000Z', '.000000Z');
  const outcome = report.outcome ?? 'done';
  return {
    ...{
      step_id: step,
      tool: step === 'full' ? 'look' : step,
      tool_version: '1.0.0',
      args,
      ...(outcome === 'done' ? { response } : {}),
      ...report,
    },
    ...{ started_at: time(at), ended_at: time(to) },
  };
}
const check = (id: string, report?: Report) => act('check', { id }, { ok: true }, report);
const pay = (id: string, amount: string, report?: Report & { key?: string }) => {
  const { key = `k${clock}`, ...rest } = report ?? {};
  return act('pay', { id, amount, key }, { ref: id, fee: '0.50' }, rest);
};
const wire = (id: string, amount: string, report?: Report) => act('wire', { id, amount }, { ref: id }, report);
const move = (amount: number, left: number, report?: Report) =>
  act('move', { amount: `${amount}` }, { left: `${left}` }, report);
const order = (left: number, report?: Report) => act('order', { amount: '10', key: 'k' }, { left: `${left}` }, report);
const look = (left: number, step = 'look') => act(step, { id: 'a' }, { left: `${left}` });
const moveAlong = (...args: Parameters<typeof move>) => ({ ...move(...args), step_id: 'moveAlong' });
const FAILED = { outcome: 'failed' };
const UNKNOWN = { outcome: 'unknown' };

function verify(documents: ReturnType<typeof planOf>, actions: readonly object[], artifacts: readonly object[] = []) {
  const task = { kind: 'verify', ...documents, actions: JSON.stringify(actions), artifacts } as unknown;
  const { verdicts, assurance } = ask(task as Extract<SolverTask, { kind: 'verify' }>);
  const { plan_alignment, constraints, evidence, replay } = verdicts;
  return { all: [plan_alignment, constraints, evidence, replay], assurance };
}

/** The ids of what is broken, and which verdicts are not `satisfied` without one. */
function brokenIn(documents: ReturnType<typeof planOf>, actions: readonly object[]) {
  return verify(documents, actions).all.flatMap(({ verdict, reasons }) => {
    if (verdict === 'satisfied' || reasons.some(({ code }) => code === 'NOT_ALIGNED')) return [];
    return reasons.map(({ path, code }) => (verdict === 'violated' ? path : `${verdict} ${code} ${path}`));
  });
}

const R0 = ['/constraints/r0'];
for (const [what, rules, actions, broken] of [
  ['counts towards a maximum of a count', ['count(pay) <= 1'], () => [pay('a', '1.00'), pay('b', '1.00', FAILED)], R0],
  ['is not over a maximum', ['count(pay) <= 2'], () => [pay('a', '1.00'), pay('b', '1.00', FAILED)], []],
  ['does not reach a minimum', ['count(pay) >= 2'], () => [pay('a', '1.00'), pay('b', '1.00', UNKNOWN)], R0],
  [
    'leaves open whether a count is a number',
    ['count(pay) == 2'],
    () => [pay('a', '1.00'), pay('b', '1.00', UNKNOWN)],
    R0,
  ],
  [
    'leaves open whether a count is another',
    ['count(pay) != 2'],
    () => [pay('a', '1.00'), pay('b', '1.00', UNKNOWN)],
    R0,
  ],
  ['counts in a sum', ['sum(pay, p, p.amount) <= 5.00'], () => [pay('a', '3.00'), pay('b', '3.00', FAILED)], R0],
  [
    'is worth nothing to a sum',
    ['sum(pay, p, p.amount) >= 5.00'],
    () => [pay('a', '3.00'), pay('b', '3.00', FAILED)],
    R0,
  ],
  [
    'keeps a difference open',
    ['sum(pay, p, p.amount) - sum(pay, p, p.amount, p.id == "a") <= 2.00'],
    () => [pay('a', '3.00', UNKNOWN), pay('b', '3.00', UNKNOWN)],
    R0,
  ],
  ['must obey what each must', ['pay.all(p, p.amount <= 2.00)'], () => [pay('b', '3.00', FAILED)], R0],
  ['is no example', ['pay.exists(p, p.amount == 3.00)'], () => [pay('b', '3.00', UNKNOWN)], R0],
  [
    'may be an example of what must not be',
    ['!pay.exists(p, p.amount == 3.00)'],
    () => [pay('b', '3.00', UNKNOWN)],
    R0,
  ],
  ['takes a unique value', ['unique(pay, p, p.id)'], () => [pay('a', '3.00', FAILED), pay('a', '3.00')], R0],
  ['is not compared with itself', ['unique(pay, p, p.id)'], () => [pay('a', '3.00', FAILED), pay('b', '3.00')], []],
  ['may be the least', ['least(pay, p, p.amount) >= 2.00'], () => [pay('a', '3.00'), pay('b', '1.00', FAILED)], R0],
  ['is not the only one', ['least(pay, p, p.amount) >= 2.00'], () => [pay('a', '3.00', FAILED)], R0],
  ['has no response that a rule could know', ['pay.all(p, p.fee <= 0.50)'], () => [pay('a', '3.00', UNKNOWN)], R0],
  ['has a response of its type', ['pay.all(p, p.fee <= 1.00)'], () => [pay('a', '3.00', UNKNOWN)], []],
  [
    'is no earlier act',
    ['pay.all(p, check.exists(c, c.id == p.id && before(c, p)))'],
    () => [check('a', FAILED), pay('a', '3.00')],
    R0,
  ],
  [
    'is an earlier act that must not be',
    ['pay.all(p, !check.exists(c, before(c, p)))'],
    () => [check('a', UNKNOWN), pay('a', '3.00')],
    R0,
  ],
  [
    'needs an earlier act',
    ['pay.all(p, check.exists(c, c.id == p.id && before(c, p)))'],
    () => [pay('a', '3.00', FAILED)],
    R0,
  ],
  [
    'of which another one is done',
    ['pay.all(p, check.exists(c, c.id == p.id && before(c, p)))'],
    () => [check('a', FAILED), check('a'), pay('a', '3.00', UNKNOWN)],
    [],
  ],
  [
    'is counted by its outcome if a rule says so',
    ['count(pay, p, p.outcome == "done") == 1', 'count(pay, p, p.outcome == "failed") == 1'],
    () => [pay('a', '1.00'), pay('b', '1.00', FAILED)],
    [],
  ],
  [
    'is refused by its outcome if a rule says so',
    ['pay.all(p, p.outcome == "done")'],
    () => [pay('b', '1.00', FAILED)],
    R0,
  ],
  ['must meet the conditions of its step', [], () => [pay('a', '51.00', FAILED)], ['/actions/0/where/where']],
  ['is not asked what only a response shows', [], () => [wire('a', '0', UNKNOWN)], []],
  [
    'counts towards the times of its step',
    [],
    () => [wire('a', '1'), wire('a', '1'), wire('a', '1'), wire('a', '1', FAILED)],
    ['/steps/wire/max'],
  ],
  // Attempts of one act.
  [
    'and its retry are one act',
    ['count(pay) == 1', 'sum(pay, p, p.amount) == 3.00', 'unique(pay, p, p.id)'],
    () => [pay('a', '3.00', { ...UNKNOWN, key: 'k' }), pay('a', '3.00', { key: 'k' })],
    [],
  ],
  [
    'and a retry under another step count for each step',
    ['count(again) <= 0'],
    () => [
      pay('a', '3.00', { ...FAILED, key: 'k' }),
      { ...pay('a', '3.00', { ...FAILED, key: 'k' }), step_id: 'again' },
    ],
    R0,
  ],
  [
    'and a retry may be done at the time of each',
    ['count(pay, p, p.started_at > timestamp("2026-11-20T10:00:00Z")) <= 0'],
    () => [pay('a', '3.00', { ...FAILED, key: 'k' }), pay('a', '3.00', { ...FAILED, key: 'k' })],
    R0,
  ],
  [
    'has the response of its retry',
    ['pay.all(p, p.fee <= 0.50)'],
    () => [pay('a', '3.00', { ...FAILED, key: 'k' }), pay('a', '3.00', { key: 'k' })],
    [],
  ],
  ['and a retry without a key are two', ['count(wire) <= 1'], () => [wire('a', '3', UNKNOWN), wire('a', '3')], R0],
  [
    'and a retry that failed too are one',
    ['count(pay) <= 1'],
    () => [pay('a', '3.00', { ...UNKNOWN, key: 'k' }), pay('a', '3.00', { ...FAILED, key: 'k' })],
    [],
  ],
  [
    'and a retry that failed too are none',
    ['count(pay) >= 1'],
    () => [pay('a', '3.00', { ...UNKNOWN, key: 'k' }), pay('a', '3.00', { ...FAILED, key: 'k' })],
    R0,
  ],
  [
    'and a retry with other arguments are two acts with one key',
    [],
    () => [pay('a', '3.00', { ...UNKNOWN, key: 'k' }), pay('a', '4.00', { key: 'k' })],
    ['/actions/1/once'],
  ],
  [
    'cannot be done twice',
    [],
    () => [pay('a', '3.00', { key: 'k' }), pay('a', '3.00', { key: 'k' })],
    ['/actions/1/once'],
  ],
  [
    'needs an earlier act at each attempt',
    ['pay.all(p, check.exists(c, before(c, p)))'],
    () => [pay('a', '3.00', { ...FAILED, key: 'k' }), check('a'), pay('a', '3.00', { key: 'k' })],
    R0,
  ],
  ['may take effect before its retry', [], () => [order(90, FAILED), look(90), order(90)], []],
  ['may take effect at its retry', [], () => [order(90, FAILED), look(100), order(90)], []],
  [
    'may take effect at a retry that failed too',
    [],
    () => [order(90, FAILED), look(100), order(90, FAILED), look(90)],
    [],
  ],
  ['takes effect once', [], () => [order(90, FAILED), look(90), order(80)], ['/actions/1/response/left']],
  [
    'may have taken effect before what comes before its retry',
    [],
    () => [order(90, FAILED), look(100, 'full'), order(90)],
    ['/actions/1/where/where'],
  ],
  [
    'may take effect at its retry, before what follows',
    [],
    () => [order(90, FAILED), look(100), order(90, FAILED), look(100, 'full')],
    ['/actions/3/where/where'],
  ],
  [
    'has no end before its retry has one',
    [],
    () => [order(90, UNKNOWN), look(100), order(90), look(90)],
    ['/actions/1/overlap/left'],
  ],
  [
    'has ended when its retry has',
    ['check.all(c, order.exists(o, before(o, c)))'],
    () => [order(90, UNKNOWN), wire('a', '1'), order(90), check('a'), look(90)],
    [],
  ],
  [
    'comes before what comes before its retry',
    ['check.all(c, count(order, o, before(o, c)) <= 0)', 'count(order) == 1', 'sum(order, o, o.left) == 90'],
    () => [order(90, FAILED), check('a'), order(90)],
    R0,
  ],
  // States.
  ['may have changed the state', ['state.moves <= 1'], () => [move(10, 90), move(10, 80, FAILED)], R0],
  ['may not have changed the state', ['state.moves >= 2'], () => [move(10, 90), move(10, 80, FAILED)], R0],
  ['may have, as the next one observes', [], () => [move(10, 90, FAILED), move(10, 80)], []],
  ['may not have, as the next one observes', [], () => [move(10, 90, FAILED), move(10, 90)], []],
  ['did one of the two', [], () => [move(10, 90, FAILED), move(10, 85)], ['/actions/1/response/left']],
  ['of two acts one took effect', [], () => [move(10, 0, FAILED), move(5, 0, FAILED), move(10, 85)], []],
  [
    'of two acts no sum fits',
    [],
    () => [move(10, 0, FAILED), move(5, 0, FAILED), move(10, 88)],
    ['/actions/2/response/left'],
  ],
  ['whose effect was observed is over', ['state.left == 80'], () => [move(10, 90, FAILED), move(10, 80)], []],
  [
    'took effect in some of the cases that fit what was seen',
    ['state.left != 80 || count(move) <= 1'],
    () => [move(10, 0, FAILED), move(10, 0, FAILED), move(10, 80)],
    R0,
  ],
  ['counts in both at once', ['state.moves == count(move)'], () => [move(10, 90), move(10, 80, FAILED)], []],
  [
    'may still change what was observed, if it is unknown',
    ['state.left >= 0'],
    () => [moveAlong(60, 40, UNKNOWN), moveAlong(30, 70), moveAlong(70, 0)],
    R0,
  ],
  [
    'may have ended, if it is unknown, when what must not come after it does',
    ['check.all(c, pay.all(p, !before(c, p)))'],
    () => [check('a', UNKNOWN), pay('a', '1.00')],
    R0,
  ],
  ['has no end if it is unknown', [], () => [move(10, 90, UNKNOWN), move(10, 80)], ['/actions/1/overlap/left']],
] as readonly [string, string[], () => object[], string[]][]) {
  test(`an act without a response ${what}${rules.length === 0 ? '' : ` (${rules.join('; ')})`}`, (t) => {
    clock = 0;
    t.deepEqual(brokenIn(planOf(rules), actions()), broken);
  });
}

test('a step that waits for another one waits for an act that is done and has ended', (t) => {
  clock = 0;
  const plan = planOf([], { steps: 'after: check' });
  const runs = [[check('a', FAILED)], [check('a', UNKNOWN)], [check('a'), check('b', UNKNOWN)]];
  t.deepEqual(
    runs.map((before) => brokenIn(plan, [...before, pay('a', '1.00')])),
    [['/actions/1/after/check'], ['/actions/1/after/check'], []],
  );
});

test('evidence of an act without a response is not asked, and is compared with the arguments', (t) => {
  clock = 0;
  const plan = planOf([], {
    steps:
      'evidence: { receipt: { type: application/json, reads: { id: /id, ref: /ref }, where: { mine: receipt.id == args.id, its: receipt.ref == response.ref } } }',
  });
  const receipt = (json: object) => [{ action: 0, kind: 'receipt', json: JSON.stringify(json) }];
  const evidence = (artifacts: readonly object[], report: Report) =>
    verify(plan, [pay('a', '1.00', report)], artifacts).all[2]?.reasons.map(({ path }) => path);
  t.deepEqual(evidence([], {}), ['/actions/0/evidence/receipt/min']);
  t.deepEqual(evidence([], FAILED), []);
  t.deepEqual(evidence(receipt({ id: 'a', ref: 'x' }), FAILED), []);
  t.deepEqual(evidence(receipt({ id: 'b', ref: 'x' }), FAILED), ['/actions/0/evidence/receipt/0/binds/mine']);
});

test('only an act that is done has a response', (t) => {
  for (const report of [
    { outcome: 'failed', response: {} },
    { outcome: 'unknown', response: null },
    { outcome: 'done', response: undefined as never },
  ]) {
    const [judgement] = verify(planOf([]), [{ ...pay('a', '1.00'), ...report }]).all;
    t.deepEqual(
      judgement?.reasons.map(({ path }) => path),
      ['/actions/0/response'],
      JSON.stringify(report),
    );
  }
});

test('limits count an act with the key of another one, unless it is an attempt of that act', (t) => {
  const run = [
    ['1.00', {}],
    ['1.00', FAILED],
    ['2.00', FAILED],
    ['2.00', {}],
    ['1.00', {}],
  ] as const;
  const actions = JSON.stringify(run.map(([amount, report]) => pay('a', amount, { ...report, key: 'k' })));
  const { actions: read } = ask({ kind: 'read_actions', ...planOf([]), actions });
  t.deepEqual(
    read.map(({ isAttempt = false }) => isAttempt),
    [false, true, false, false, false],
  );
});

test('the message says how the acts turned out, and the statement counts them', (t) => {
  clock = 0;
  const run = [pay('a', '1.00'), pay('b', '3.00', UNKNOWN), pay('c', '3.00', FAILED)];
  const messages = (rule: string) => verify(planOf([rule]), run).all[1]?.reasons.map(({ message }) => message);
  t.deepEqual(messages('sum(pay, p, p.amount) <= 5.00'), [
    'is not met: 7.00 <= 5.00 is false (if actions 2, 3 of the run took effect)',
  ]);
  t.deepEqual(messages('count(pay) >= 2'), ['is not met: 1 >= 2 is false (if actions 2, 3 of the run did not)']);
  const { assurance } = verify(planOf([]), run);
  t.like(assurance, { recorded: 1, failed: 1, unknown: 1 });
});

const BEFORE = 'pay.all(p, check.exists(c, c.id == p.id && before(c, p)))';
for (const [what, rules, done, next, wanted] of [
  ['after an act that must come before it', [BEFORE], () => [check('a')], () => pay('a', '1.00'), 'satisfied'],
  ['without the act that must come before it', [BEFORE], () => [check('b')], () => pay('a', '1.00'), 'violated'],
  [
    'after an act that failed and must come before it',
    [BEFORE],
    () => [check('a', FAILED)],
    () => pay('a', '1.00'),
    'violated',
  ],
  [
    'after an act that may still take effect and must come before it',
    [BEFORE],
    () => [check('a', UNKNOWN)],
    () => pay('a', '1.00'),
    'violated',
  ],
  [
    'after one that came after an act that must not come before it, and may have',
    ['pay.all(p, !check.exists(c, before(c, p)))'],
    () => [check('a', UNKNOWN), pay('a', '1.00')],
    () => wire('a', '1'),
    'violated',
  ],
  [
    'without one of the acts that must come before it',
    ['pay.all(p, count(check, c, before(c, p)) >= 2)'],
    () => [check('a')],
    () => pay('a', '1.00'),
    'violated',
  ],
  [
    'within a maximum with an act that failed',
    ['count(pay) <= 2'],
    () => [pay('a', '1.00', FAILED)],
    () => pay('a', '1.00'),
    'satisfied',
  ],
  [
    'over a maximum with an act that failed',
    ['count(pay) <= 1'],
    () => [pay('a', '1.00', FAILED)],
    () => pay('a', '1.00'),
    'violated',
  ],
  [
    'that is the next attempt of an act',
    ['count(pay) <= 1'],
    () => [pay('a', '1.00', { ...FAILED, key: 'k' })],
    () => pay('a', '1.00', { key: 'k' }),
    'satisfied',
  ],
  [
    'that is another act with the same key',
    [],
    () => [pay('a', '1.00', { ...FAILED, key: 'k' })],
    () => pay('b', '1.00', { key: 'k' }),
    'violated',
  ],
  [
    'that reaches a minimum which one that failed did not',
    ['count(pay) >= 1', 'count(pay) <= 2'],
    () => [pay('a', '1.00', FAILED)],
    () => pay('b', '1.00'),
    'satisfied',
  ],
] as readonly [
  string,
  string[],
  () => object[],
  () => { response?: unknown; started_at?: string; ended_at?: string },
  'satisfied' | 'violated',
][]) {
  test(`preflight of an action ${what} is ${wanted} (${rules.join('; ')})`, (t) => {
    clock = 0;
    const before = done();
    const { response: _, started_at: __, ended_at: ___, ...action } = next();
    const { alignment, constraints } = ask({
      kind: 'preflight',
      ...planOf(rules),
      done: JSON.stringify(before),
      action: JSON.stringify(action),
    });
    t.is(
      alignment.verdict === 'satisfied' ? constraints.verdict : alignment.verdict,
      wanted,
      JSON.stringify([alignment, constraints]),
    );
  });
}

test('an action that came too early is told what must be done before it, or of which act to wait for the end', (t) => {
  clock = 0;
  const plan = planOf([], { steps: 'after: { check: 2 }' });
  const said = (before: readonly object[]) =>
    verify(plan, [...before, pay('a', '1.00')]).all[0]?.reasons.map(({ message }) => message);
  t.deepEqual(said([check('a')]), ['needs 2 of check that are done before, and has 1']);
  t.deepEqual(said([check('a'), check('b', FAILED)]), ['needs 2 of check that are done before, and has 1']);
  clock = 0;
  const late = [check('a'), check('b', { to: 9 })];
  t.deepEqual(said(late), ['action 2 of the run has not ended before: wait for its end']);
});
