import test from 'ava';
import { literal, variable } from '../../../../workers/plan/language/terms.ts';
import { TIME } from '../../../../workers/plan/language/types.ts';
import { knownValue } from '../../../../workers/verdict/elaborate/kleene.ts';
import { createSession, type SessionOptions } from '../../../../workers/verdict/run/encoding-session.ts';
import { timesOf } from '../../../../workers/verdict/run/times.ts';
import { ask } from '../../../models/ask-solver.ts';
import { payPlan, undone } from '../../../models/pay-plan.ts';
import { asTask, smallPlan } from '../../../models/small-plans.ts';

const at = (second: number) => `2026-11-02T10:00:${`${second}`.padStart(2, '0')}.000000Z`;
const instant = (second: number) => BigInt(Date.parse(at(second))) * 1000n;
const plan = payPlan({ rules: ['pay.all(p, p.ended_at >= p.started_at)'] });
const two = { ...plan, approvals: 2 };
const approval = (second: number, group: string) => ({ at: at(second), group });
const APPROVALS = [approval(30, 'risk'), approval(10, 'finance'), approval(20, 'finance')];
const ONCE = [approval(10, 'risk'), approval(10, 'finance')];

for (const [what, options, known, by = two] of [
  ['by two, in the order of their times', {}, [instant(20), 3n, true, true]],
  ['by one', {}, [instant(10), 3n, true, true], { ...plan, approvals: 1 }],
  ['by all before the first action', { began: at(40) }, [instant(20), 3n, true, true]],
  ['by some a little after the first action began', { began: at(25) }, [instant(20), 3n, true, true]],
  ['by none later', { began: at(24) }, [instant(20), 2n, true, false]],
  ['by those that it needs, however late they are', { began: at(1) }, [instant(20), 2n, true, false]],
  ['by all at one time', { runContext: { approvals: ONCE } }, [instant(10), 2n, true, true]],
] as readonly [string, SessionOptions, unknown[], typeof plan?][]) {
  test(`a plan is approved ${what}`, (t) => {
    const { run } = createSession(by, { runContext: { approvals: APPROVALS }, ...options });
    const facts = [run.approvedAt, run.approvals, run.approvedBy('finance'), run.approvedBy('risk')];
    t.deepEqual(facts.map(knownValue), known);
  });
}

test('of a plan that lacks an approval, nothing is known but how many it needs', (t) => {
  const { run, variables } = createSession(two, { runContext: { approvals: APPROVALS.slice(0, 1) } });
  t.deepEqual(run.approvedBy('risk'), variable('/run/approved_by/risk'));
  t.deepEqual(Object.fromEntries(variables), {
    '/run/approved_at': TIME,
    '/run/approvals': { type: 'int', min: 2n, max: 1000n },
    '/run/approved_by/risk': { type: 'bool' },
  });
});

test('without any time in the rules, no action has one', (t) => {
  const plain = payPlan({ rules: ['count(pay) < 3'] });
  const session = createSession(plain);
  t.deepEqual(timesOf(plain, session, undefined)(undone(plan, 0)), { started: literal(0n), ended: literal(0n) });
  t.deepEqual([session.times, [...session.variables.keys()]], [[], ['/run/approved_at', '/run/approvals']]);
});

const some = (rule: string) => `backup.exists(a, send.exists(p, ${rule}))`;
for (const [what, rule, isPossible] of [
  ['begins when an earlier action begins', some('p.started_at == a.started_at'), true],
  ['begins before an earlier action begins', some('p.started_at < a.started_at'), false],
  ['begins before an earlier action ends', some('p.started_at < a.ended_at'), false],
  ['ends when it begins', some('p.ended_at == p.started_at'), true],
  ['ends before it begins', some('p.ended_at < p.started_at'), false],
  ['begins when the plan is approved', some('p.started_at == approved_at'), true],
  ['begins before the plan is approved', some('p.started_at < approved_at - duration("5s")'), false],
  [
    'begins with the tolerance of clocks after the expiry',
    some('p.started_at >= timestamp("2027-12-05T00:00:05Z")'),
    true,
  ],
  ['begins later', some('p.started_at > timestamp("2027-12-05T00:00:05Z")'), false],
  // An action may start within the tolerance of clocks.
  ['begins a little before it', some('p.started_at < approved_at'), undefined],
] as const) {
  test(`a plan in which an action ${what} is ${isPossible === undefined ? 'not vacuous' : isPossible ? 'possible' : 'impossible'}`, (t) => {
    const steps =
      '  backup: { tool: db.backup@1, times: 1..2 }\n  send: { tool: mail.send@1, times: 1..2, after: { backup: if_done } }';
    const { runContext: _, ...documents } = asTask(smallPlan({ steps, rules: [rule] }));
    const { verdict } = ask({ kind: 'propose', ...documents }).judgement;
    if (isPossible === undefined) t.not(verdict, 'vacuous');
    else t.is(verdict === 'satisfied', isPossible, verdict);
  });
}
