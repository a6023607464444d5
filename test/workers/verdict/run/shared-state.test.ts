import test from 'ava';
import { literal, type Term, variable } from '../../../../workers/plan/language/terms.ts';
import type { Step } from '../../../../workers/plan/plan.ts';
import { createOpenOrder } from '../../../../workers/verdict/run/open-order.ts';
import { accessOf, conflictOf, mayOverlap } from '../../../../workers/verdict/run/shared-state.ts';
import { openAction, paid, payPlan, stepOf } from '../../../models/pay-plan.ts';

const STATE =
  'left: { type: int, initial: 9 }, other: { type: int, initial: 0 }, n: { type: int, initial: 0 }, sent: "map(string(64), int, default 0)"';
const plan = payPlan({
  state: STATE,
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
const before = (payee?: string) => ({
  ...situation,
  names: {
    ...situation.names,
    arg: new Map([
      ...(situation.names.arg ?? []),
      ...(payee === undefined ? [] : [['payee', literal(payee)] as const]),
    ]),
  },
});
const touch = (stepId: string, payee?: string) => accessOf(plan, stepOf(plan, stepId), before(payee));
const conflict = (one: string, other: string, payee?: string) => conflictOf(touch(one, payee), touch(other, 'P'));

test('actions share a state that one changes and the other reads or changes', (t) => {
  t.is(conflict('pay', 'read'), 'left');
  t.is(conflict('read', 'pay'), 'left');
  t.is(conflict('pay', 'pay'), 'left');
  t.is(conflict('set', 'reset'), 'other');
  t.is(conflict('pay', 'set'), 'left');
  t.is(conflict('set', 'pay'), 'left');
});

test('actions that only read a state, or touch different ones, share none', (t) => {
  t.is(conflict('read', 'read'), undefined);
  t.is(conflict('pay', 'idle'), undefined);
  t.is(conflict('idle', 'pay'), undefined);
  t.is(conflict('pay', 'reset'), undefined);
  t.is(conflict('reset', 'read'), undefined);
  t.is(conflict('count', 'idle'), undefined, 'an argument and a state may have one name');
});

test('an action reads the states that its tool observes', (t) => {
  const idle = stepOf(plan, 'idle');
  const observing = { ...idle, tool: { ...idle.tool, observe: new Map([['left', 'open']]) } };
  t.is(conflictOf(touch('pay'), accessOf(plan, observing, before())), 'left');
  t.is(conflictOf(accessOf(plan, observing, before()), touch('read')), undefined);
});

test('entries of a map are shared if their keys are the same, or one is open, or is of each row of a table', (t) => {
  t.is(conflict('pay', 'known', 'P'), 'sent');
  t.is(conflict('pay', 'known', 'Q'), undefined);
  t.is(conflict('pay', 'known'), 'sent');
  t.is(conflict('pay', 'all', 'Q'), 'sent');
  t.is(conflict('known', 'all'), undefined);
});

test('actions may overlap if the step of one allows that of the other', (t) => {
  const [pay, both, set] = ['pay', 'both', 'set'].map((stepId) => stepOf(plan, stepId)) as [Step, Step, Step];
  t.deepEqual([mayOverlap(pay, both), mayOverlap(both, pay), mayOverlap(both, set)], [true, true, false]);
});

/** Facts about actions that are not done, of which each ends at a time of its own. `paid!` is one that is done. */
function waits(orders: Readonly<Record<string, Partial<Step>>>, names: readonly string[]) {
  const steps = plan.steps.map((step) => ({ ...step, ...orders[step.stepId] }));
  const changed = { ...plan, steps };
  const { session, situation: open } = openAction(changed, stepOf(changed));
  const order = createOpenOrder(changed);
  for (const [index, name] of names.entries()) {
    const step = stepOf(changed, name.replace('!', ''));
    const record = name.endsWith('!') ? paid() : undefined;
    const action = { path: `/${index}`, step, args: undefined, response: undefined, record, index };
    order(action, { started: variable(`s${index}`), ended: variable(`e${index}`) }, open);
  }
  return session.facts.map(({ id, term }) => [id, textOf(term)]);
}

function textOf(term: Term): string {
  if (term.op === 'variable') return term.key;
  if (term.op === 'literal') return `${term.value}`;
  if (term.op === '<=') return `${textOf(term.left)} <= ${textOf(term.right)}`;
  if (term.op === 'and') return term.args.map(textOf).join(' and ');
  if (term.op === '+') return term.args.map((arg) => `(${textOf(arg)})`).join(' + ');
  if (term.op === 'ite') return textOf(term.condition);
  throw new Error(term.op);
}

const after = (stepId: string, atLeast: number) => ({ after: [{ stepId, atLeast }] });

test('an action waits for the end of those of another step that must come before it', (t) => {
  t.deepEqual(waits({ read: after('idle', 1) }, ['idle', 'read']), [['/1/after/idle', 'e0 <= s1']]);
  t.deepEqual(waits({ read: after('idle', 2) }, ['idle', 'idle', 'read']), [
    ['/2/after/idle', 'e0 <= s2 and e1 <= s2'],
  ]);
  t.deepEqual(waits({ read: after('idle', 1) }, ['idle', 'idle', 'read']), [
    ['/2/after/idle', '1 <= (e0 <= s2) + (e1 <= s2)'],
  ]);
  t.deepEqual(waits({ read: after('idle', 0) }, ['idle', 'idle', 'read']), [
    ['/2/after/idle', 'e0 <= s2 and e1 <= s2'],
  ]);
  t.deepEqual(waits({ read: after('idle', 1) }, ['read']), []);
  t.deepEqual(waits({ read: after('idle', 0) }, ['read']), []);
});

test('those that are done count, and need no fact', (t) => {
  t.deepEqual(waits({ read: after('idle', 1) }, ['idle!', 'idle', 'read']), []);
  t.deepEqual(waits({ read: after('idle', 2) }, ['idle!', 'idle', 'read']), [['/2/after/idle', 'e1 <= s2']]);
  t.deepEqual(waits({ read: after('idle', 0) }, ['idle!', 'idle', 'read']), [['/2/after/idle', 'e1 <= s2']]);
});

test('what an earlier action of the step waits for is not said again', (t) => {
  t.deepEqual(waits({ read: after('idle', 1) }, ['idle', 'read', 'read']), [['/1/after/idle', 'e0 <= s1']]);
  t.deepEqual(waits({ read: after('idle', 0) }, ['idle', 'read', 'idle', 'read']), [
    ['/1/after/idle', 'e0 <= s1'],
    ['/3/after/idle', 'e2 <= s3'],
  ]);
});

test('an action that changes a state starts when those that share it have ended', (t) => {
  t.deepEqual(waits({}, ['reset', 'read', 'set']), [['/2/overlap/other', 'e0 <= s2']]);
  t.deepEqual(waits({}, ['read', 'read', 'pay']), [
    ['/2/overlap/left', 'e1 <= s2'],
    ['/2/overlap/left', 'e0 <= s2'],
  ]);
  t.deepEqual(waits({}, ['reset', 'reset', 'reset']), [
    ['/1/overlap/other', 'e0 <= s1'],
    ['/2/overlap/other', 'e1 <= s2'],
  ]);
  t.deepEqual(waits({}, ['pay', 'both']), []);
  t.deepEqual(waits({}, ['pay', 'both', 'read']), [
    ['/2/overlap/left', 'e1 <= s2'],
    ['/2/overlap/left', 'e0 <= s2'],
  ]);
  t.deepEqual(waits({}, ['reset!', 'reset']), []);
});
