import test from 'ava';
import { literal } from '../../../../workers/plan/language/terms.ts';
import type { Step } from '../../../../workers/plan/plan.ts';
import { accessOf, conflictOf } from '../../../../workers/verdict/run/shared-state.ts';
import { ask, documentsOf } from '../../../models/ask-solver.ts';
import { openAction, payPlan, stepOf } from '../../../models/pay-plan.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

const plan = payPlan({
  state:
    'left: { type: int, initial: 9 }, other: { type: int, initial: 0 }, n: { type: int, initial: 0 }, sent: "map(string(64), int, default 0)"',
  pay: 'times: 0..9, effects: { left: state.left - args.n, "sent[args.payee]": "state.sent[args.payee] + 1" }',
  steps: [
    'read: { tool: look@1, times: 0..9, where: state.left > 0 }',
    'idle: { tool: look@1, times: 0..9, where: args.n > 0 }',
    'known: { tool: look@1, times: 0..9, where: \'state.sent["P"] > 0\' }',
    'all: { tool: look@1, times: 0..9, where: "approved.all(a, state.sent[a.invoice] < 9)" }',
    'set: { tool: look@1, times: 0..9, effects: { other: state.left } }',
    'count: { tool: look@1, times: 0..9, effects: { n: 1 } }',
    'reset: { tool: look@1, times: 0..9, effects: { other: 0 } }',
    'both: { tool: look@1, times: 0..9, effects: { left: state.other, other: state.left }, overlaps: pay }',
  ].join(', '),
});
const { situation } = openAction(plan, stepOf(plan));

function accesses(stepId: string, payee?: string, change: Partial<Step['tool']> = {}) {
  const step = stepOf(plan, stepId);
  const arg = new Map(situation.names.arg);
  if (payee !== undefined) arg.set('payee', literal(payee));
  const names = { ...situation.names, arg };
  return accessOf(plan, { ...step, tool: { ...step.tool, ...change } }, { ...situation, names });
}

for (const [one, other, shared, payee] of [
  ['pay', 'read', 'left'],
  ['read', 'pay', 'left'],
  ['pay', 'pay', 'left'],
  ['set', 'reset', 'other'],
  ['pay', 'set', 'left'],
  ['set', 'pay', 'left'],
  ['read', 'read', undefined],
  ['pay', 'idle', undefined],
  ['idle', 'pay', undefined],
  ['pay', 'reset', undefined],
  ['reset', 'read', undefined],
  // An argument and a state may have one name.
  ['count', 'idle', undefined],
  ['pay', 'known', 'sent', 'P'],
  ['pay', 'known', undefined, 'Q'],
  ['pay', 'known', 'sent'],
  ['pay', 'all', 'sent', 'Q'],
  ['known', 'all', undefined],
] as const) {
  test(`${one}${payee === undefined ? '' : ` of ${payee}`} and ${other} share ${shared ?? 'no state'}`, (t) => {
    t.is(conflictOf(accesses(one, payee), accesses(other, 'P')), shared);
  });
}

test('an action reads the states that its tool observes', (t) => {
  const observing = accesses('idle', undefined, { observe: new Map([['left', 'open']]) });
  t.deepEqual([conflictOf(accesses('pay'), observing), conflictOf(observing, accesses('read'))], ['left', undefined]);
});

const TOOLS = toolsIn('tools: { act@1.0.0: { effect: write, args: { n: int }, responds: { id: string(64) } } }\n');

type Ordered = Readonly<Partial<Record<'holds' | 'order' | 'state' | 'effects' | 'rule', string>>>;

/**
 * A hold takes at least an hour, and a release comes within `minutes` of its start. Whether the plan can be obeyed, and
 * whether it can after a hold now.
 */
function isPossible(minutes: number, { holds = '1', order = '', state = '', effects = '', rule }: Ordered) {
  const rules = [
    'hold.all(p, p.ended_at - p.started_at >= duration("1h"))',
    `release.all(q, hold.all(p, q.started_at - p.started_at <= duration("${minutes}m")))`,
    'release.all(q, hold.all(p, p.started_at <= q.started_at))',
    ...(rule === undefined ? [] : [rule]),
  ];
  const documents = documentsOf(
    `plan: Hold, and release
expires: 2026-12-02T00:00:00Z
recorded: 9
${state}steps:
  hold: { tool: act@1, times: ${holds}${effects} }
  release: { tool: act@1, times: 1${order}${effects} }
rules: { ${rules.map((each, index) => `r${index}: '${each}'`).join(', ')} }
`,
    TOOLS,
  );
  const action = JSON.stringify({ step_id: 'hold', tool: 'act', tool_version: '1.0.0', args: { n: '1' } });
  const now = '2026-11-27T10:00:00.000000Z';
  const runContext = { approvals: [{ at: '2026-11-27T09:00:00.000000Z', group: 'g' }] };
  const { constraints } = ask({ kind: 'preflight', done: '[]', action, now, runContext, ...documents });
  return [ask({ kind: 'propose', ...documents }).judgement, constraints].map(({ verdict }) => verdict === 'satisfied');
}

const SHARED = { state: 'state: { g: 0 }\n', effects: ', effects: { g: state.g + 1 }' };
const LATER = 'release.exists(q, hold.exists(p, !before(p, q)))';
for (const [how, ordered, from, before] of [
  ['waits for it', { order: ', after: hold' }, 60, 59],
  ['waits for all of them', { holds: '2', order: ', after: { hold: if_done }' }, 60, 59],
  ['waits for two of them', { holds: '2..3', order: ', after: { hold: 2 }' }, 60, 59],
  ['has a rule about it', { rule: 'release.all(q, hold.exists(p, before(p, q)))' }, 60, 59],
  ['changes the same state', SHARED, 60, 59],
  ['does not wait', {}, 30],
  ['may overlap', { ...SHARED, order: ', overlaps: hold' }, 30],
  ['waits for one of two', { holds: '1..2', order: ', after: hold', rule: LATER }, 90],
  ['must not come after it', { rule: 'release.all(q, !hold.exists(p, before(p, q)))' }, 30],
] as const) {
  test(`an action that ${how} may start ${from} minutes after the start of one that takes an hour`, (t) => {
    t.deepEqual(isPossible(from, ordered), [true, true]);
    if (before !== undefined) t.deepEqual(isPossible(before, ordered), [false, false]);
  });
}
