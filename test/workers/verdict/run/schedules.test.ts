import test from 'ava';
import type { RunContext } from '../../../../workers/verdict/run/encoding-session.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { judgeCompletion } from '../../../../workers/verdict/search/complete-run.ts';
import { by, withoutNumbers } from '../../../models/abstracted-plan.ts';
import { ask } from '../../../models/ask-solver.ts';
import { paid, payPlan } from '../../../models/pay-plan.ts';
import { asTask, intent, smallPlan } from '../../../models/small-plans.ts';

const at = (minute: number) => `2026-11-02T10:${`${minute}`.padStart(2, '0')}:00.000000Z`;
const APPROVED: RunContext = { approvals: [{ at: at(0), group: 'g' }] };
const doneAt = (from: number, to = from) => [{ ...paid({ flag: true }, at(from)), ended_at: at(to) }];
const since = (minutes: number) => `pay.all(p, p.flag || p.started_at - approved_at == duration("${minutes}m"))`;
const instant = (time: string) => `timestamp("2026-11-02T${time}:00Z")`;
const from = (...times: readonly string[]) => times.map((time) => `pay.all(p, p.started_at >= ${instant(time)})`);
const later = (distance: string) =>
  `pay.all(a, pay.all(b, !before(a, b) || b.started_at - a.ended_at > duration("${distance}")))`;
const named = (...distances: readonly string[]) =>
  distances.map((distance) => `pay.all(p, p.started_at - approved_at >= duration("${distance}") || p.n < 9)`);

interface Scheduled {
  readonly isSo?: boolean;
  readonly count?: number;
  readonly done?: readonly object[];
  readonly context?: RunContext;
  readonly given?: string;
  readonly expires?: string;
}

// No solver looks for times.
for (const [what, rules, { isSo = true, count = 1, done = [], context = APPROVED, ...more }] of [
  ['at the approval', [since(0)], { count: 2 }],
  ['after the end of the last one that is done', [since(2)], { done: doneAt(1, 2) }],
  ['not before the first one may', [since(5)], { context: { ...APPROVED, start: { at: at(5) } } }],
  ['when the first one may', [since(0)], { context: { ...APPROVED, start: { at: at(0) } } }],
  ['not before the last one', [since(7)], { done: doneAt(7), context: { ...APPROVED, start: { at: at(5) } } }],
  [
    'a day before the expiry without an approval',
    ['pay.all(p, timestamp("2027-12-05T00:00:00Z") - p.started_at == duration("24h"))'],
    { context: {} },
  ],
  ['at an instant that a rule names', from('11:00'), {}],
  ['after an instant that a rule names', [`pay.all(p, p.started_at > ${instant('11:00')})`], { isSo: false }],
  ['at the expiry', from('12:00'), { expires: '2026-11-02T12:00:00Z' }],
  ['at the third instant', from('13:00', '14:00', '15:00'), {}],
  ['at the fourth instant', from('12:00', '13:00', '14:00', '15:00'), { isSo: false }],
  ['at an instant besides distances', [...from('11:00'), ...named('1h', '2h', '3h')], {}],
  [
    'at an instant that a constant has',
    ['pay.all(p, p.started_at >= end)', 'count(pay) < 1790000000000000'],
    { given: 'end: 2026-11-02T11:00:00Z, many: 1800000000000000' },
  ],
  ['at the shortest distance', [later('1s')], { count: 3 }],
  ['at a shorter distance', [later('999ms')], { count: 3, isSo: false }],
  ['at the longest distance', [later('8784h')], { count: 2, expires: '2099-12-05T00:00:00Z' }],
  ['at a longer distance', [later('8785h')], { count: 2, expires: '2099-12-05T00:00:00Z', isSo: false }],
  ['at the third distance', [...named('1h', '4h', '2h'), later('3h')], { count: 2 }],
  ['at the fourth distance', [...named('1h', '3h', '2h'), later('4h')], { count: 2, isSo: false }],
  ['at a distance at the expiry', [later('1h')], { count: 2, expires: '2026-11-02T11:00:00.000001Z' }],
] as readonly (readonly [string, readonly string[], Scheduled])[]) {
  test(`actions ${isSo ? 'are' : 'are not'} tried ${what}`, (t) => {
    const plan = payPlan({ pay: `times: ${count}..9`, rules, ...more });
    const run = { plan, actions: readActions(done, plan), runContext: context };
    t.is(judgeCompletion(run, { ...by, solver: withoutNumbers }).verdict === 'satisfied', isSo);
  });
}

function propose(rules: readonly string[], mails: readonly (number | string)[], mode: 'complete' | 'prefix') {
  const plan = asTask(smallPlan({ steps: '  send: { tool: mail.send@1, times: 0..1000 }', rules }));
  const actions = JSON.stringify(mails.map((to) => intent('send', `${to}@example.org`)));
  return ask({ kind: 'check_proposal', check: 'constraints', mode, ...plan, actions }).judgement;
}
const mails = (count: number, each = 1, different = count) =>
  Array.from({ length: count }, (_, index) => Math.floor(index / each) % different);

const IN_TIME = 'send.all(p, p.started_at - approved_at <= duration("72h"))';
const A_DAY =
  'send.all(a, count(send, b, b.to == a.to && b.started_at >= a.started_at && b.started_at - a.started_at < duration("24h")) <= 1)';
const APART = 'send.all(a, send.all(b, a.to != b.to || !before(a, b) || b.started_at - a.ended_at > duration("1h")))';
const DECEMBER = 'p.started_at >= timestamp("2026-12-01T00:00:00Z")';
const FAR = 'send.all(p, p.started_at - approved_at >= duration("10000h"))';
const BOTH = ['/constraints/r0', '/constraints/r1'];

for (const [what, rules, sent, verdict, core = []] of [
  ['1,000 actions with a window, and one a day to each address', [IN_TIME, A_DAY], mails(1000, 1, 500), 'satisfied'],
  ['200 actions a day apart, one after the other', [A_DAY], mails(200, 2), 'satisfied'],
  ['200 actions at a distance from the end of the one before', [APART], mails(200, 1, 100), 'satisfied'],
  ['200 actions from a day on', [`send.all(p, ${DECEMBER})`, A_DAY], mails(200, 1, 100), 'satisfied'],
  ['a rule that is broken at any time', [IN_TIME, 'unique(send, p, p.to)'], [...mails(999), 1], 'violated', [BOTH[1]]],
  ['times that cannot obey the rules together', [IN_TIME, A_DAY], mails(5, 5), 'violated', BOTH],
  ['an action that is only possible after the expiry', [FAR], [0], 'violated', [BOTH[0]]],
  [
    'a response that rules out one time and no later one',
    [`send.all(p, (p.id == "a" && p.id == "b") || ${DECEMBER})`],
    [0],
    'satisfied',
  ],
] as const) {
  for (const mode of verdict === 'satisfied' ? (['prefix', 'complete'] as const) : (['complete'] as const)) {
    test(`${what}: a ${mode} run is ${verdict}`, (t) => {
      const judgement = propose(rules, sent, mode);
      t.deepEqual([judgement.verdict, ...[...judgement.core].sort()], [verdict, ...core]);
    });
  }
}

test('450 mails to one address at a day each, which end after the expiry, are not satisfied', (t) => {
  t.not(propose([A_DAY], mails(450, 450), 'complete').verdict, 'satisfied');
});

for (const [count, why] of [
  [150, /^no times were found that obey \/constraints\/r0, \/constraints\/r1, and none were ruled out: propose fewer/],
  [400, /^\/constraints\/r1 expands to more than \d+ nodes: propose fewer actions together, or check each before/],
] as const) {
  test(`a question about ${count} times that is too hard names its rules, and says what to do`, (t) => {
    const { verdict, reasons } = propose([IN_TIME, A_DAY, 'count(send) > 0'], mails(count, count), 'complete');
    t.deepEqual([verdict, reasons[0]?.code], ['indeterminate', 'SOLVER_GAVE_UP']);
    t.regex(reasons[0]?.message ?? '', why);
  });
}
