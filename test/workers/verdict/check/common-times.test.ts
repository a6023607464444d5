import test from 'ava';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { ask } from '../../../models/ask-solver.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { preflightLater } from '../../../models/preflight-later.ts';
import { asTask, done, intent, smallPlan } from '../../../models/small-plans.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

/** The verdicts on a whole proposal: of its steps, and of the rules. */
const proposed = (plan: string, actions: readonly object[]) =>
  (['plan_alignment', 'constraints'] as const).map((check) => {
    const task = { kind: 'check_proposal', check, mode: 'complete', ...asTask(plan) } as const;
    const answer = ask({ ...task, actions: JSON.stringify(actions) });
    return 'judgement' in answer ? answer.judgement.verdict : undefined;
  });

/** The verdicts on the next action, and the time from which it passes. */
function next(plan: string, before: readonly object[], action: object, now: string) {
  const documents = { ...asTask(plan), plan: JSON.parse(plan), now: `2026-11-02T${now}.000000Z` };
  const answer = preflightLater({ ...documents, done: before, action }, by);
  return [answer.alignment.verdict, answer.constraints.verdict, answer.passesFrom];
}

const SINCE = 'started_at - approved_at';
const A_DAY_APART = 'send.all(a, send.all(b, !before(a, b) || b.started_at - a.started_at >= duration("24h")))';
/** A window in the conditions of a step, and a rate in the rules. */
const JOINT = smallPlan({
  steps: `  send: { tool: mail.send@1, times: 0..10, where: '${SINCE} <= duration("24h")' }`,
  rules: [A_DAY_APART],
});

test('conditions and rules must hold at the same times', (t) => {
  t.deepEqual(proposed(JOINT, [intent('send'), intent('send')]), ['satisfied', 'satisfied']);
  t.deepEqual(proposed(JOINT, [intent('send'), intent('send'), intent('send')]), ['satisfied', 'violated']);
  t.deepEqual(next(JOINT, [done('send', '01:00:00')], intent('send'), '02:00:00'), [
    'satisfied',
    'violated',
    undefined,
  ]);
});

test('an action passes from the first time at which its conditions and the rules hold together', (t) => {
  const where = `(${SINCE} >= duration("1h") && ${SINCE} <= duration("2h")) || ${SINCE} >= duration("5h")`;
  const plan = smallPlan({
    steps: `  send: { tool: mail.send@1, times: 0..10, where: '${where}' }`,
    rules: ['send.all(p, p.started_at - approved_at >= duration("3h"))'],
  });
  t.deepEqual(next(plan, [], intent('send'), '00:00:00'), ['satisfied', 'satisfied', '2026-11-02T05:00:00.000000Z']);
});

test('an optional action does not take the last recorded place from a required one', (t) => {
  const steps = `  send: { tool: mail.send@1, times: 0..1 }
  backup: { tool: db.backup@1, times: 1 }`;
  for (const [recorded, step, verdict] of [
    [1, 'send', 'violated'],
    [1, 'backup', 'satisfied'],
    [2, 'send', 'satisfied'],
  ] as const) {
    const verdicts = next(smallPlan({ steps, recorded }), [], intent(step), '01:00:00').slice(0, 2);
    t.deepEqual(verdicts, ['satisfied', verdict]);
  }
});

test('an action that is too early is told so, although nothing rules it out at once', (t) => {
  const plan = smallPlan({
    steps: `  backup: { tool: db.backup@1, times: 1 }
  migrate: { tool: db.migrate@1, times: 1, after: { backup: 1 }, where: '${SINCE} >= duration("2h")' }`,
    rules: ['migrate.all(m, backup.all(b, m.started_at - b.started_at <= duration("1h")))'],
  });
  t.deepEqual(next(plan, [], intent('backup'), '01:00:00'), ['satisfied', 'satisfied', undefined]);
  t.deepEqual(next(plan, [], intent('backup'), '00:30:00'), ['satisfied', 'satisfied', '2026-11-02T01:00:00.000000Z']);
});

const HOURS_APART = (hours: number, same = '') =>
  `send.all(a, send.all(b, !before(a, b)${same} || b.started_at - a.started_at >= duration("${hours}h")))`;
const OFFICE = `{ office: { key: day, columns: { day: string(10), opens: time, closes: time }, rows: [
  { day: a, opens: 2026-11-02T08:00:00Z, closes: 2026-11-02T18:00:00Z },
  { day: b, opens: 2026-11-03T08:00:00Z, closes: 2026-11-03T18:00:00Z } ] } }`;
const SENT = [done('send', '01:00:00'), done('send', '02:00:00')];
const OTHERS = Array.from({ length: 20 }, (_, index) => done('send', '02:00:00', '02:00:00', `${index}@example.org`));
const TWO_IN_4_HOURS = 'send.all(s, count(send, e, before(e, s) && s.started_at - e.started_at < duration("4h")) < 2)';

for (const [what, { rule, tables = '{}', now = '02:30:00', before = SENT }, from] of [
  [
    'that a rule names',
    { rule: 'send.all(s, s.started_at >= timestamp("2026-11-05T00:00:00Z"))', before: [] },
    '05T00:00:00',
  ],
  ['after the last act', { rule: HOURS_APART(1) }, '02T03:00:00'],
  [
    'after the last act with the same argument',
    { rule: HOURS_APART(3, ' || a.to != b.to'), before: [done('send', '01:00:00'), ...OTHERS] },
    '02T04:00:00',
  ],
  ['after an act before the last one', { rule: TWO_IN_4_HOURS }, '02T05:00:00'],
  [
    'of a table',
    {
      rule: 'send.all(s, office.exists(o, s.started_at >= o.opens && s.ended_at <= o.closes))',
      tables: OFFICE,
      now: '19:00:00',
      before: [],
    },
    '03T08:00:00',
  ],
] as const) {
  test(`a refused action is told the instant ${what}`, (t) => {
    const plan = smallPlan({ steps: '  send: { tool: mail.send@1, times: 0..30 }', rules: [rule], tables });
    t.is(next(plan, before, intent('send'), now)[2], `2026-11-${from}.000000Z`);
  });
}
