import test from 'ava';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { ask } from '../../../models/ask-solver.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { preflightLater } from '../../../models/preflight-later.ts';
import { asTask, done, intent, smallPlan } from '../../../models/small-plans.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

interface Asked {
  /** A condition of `send`. */
  readonly where?: string;
  readonly rule?: string;
  readonly tables?: string;
  /** `backup`, with the braces. */
  readonly backup?: string;
  readonly migrate?: string;
  readonly recorded?: number;
  readonly expires?: string;
  /** What was done before the action: one that starts at midnight. */
  readonly before?: readonly object[];
  readonly action?: object;
}

const at = (time: string) => `2026-11-02T${time.includes('.') ? time : `${time}.000000`}Z`;

function planOf({ where = 'true', rule, tables = '{}', backup = 'times: 0..1', migrate, recorded, expires }: Asked) {
  const steps = [
    `  send: { tool: mail.send@1, times: 0..30, where: '${where}' }`,
    `  backup: { tool: db.backup@1, ${backup} }`,
    ...(migrate === undefined ? [] : [`  migrate: { tool: db.migrate@1, ${migrate} }`]),
  ].join('\n');
  const more = { ...(recorded === undefined ? {} : { recorded }), ...(expires === undefined ? {} : { expires }) };
  return smallPlan({ steps, tables, rules: rule === undefined ? [] : [rule], ...more });
}

/** Whether an action passes, or from which time on, or which of the verdicts on its step and on the rules refuses it. */
function next(asked: Asked, now: string): string {
  const { before = [done('backup', '00:00:00')], action = intent('send') } = asked;
  const plan = planOf(asked);
  const task = { ...asTask(plan), plan: JSON.parse(plan), now: at(now), done: before, action };
  const { alignment, constraints, passesFrom } = preflightLater(task, by);
  const verdicts = [alignment.verdict, constraints.verdict];
  if (verdicts.some((verdict) => verdict !== 'satisfied')) return verdicts.join(' ');
  if (passesFrom === undefined) return 'passes';
  return passesFrom?.replace('2026-11-', '').replace('.000000Z', '') ?? 'too early';
}

const SINCE = 'started_at - approved_at';
const hours = (count: number) => `duration("${count}h")`;
const after = (count: number, name = 'p') => `${name}.${SINCE} >= ${hours(count)}`;
const OPENS = { where: `${SINCE} >= ${hours(1)}` };
const WINDOWS = { where: `${SINCE} <= ${hours(1)} || (${SINCE} >= ${hours(3)} && ${SINCE} <= ${hours(4)})` };
const fromBackup = (operator: string) => ({
  rule: `send.all(p, backup.exists(a, p.started_at - a.ended_at ${operator} ${hours(1)}))`,
  before: [done('backup', '02:00:00')],
});
const followed = (first: number, later: number) => ({
  rule: `send.all(p, ${after(3)} || (${after(first)} && send.exists(q, before(p, q) && ${after(later, 'q')})))`,
});
const AHEAD = [done('backup', '01:00:01')];
const within = (count: number) => `${SINCE} <= ${hours(count)}`;
const APART = 'b.started_at - a.started_at >= duration';
const apart = (count: number, same = '') => `send.all(a, send.all(b, !before(a, b)${same} || ${APART}("${count}h")))`;
const OFFICE = `{ office: { key: day, columns: { day: string(10), opens: time, closes: time }, rows: [
  { day: a, opens: 2026-11-02T08:00:00Z, closes: 2026-11-02T18:00:00Z },
  { day: b, opens: 2026-11-03T08:00:00Z, closes: 2026-11-03T18:00:00Z } ] } }`;
const SENT = [done('send', '01:00:00'), done('send', '02:00:00')];
const OTHERS = Array.from({ length: 20 }, (_, index) => done('send', '02:00:00', '02:00:00', `${index}@example.org`));
const TWO_IN_4_HOURS = 'send.all(s, count(send, e, before(e, s) && s.started_at - e.started_at < duration("4h")) < 2)';
/** A window in the conditions of a step, and a rate in the rules: they must hold at the same times. */
const JOINT = { where: within(24), rule: apart(24) };
const EITHER = `(${SINCE} >= ${hours(1)} && ${within(2)}) || ${SINCE} >= ${hours(5)}`;
const ONE_PLACE = { recorded: 1, before: [], backup: 'times: 1' };
const MIGRATION = {
  before: [],
  action: intent('backup'),
  backup: 'times: 1',
  migrate: `times: 1, after: { backup: 1 }, where: '${SINCE} >= ${hours(2)}'`,
  rule: `migrate.all(m, backup.all(b, m.started_at - b.started_at <= ${hours(1)}))`,
};

const CASES: readonly (readonly [string, Asked, now: string, expected: string])[] = [
  ['at the end of its window', { where: `${SINCE} <= duration("1s")` }, '00:00:01', 'passes'],
  ['after its window', { where: `${SINCE} <= duration("1s")` }, '00:00:01.000001', 'violated violated'],
  ['at the start of its window', OPENS, '01:00:00', 'passes'],
  ['before its window', OPENS, '00:00:00', '02T01:00:00'],
  ['before a window that starts later', { where: `${SINCE} > ${hours(1)}` }, '00:00:00', '02T01:00:00.001000Z'],
  ['in the first of two windows', WINDOWS, '01:00:00', 'passes'],
  ['between two windows', WINDOWS, '02:00:00', '02T03:00:00'],
  ['after both windows', WINDOWS, '04:00:00.000001', 'violated violated'],
  ['too soon after another', fromBackup('>='), '02:30:00', '02T03:00:00'],
  ['late enough after another', fromBackup('>='), '03:00:00', 'passes'],
  ['early enough after another', fromBackup('<='), '03:00:00', 'passes'],
  ['too late after another', fromBackup('<='), '03:00:00.000001', 'satisfied violated'],
  ['only after the expiry', { ...OPENS, expires: '2026-11-02T00:59:59Z' }, '00:00:00', 'violated violated'],
  ['at the expiry', { ...OPENS, expires: '2026-11-02T01:00:00Z' }, '00:00:00', '02T01:00:00'],
  ['before a time that no rule names', { where: `${SINCE} - ${hours(1)} >= ${hours(1)}` }, '00:00:00', 'too early'],
  ['after one that is ahead of the clock', { where: within(2), before: AHEAD }, '01:00:00', 'passes'],
  ['after one ahead of the clock and the window', { where: within(1), before: AHEAD }, '01:00:00', 'violated violated'],
  ['if another follows', followed(1, 5), '00:30:00', '02T01:00:00'],
  ['alone only after the expiry', { ...followed(1, 2), expires: '2026-11-02T02:59:59Z' }, '00:30:00', '02T01:00:00'],
  [
    'at no time that conditions and rules share',
    { ...JOINT, before: SENT.slice(0, 1) },
    '02:00:00',
    'satisfied violated',
  ],
  ['where both hold together', { where: EITHER, rule: `send.all(p, ${after(3)})` }, '00:00:00', '02T05:00:00'],
  ['in the last recorded place of another', ONE_PLACE, '01:00:00', 'satisfied violated'],
  ['in its recorded place', { ...ONE_PLACE, action: intent('backup') }, '01:00:00', 'passes'],
  ['in another recorded place', { ...ONE_PLACE, recorded: 2 }, '01:00:00', 'passes'],
  ['in time for the next one', MIGRATION, '01:00:00', 'passes'],
  ['too early for the next one', MIGRATION, '00:30:00', '02T01:00:00'],
  [
    'before an instant that a rule names',
    { rule: 'send.all(s, s.started_at >= timestamp("2026-11-05T00:00:00Z"))' },
    '02:30:00',
    '05T00:00:00',
  ],
  ['too soon after the last', { rule: apart(1), before: SENT }, '02:30:00', '02T03:00:00'],
  [
    'too soon after the last with its argument',
    { rule: apart(3, ' || a.to != b.to'), before: [done('send', '01:00:00'), ...OTHERS] },
    '02:30:00',
    '02T04:00:00',
  ],
  ['too soon after one before the last', { rule: TWO_IN_4_HOURS, before: SENT }, '02:30:00', '02T05:00:00'],
  [
    'before an instant of a table',
    { rule: 'send.all(s, office.exists(o, s.started_at >= o.opens && s.ended_at <= o.closes))', tables: OFFICE },
    '19:00:00',
    '03T08:00:00',
  ],
];

for (const [what, asked, now, expected] of CASES) {
  test(`an action ${what}: ${expected}`, (t) => t.is(next(asked, now), expected));
}

const TIMED = ['true', within(20)];
for (const [what, before, expires] of [
  ['ended before it started', done('backup', '01:00:00', '00:30:00')],
  ['started before the plan was approved', done('backup', '01T00:00:00')],
  ['started after the plan had expired', done('backup', '01:00:00'), '2026-11-02T00:30:00Z'],
  ['started long after now', done('backup', '05:00:00')],
  ['ended long after now', done('backup', '00:00:00', '05:00:00')],
] as const) {
  test(`no action passes after one that ${what}, also under a rule about times`, (t) => {
    const more = expires === undefined ? {} : { expires };
    for (const where of TIMED) t.notRegex(next({ where, before: [before], ...more }, '02:00:00'), /^(passes|\d|satis)/);
    for (const where of TIMED) t.is(next({ where }, '02:00:00'), 'passes');
  });
}

test('the conditions and the rules of a proposal must hold at the same times', (t) => {
  const proposed = (count: number) =>
    (['plan_alignment', 'constraints'] as const).map((check) => {
      const actions = JSON.stringify(Array(count).fill(intent('send')));
      const task = { kind: 'check_proposal', check, mode: 'complete', ...asTask(planOf(JOINT)), actions } as const;
      return ask(task).judgement.verdict;
    });
  t.deepEqual(proposed(2), ['satisfied', 'satisfied']);
  t.deepEqual(proposed(3), ['satisfied', 'violated']);
});
