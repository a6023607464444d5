import test from 'ava';
import type { Value } from '../../../../workers/plan/language/values.ts';
import type { Plan } from '../../../../workers/plan/plan.ts';
import type { RunContext } from '../../../../workers/verdict/run/encoding-session.ts';
import type { PlacedAction } from '../../../../workers/verdict/run/placed-action.ts';
import { schedulesOf } from '../../../../workers/verdict/run/schedules.ts';
import { ask } from '../../../models/ask-solver.ts';
import { paid, payPlan, undone } from '../../../models/pay-plan.ts';
import { asTask, intent, smallPlan } from '../../../models/small-plans.ts';

const HOUR = 3_600_000_000n;
const NEXT = HOUR + 1n;
const instant = (text: string) => BigInt(Date.parse(text)) * 1000n;
const at = (minute: number) => `2026-11-02T10:${`${minute}`.padStart(2, '0')}:00.000000Z`;
const APPROVED = { approvals: [{ at: at(0), group: 'g' }] };

/** How long after 10:00 the actions start, in microseconds, in each schedule. */
function startsOf(plan: Plan, actions: readonly PlacedAction[], runContext: RunContext = APPROVED) {
  return [...schedulesOf({ plan, runContext }, actions)].map((schedule) =>
    actions.flatMap(({ path, record }) => {
      if (record !== undefined) return [];
      const started = schedule.get(`${path}/started_at`);
      if (started !== schedule.get(`${path}/ended_at`)) throw new Error(`${path} takes time`);
      return [BigInt(started ?? 0) - instant(at(0))];
    }),
  );
}

const LATER = payPlan({ rules: ['pay.all(p, p.started_at > approved_at)'] });
const open = (index: number) => undone(LATER, index);
const doneAt = (from: number, to = from) => ({ ...open(0), record: { ...paid({}, at(from)), ended_at: at(to) } });
const from = (minute: number) => ({ ...APPROVED, start: { at: at(minute) } });

for (const [what, actions, context, starts] of [
  ['at the approval', [open(0), open(1)], APPROVED, [0n, 0n]],
  ['after the end of the last one that is done', [doneAt(1, 2), open(1)], APPROVED, [120_000_000n]],
  ['not before the first one may', [open(0)], from(5), [300_000_000n]],
  ['when the first one may', [open(0)], from(0), [0n]],
  ['not before the last one that is done', [doneAt(7), open(1)], from(5), [420_000_000n]],
] as const) {
  test(`without another rule about times, all actions start ${what}`, (t) => {
    t.deepEqual(startsOf(LATER, actions, context), [[...starts]]);
  });
}

test('a plan that is not approved is approved a day before it expires', (t) => {
  const approvedAt = (runContext?: RunContext) =>
    ['/run/approved_at', '/actions/0/started_at'].map((key) =>
      [...schedulesOf({ plan: LATER, runContext }, [open(0)])][0]?.get(key),
    );
  t.deepEqual(approvedAt(), Array(2).fill(instant('2027-12-04T00:00:00Z')));
  t.deepEqual(approvedAt(APPROVED), Array(2).fill(instant(at(0))));
});

const named = (...times: readonly string[]) => times.map((time) => `timestamp("2026-11-02T${time}Z")`);
const after = (times: readonly string[]) => times.map((time) => `pay.exists(p, p.started_at > ${time})`);
const HOURS = after(named('09:59:59', '11:00:00', '12:00:00'));
for (const [what, parts, starts] of [
  ['until the expiry', { expires: '2026-11-02T12:00:00Z', rules: HOURS }, [0n, HOUR, 2n * HOUR]],
  ['not beyond the expiry', { expires: '2026-11-02T11:59:59Z', rules: HOURS }, [0n, HOUR]],
  [
    'if it is one of the three earliest',
    { rules: after(named('15:00:00', '12:00:00', '13:00:00', '14:00:00')) },
    [0n, 2n * HOUR, 3n * HOUR, 4n * HOUR],
  ],
  [
    'which a constant has, and no number has',
    {
      given: 'end: 2026-11-02T11:00:00Z, many: 1800000000000000',
      rules: ['pay.all(p, p.started_at < end)', 'count(pay) < 1790000000000000'],
    },
    [0n, HOUR],
  ],
] as const) {
  test(`an action waits for an instant that a rule names, ${what}`, (t) => {
    const plan = payPlan(parts);
    t.deepEqual(startsOf(plan, [undone(plan, 0)]).flat(), [...starts]);
  });
}

test('distances that rules name take no place of instants', (t) => {
  const distances = ['1h', '2h', '3h'].map((one) => `approved_at + duration("${one}")`);
  const plan = payPlan({ rules: after([...named('11:00:00'), ...distances]) });
  t.true(startsOf(plan, [undone(plan, 0)]).some(([start]) => start === HOUR));
});

/** The schedules in which actions keep a distance of an hour. */
function apart(actions: readonly (Readonly<Record<string, Value>> | undefined)[], expires = '2027-12-05T00:00:00Z') {
  const rules = ['pay.all(a, pay.all(b, b.started_at - a.ended_at > duration("1h") || a.n == b.n))'];
  const plan = payPlan({ expires, rules });
  const acts = actions.map((args, index) => undone(plan, index, args));
  return (runContext?: RunContext) => startsOf(plan, acts, runContext).slice(1);
}

test('actions keep a distance that a rule names from the one before, or from the last with the same value of an argument', (t) => {
  const run = [true, true, false, false].map((flag, index) => ({ flag, free: BigInt(index % 2), invoice: 'A' }));
  t.deepEqual(apart(run)(), [
    [0n, NEXT, 2n * NEXT, 3n * NEXT],
    [0n, NEXT, NEXT, 2n * NEXT],
    [0n, 0n, NEXT, NEXT],
    [0n, NEXT, 2n * NEXT, 3n * NEXT],
  ]);
});

test('a schedule whose last action starts after the expiry is not tried, and one at the expiry is', (t) => {
  const schedules = apart([undefined, undefined], '2026-11-02T11:00:00Z');
  const approved = (time: string) => schedules({ approvals: [{ at: `2026-11-02T${time}Z`, group: 'g' }] }).length;
  t.deepEqual([approved('09:59:59.999999'), approved('10:00:00.000000')], [4, 0]);
  const differing = [0n, 1n].map((free) => ({ flag: free === 0n, free, invoice: 'A' }));
  t.deepEqual(apart(differing, '2026-11-02T11:00:00Z')(), [
    [0n, 0n],
    [0n, 0n],
  ]);
});

for (const [texts, distances] of [
  [['1s'], [0n, 1_000_001n]],
  [['8784h'], [0n, 8784n * HOUR + 1n]],
  [
    ['4h', '2h', '1h', '3h'],
    [0n, NEXT, 2n * HOUR + 1n, 3n * HOUR + 1n],
  ],
] as const) {
  test(`of the distances ${texts.join(', ')}, the three shortest are tried`, (t) => {
    const rules = texts.map((text) => `pay.all(p, p.started_at - approved_at > duration("${text}"))`);
    const plan = payPlan({ expires: '2099-12-05T00:00:00Z', rules });
    const starts = startsOf(plan, [undone(plan, 0), undone(plan, 1)]);
    t.deepEqual([...new Set(starts.flatMap(([, second]) => second ?? []))], [...distances]);
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
