import test from 'ava';
import type { SolverTask } from '../../../../workers/verdict/tasks.ts';
import { ask } from '../../../models/ask-solver.ts';
import { asTask, intent, smallPlan } from '../../../models/small-plans.ts';

const STEPS = '  send: { tool: mail.send@1, times: 0..1000 }';
const mailTo = (to: string) => intent('send', to);
const mails = (count: number, to: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => mailTo(to(index)));

function propose(rules: readonly string[], actions: readonly object[], mode: 'complete' | 'prefix' = 'complete') {
  const task: SolverTask = {
    kind: 'check_proposal',
    check: 'constraints',
    mode,
    ...asTask(smallPlan({ steps: STEPS, rules })),
    actions: JSON.stringify(actions),
  };
  const answer = ask(task);
  return answer.judgement;
}

const IN_TIME = 'send.all(p, p.started_at - approved_at <= duration("72h"))';
const A_DAY =
  'send.all(a, count(send, b, b.to == a.to && b.started_at >= a.started_at && b.started_at - a.started_at < duration("24h")) <= 1)';
const APART = 'send.all(a, send.all(b, a.to != b.to || !before(a, b) || b.started_at - a.ended_at > duration("1h")))';
const FROM_DECEMBER = 'send.all(p, p.started_at >= timestamp("2026-12-01T00:00:00Z"))';

for (const mode of ['prefix', 'complete'] as const) {
  test(`1,000 actions with a window, and at most one a day to each address, can be a ${mode} run`, (t) => {
    t.is(
      propose(
        [IN_TIME, A_DAY],
        mails(1000, (index) => `${index % 500}@example.org`),
        mode,
      ).verdict,
      'satisfied',
    );
  });

  test(`200 actions that must be a day apart can be a ${mode} run, also one after the other`, (t) => {
    t.is(
      propose(
        [A_DAY],
        mails(200, (index) => `${index >> 1}@example.org`),
        mode,
      ).verdict,
      'satisfied',
    );
  });
}

test('200 actions can keep a distance from the end of the one before, or wait for a day that a rule names', (t) => {
  const actions = mails(200, (index) => `${index % 100}@example.org`);
  t.is(propose([APART], actions).verdict, 'satisfied');
  t.is(propose([FROM_DECEMBER, A_DAY], actions).verdict, 'satisfied');
});

test('a rule that is broken at any time is named, however many times are open', (t) => {
  const actions = mails(1000, (index) => `${index}@example.org`);
  const judgement = propose([IN_TIME, 'unique(send, p, p.to)'], [...actions.slice(1), mailTo('1@example.org')]);
  t.like(judgement, { verdict: 'violated', core: ['/constraints/r1'] });
});

test('times that cannot obey the rules together are ruled out', (t) => {
  const judgement = propose(
    [IN_TIME, A_DAY],
    mails(5, () => 'ann@example.org'),
  );
  t.is(judgement.verdict, 'violated');
  t.deepEqual([...judgement.core].sort(), ['/constraints/r0', '/constraints/r1']);
  t.false(judgement.reasons.some(({ code }) => code === 'SOLVER_GAVE_UP'));
});

test('a response that rules out one time does not rule out a later one', (t) => {
  const rule = 'send.all(p, (p.id == "a" && p.id == "b") || p.started_at >= timestamp("2026-12-01T00:00:00Z"))';
  t.is(propose([rule], [mailTo('ann@example.org')]).verdict, 'satisfied');
});

for (const [count, why] of [
  [150, /^no times were found that obey \/constraints\/r0, \/constraints\/r1, and none were ruled out: propose fewer/],
  [400, /^\/constraints\/r1 expands to more than \d+ nodes: propose fewer actions together, or check each before/],
] as const) {
  test(`a question about ${count} times that is too hard names its rules, and says what to do`, (t) => {
    const actions = mails(count, () => 'ann@example.org');
    const { verdict, reasons } = propose([IN_TIME, A_DAY, 'count(send) > 0'], actions);
    t.is(verdict, 'indeterminate');
    t.is(reasons[0]?.code, 'SOLVER_GAVE_UP');
    t.regex(reasons[0]?.message ?? '', why);
  });
}

test('times that are only possible after the plan has expired are ruled out', (t) => {
  const far = 'send.all(p, p.started_at - approved_at >= duration("10000h"))';
  t.is(
    propose(
      [far],
      mails(1, () => 'ann@example.org'),
    ).verdict,
    'violated',
  );
  t.is(
    propose(
      [A_DAY],
      mails(450, () => 'ann@example.org'),
      'complete',
    ).verdict === 'satisfied',
    false,
  );
});
