import test from 'ava';
import { ask } from '../../../models/ask-solver.ts';
import { brokenIn, check, FAILED, pay, planOf, type Report, restart, UNKNOWN, verify, wire } from './outcome-acts.ts';

// What acts without a response do to steps, evidence, limits, messages and what may follow.

test('a step that waits for another one waits for an act that is done and has ended', (t) => {
  restart();
  const plan = planOf([], { steps: 'after: check' });
  const runs = [[check('a', FAILED)], [check('a', UNKNOWN)], [check('a'), check('b', UNKNOWN)]];
  t.deepEqual(
    runs.map((before) => brokenIn(plan, [...before, pay('a', '1.00')])),
    [['/actions/1/after/check'], ['/actions/1/after/check'], []],
  );
});

test('evidence of an act without a response is not asked, and is compared with the arguments', (t) => {
  restart();
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
  restart();
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
    'that was done before',
    [],
    () => [pay('a', '1.00', { key: 'k' })],
    () => pay('a', '1.00', { key: 'k' }),
    'violated',
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
    restart();
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
  restart();
  const plan = planOf([], { steps: 'after: { check: 2 }' });
  const said = (before: readonly object[]) =>
    verify(plan, [...before, pay('a', '1.00')]).all[0]?.reasons.map(({ message }) => message);
  t.deepEqual(said([check('a')]), ['needs 2 of check that are done before, and has 1']);
  t.deepEqual(said([check('a'), check('b', FAILED)]), ['needs 2 of check that are done before, and has 1']);
  restart();
  const late = [check('a'), check('b', { to: 9 })];
  t.deepEqual(said(late), ['action 2 of the run has not ended before: wait for its end']);
});

test('an attempt of unknown outcome shares its states until the act is done', (t) => {
  const plan = planOf([], { steps: 'effects: { paid: state.paid + 1 }' });
  const [unknown, failed, done] = [UNKNOWN, FAILED, {}].map((one) => () => pay('a', '1.00', { ...one, key: 'k' }));
  const other = () => pay('b', '1.00', { key: 'j' });
  for (const [run, broken] of [
    [[unknown, done, other], []],
    [[unknown, other, done], ['/actions/1/overlap/paid']],
    [[failed, other, done], []],
    [[failed, unknown, other], ['/actions/2/overlap/paid']],
    [[done, unknown, other], []],
  ] as const) {
    restart();
    const actions = run.map((report) => report?.() ?? {});
    t.deepEqual(brokenIn(plan, actions), broken, JSON.stringify(actions));
  }
});
