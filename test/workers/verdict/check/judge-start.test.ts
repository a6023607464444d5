import test from 'ava';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { APPROVED, invoices, paymentPlan, paymentRun, TRANSFER_TEXT, tableOf } from '../../../models/payment-plan.ts';
import { preflightLater } from '../../../models/preflight-later.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const ROWS = invoices(40).slice(-3);
const [APPROVE] = paymentRun(ROWS);
const { response: _, started_at: __, ended_at: ___, ...PAY } = Object(paymentRun(ROWS).at(-1));

/** A time on the day on which the plan is approved, at 0:00. */
const at = (time: string) => `2026-11-02T${time}Z`;
const HOUR = 3_600_000_000;
const duration = (microseconds: number) => ['duration', `${microseconds}`];
const SINCE = ['-', ['started'], ['run', 'approved_at']];
const since = (operator: string, microseconds: number) => [operator, SINCE, duration(microseconds)];

interface Asked {
  /** A condition of the payment, or a rule of the plan. */
  readonly where?: readonly unknown[];
  readonly rule?: readonly unknown[];
  readonly now: string;
  /** When the invoice was approved. */
  readonly before?: string;
  /** When the approval of the invoice has ended, if later. */
  readonly ended?: string;
  readonly expires?: string;
}

/** The verdicts on a payment after an approval of its invoice, and the time from which it passes. */
function ask({ where, rule, now, before = at('00:00:00.000000'), ended = before, expires }: Asked) {
  const plan = paymentPlan(ROWS, expires === undefined ? {} : { expires_at: expires });
  const conditions = where === undefined ? [] : [{ id: 'window', expr: where }];
  const steps = plan.steps.map((step) => ({
    ...step,
    where: step.step_id === 'pay' ? conditions : step.where,
  }));
  const constraints = rule === undefined ? [] : [{ id: 'window', expr: rule }];
  const {
    alignment,
    constraints: rules,
    passesFrom,
  } = preflightLater(
    {
      plan: { ...plan, steps, constraints },
      sheets: [],
      tools: [TRANSFER_TEXT],
      tables: [tableOf(ROWS)],
      done: [{ ...APPROVE, started_at: before, ended_at: ended }],
      action: PAY,
      runContext: { approvals: APPROVED },
      now,
    },
    by,
  );
  return [alignment.verdict, rules.verdict, passesFrom];
}

const PASSES = ['satisfied', 'satisfied', undefined];

test('an action is refused after its window has closed', (t) => {
  const where = since('<=', 1_000_000);
  t.deepEqual(ask({ where, now: at('00:00:01.000000') }), PASSES);
  t.deepEqual(ask({ where, now: at('00:00:01.000001') }), ['violated', 'violated', undefined]);
});

test('an action whose window has not opened is told the first whole millisecond of the schedule', (t) => {
  const now = at('00:00:00.000000');
  t.deepEqual(ask({ where: since('>=', HOUR), now: at('01:00:00.000000') }), PASSES);
  t.deepEqual(ask({ where: since('>=', HOUR), now }), ['satisfied', 'satisfied', at('01:00:00.000000')]);
  t.deepEqual(ask({ where: since('>', HOUR), now }), ['satisfied', 'satisfied', at('01:00:00.001000')]);
});

test('between two windows, an action passes from the second one on', (t) => {
  const second = ['and', since('>=', 3 * HOUR), since('<=', 4 * HOUR)];
  const where = ['or', since('<=', HOUR), second];
  t.deepEqual(ask({ where, now: at('01:00:00.000000') }), PASSES);
  t.deepEqual(ask({ where, now: at('02:00:00.000000') }), ['satisfied', 'satisfied', at('03:00:00.000000')]);
  t.is(ask({ where, now: at('04:00:00.000001') })[0], 'violated');
});

test('a rule of the plan can make an action too early or too late', (t) => {
  const between = ['-', ['started', 'p'], ['ended', 'a']];
  const rule = (operator: string) => [
    'forall',
    'pay',
    'p',
    ['exists', 'approve', 'a', [operator, between, duration(HOUR)]],
  ];
  const before = at('02:00:00.000000');
  t.deepEqual(ask({ rule: rule('>='), before, now: at('02:30:00.000000') }), [
    'satisfied',
    'satisfied',
    at('03:00:00.000000'),
  ]);
  t.deepEqual(ask({ rule: rule('>='), before, now: at('03:00:00.000000') }), PASSES);
  t.deepEqual(ask({ rule: rule('<='), before, now: at('03:00:00.000000') }), PASSES);
  t.is(ask({ rule: rule('<='), before, now: at('03:00:00.000001') })[1], 'violated');
});

test('an action that passes only after the plan has expired is refused for good', (t) => {
  const now = at('00:00:00.000000');
  const [before, after] = [at('00:59:59.999000'), at('01:00:00.000000')];
  t.deepEqual(ask({ where: since('>=', HOUR), now, expires: before }), ['violated', 'violated', undefined]);
  t.deepEqual(ask({ where: since('>=', HOUR), now, expires: after }), ['satisfied', 'satisfied', after]);
});

test('an action that is too early has no time if none that the rules name is late enough', (t) => {
  const twice = ['>=', ['-', SINCE, duration(HOUR)], duration(HOUR)];
  t.deepEqual(ask({ where: twice, now: at('00:00:00.000000') }), ['satisfied', 'satisfied', null]);
});

test('an action that was reported with a time ahead of the clock is followed by one at that time', (t) => {
  const before = at('01:00:00.200000');
  t.deepEqual(ask({ where: since('<=', 2 * HOUR), now: at('01:00:00.000000'), before }), PASSES);
  t.is(ask({ where: since('<=', HOUR), now: at('01:00:00.000000'), before })[0], 'violated');
});

test('the time from which an action passes is the first one, whatever actions follow', (t) => {
  const inStart = (name: string, operator: string, microseconds: number) => [
    operator,
    ['-', ['started', name], ['run', 'approved_at']],
    duration(microseconds),
  ];
  const followed = ['exists', 'pay', 'q', ['and', ['before', 'p', 'q'], inStart('q', '>=', 5 * HOUR)]];
  const rule = [
    'forall',
    'pay',
    'p',
    ['or', inStart('p', '>=', 3 * HOUR), ['and', inStart('p', '>=', HOUR), followed]],
  ];
  // At 1:00 it passes, if another one follows after 5:00.
  t.deepEqual(ask({ rule, now: at('00:30:00.000000') }), ['satisfied', 'satisfied', at('01:00:00.000000')]);
});

const TIMED = [{}, { where: since('<=', 20 * HOUR) }];
for (const [what, asked] of [
  ['ended before it started', { before: at('01:00:00.000000'), ended: at('00:30:00.000000') }],
  ['started before the plan was approved', { before: '2026-11-01T00:00:00.000000Z' }],
  ['started after the plan had expired', { before: at('01:00:00.000000'), expires: at('00:30:00.000000') }],
  ['started long after now', { before: at('05:00:00.000000') }],
  ['ended long after now', { ended: at('05:00:00.000000') }],
] as const) {
  test(`no action passes after one that ${what}, also under a rule about times`, (t) => {
    for (const where of TIMED) t.not(ask({ ...asked, ...where, now: at('02:00:00.000000') })[0], 'satisfied');
  });
}

test('an action passes after one whose times are in order, also under a rule about times', (t) => {
  for (const where of TIMED) t.is(ask({ ...where, now: at('02:00:00.000000') })[0], 'satisfied');
});

test('an action that passes before the expiry if others follow has a time, though alone it passes only after it', (t) => {
  const inStart = (name: string, microseconds: number) => [
    '>=',
    ['-', ['started', name], ['run', 'approved_at']],
    duration(microseconds),
  ];
  const followed = ['exists', 'pay', 'q', ['and', ['before', 'p', 'q'], inStart('q', 2 * HOUR)]];
  const rule = ['forall', 'pay', 'p', ['or', inStart('p', 3 * HOUR), ['and', inStart('p', HOUR), followed]]];
  t.deepEqual(ask({ rule, now: at('00:30:00.000000'), expires: at('02:59:59.000000') }), [
    'satisfied',
    'satisfied',
    at('01:00:00.000000'),
  ]);
});
