import test from 'ava';
import type { Plan } from '../../../../workers/plan/plan.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { decide } from '../../../../workers/verdict/decide/decide.ts';
import { placed } from '../../../../workers/verdict/run/placed-action.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { abstractionProblem } from '../../../../workers/verdict/search/abstraction.ts';
import { judgeCompletion } from '../../../../workers/verdict/search/complete-run.ts';
import { allowancesOf } from '../../../../workers/verdict/search/continuations.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { fc } from '../../../kit/fast-check.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { looked, outlookPlan, paid } from '../../../models/outlook-plan.ts';
import { APPROVALS, actionsOf, documentOf, drawCase } from '../../../models/relational/draw-case.ts';
import { canBeCompleted } from '../../../models/relational/judge-case.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

type Parts = Parameters<typeof outlookPlan>[0];
const LOOK = 'look: { tool: look@1, times: 0..2 }';

function decisionOn(plan: Plan, done: readonly unknown[], approvals?: typeof APPROVALS) {
  const actions = readActions(done, plan);
  const beginning = { plan, done: placed(actions), runContext: approvals && { approvals } };
  return decide(abstractionProblem(beginning, allowancesOf(plan, actions)), by);
}

/** The rules that contradict each other. Undefined if there is an outline. */
function coreOf(parts: Parts, done: readonly unknown[] = []): readonly string[] | undefined {
  const decision = decisionOn(outlookPlan(parts), done);
  if (decision.verdict === 'satisfied') return undefined;
  if (decision.verdict !== 'violated') throw new Error(decision.verdict);
  return decision.core.toSorted();
}

test('an outline never rules out a run that exists', (t) => {
  let [completed, ruledOut] = [0, 0];
  for (let seed = 0; seed < 150; seed++) {
    const source = drawCase(8402_000 + seed, { hasTimes: false, most: 2 });
    const found = canBeCompleted(source);
    if (found === undefined) continue;
    const { verdict } = decisionOn(readPlan(documentOf(source)), actionsOf(source), APPROVALS);
    if (found) t.is(verdict, 'satisfied', `seed ${seed}`);
    if (found) completed += 1;
    else if (verdict === 'violated') ruledOut += 1;
  }
  t.true(completed > 20 && ruledOut > 20, `${completed} and ${ruledOut}`);
});

test('a step is done as often as it must', (t) => {
  t.deepEqual(coreOf({ pay: 'times: 2..4', rules: ['count(pay) < 2'] }), ['/completion/pay/min', '/constraints/r0']);
  t.is(coreOf({ pay: 'times: 2..4', rules: ['count(pay) < 3'] }), undefined);
  t.deepEqual(coreOf({ pay: 'times: 2..4', rules: ['count(pay) < 2'] }, [paid()]), [
    '/completion/pay/min',
    '/constraints/r0',
  ]);
  t.is(coreOf({ pay: 'times: 2..4', rules: ['count(pay) < 3'] }, [paid(), paid()]), undefined);
  t.deepEqual(coreOf({ pay: 'times: 0..4', rules: ['count(pay) > 4'] }), ['/constraints/r0']);
  t.deepEqual(coreOf({ pay: 'times: 0..4', rules: ['count(pay) > 4'] }, [paid()]), ['/constraints/r0']);
});

test('a step follows those that it waits for', (t) => {
  const waits = { pay: 'times: 0..4, after: { look: 2 }', steps: LOOK };
  const rules = (...all: readonly string[]) => ({ ...waits, rules: all });
  t.deepEqual(coreOf(rules('count(pay) > 0', 'count(look) < 2')), [
    '/completion/pay/after/look',
    '/constraints/r0',
    '/constraints/r1',
  ]);
  t.is(coreOf(rules('count(look) < 2')), undefined);
  t.is(coreOf(rules('count(pay) > 0')), undefined);
  t.is(coreOf(rules('count(pay) > 0', 'count(look) < 3'), [looked(), looked()]), undefined);
  t.deepEqual(coreOf(rules('count(pay) > 0', 'count(look) < 2'), [looked()]), [
    '/completion/pay/after/look',
    '/constraints/r0',
    '/constraints/r1',
  ]);
});

test('a step does not follow one before which it must be done', (t) => {
  const parts = { pay: 'times: 0..4, after: { look: if_done }', steps: 'look: { tool: look@1, times: 1..2 }' };
  t.is(coreOf(parts), undefined);
  t.is(coreOf(parts, [looked(), paid()]), undefined);
  t.deepEqual(coreOf(parts, [paid()]), ['/completion/look/min', '/completion/look/order/pay']);
});

test('what a run still needs is within the recorded actions of the plan', (t) => {
  t.deepEqual(coreOf({ pay: 'times: 3..4', recorded: 2 }, [paid()]), ['/max_recorded']);
  t.is(coreOf({ pay: 'times: 3..4', recorded: 3 }, [paid()]), undefined);
  t.is(coreOf({ pay: 'times: 0..4', recorded: 2 }, [paid(), paid()]), undefined);
});

test('one action meets the conditions of its step, if any follows', (t) => {
  const where = `where: { low: 'args.n < 1', high: 'args.n > 1' }`;
  t.is(coreOf({ pay: `times: 0..4, ${where}` }), undefined);
  t.is(coreOf({ pay: `times: 1..4, ${where}` })?.includes('/completion/pay/min'), true);
  t.is(coreOf({ pay: `times: 1..4, where: 'args.n < 1'` }), undefined);
});

const state = 'left: { type: "int(0..40)", initial: 10 }';
const PAYS = 'effects: { left: state.left - args.n }';

test('the first action meets its conditions in the state that is known', (t) => {
  const needs = (where: string, more: Parts = {}, done: readonly unknown[] = []) =>
    coreOf({ state, steps: LOOK, pay: `times: 1..4, ${PAYS}, where: '${where}'`, ...more }, done);
  t.deepEqual(needs('state.left < 10'), ['/completion/pay/first', '/completion/pay/min']);
  t.is(needs('state.left <= 10'), undefined);
  t.deepEqual(needs('state.left > 8', { pay: `times: 2..4, ${PAYS}, where: 'state.left > 8'` }, [paid({ n: 3 })]), [
    '/completion/pay/first',
    '/completion/pay/min',
  ]);
});

test('another step may change the state before, if it is done', (t) => {
  const steps = 'look: { tool: look@1, times: 0..2, effects: { left: state.left - args.n } }';
  const needs = (rules: readonly string[], where = 'state.left < 10') =>
    coreOf({ state, steps, pay: `times: 1..4, where: '${where}'`, rules });
  t.is(needs([]), undefined);
  t.deepEqual(needs(['count(look) == 0']), ['/completion/pay/first', '/completion/pay/min', '/constraints/r0']);
  const other = {
    state: `${state}, other: { type: "int(0..40)", initial: 10 }`,
    steps: 'look: { tool: look@1, times: 0..2, effects: { other: state.other - args.n } }',
    pay: `times: 1..4, where: 'state.left < 10'`,
  };
  t.deepEqual(coreOf(other), ['/completion/pay/first', '/completion/pay/min'], 'it changes another state');
});

test('a table that a condition goes through is no state that has its name', (t) => {
  const core = coreOf({
    state: `${state}, approved: { type: "int(0..40)", initial: 10 }`,
    steps: 'look: { tool: look@1, times: 0..2, effects: { approved: state.approved - args.n } }',
    pay: `times: 1..4, where: 'state.left < 10 && approved.exists(a, a.amount > args.n)'`,
  });
  t.deepEqual(core, ['/completion/pay/first', '/completion/pay/min']);
});

test('an argument that a condition reads is no state that has its name', (t) => {
  const core = coreOf({
    state: `${state}, n: { type: "int(0..40)", initial: 10 }`,
    steps: 'look: { tool: look@1, times: 0..2, effects: { n: state.n - args.n } }',
    pay: `times: 1..4, where: 'state.left < 10 && args.n < 3'`,
  });
  t.deepEqual(core, ['/completion/pay/first', '/completion/pay/min']);
});

test('another step may change a map before', (t) => {
  const maps = { state: 'sent: "map(string(64), int(0..9), default 0)"' };
  const pay = `times: 1..4, where: 'state.sent["A"] > 0'`;
  const sends = (step: string) => `${step}, effects: { "sent[\\"A\\"]": 'state.sent["A"] + 1' }`;
  const steps = `look: { tool: look@1, times: 0..2 }`;
  t.deepEqual(coreOf({ ...maps, steps, pay }), ['/completion/pay/first', '/completion/pay/min']);
  t.deepEqual(coreOf({ ...maps, steps, pay: sends(pay) }), ['/completion/pay/first', '/completion/pay/min']);
  t.is(coreOf({ ...maps, steps: `look: { ${sends('tool: look@1, times: 0..2')} }`, pay }), undefined);
});

test('a map that no action changes is as it was, at the end', (t) => {
  const maps = { state: 'sent: "map(string(64), int(0..9), default 0)"', rules: ['state.sent["A"] > 0'] };
  t.deepEqual(coreOf(maps), ['/constraints/r0']);
  t.is(
    coreOf({ ...maps, pay: `times: 0..4, effects: { "sent[args.invoice]": 'state.sent[args.invoice] + 1' }` }),
    undefined,
  );
});

test('the state at the end is what actions add', (t) => {
  const ends = (...rules: readonly string[]) => coreOf({ state, pay: `times: 0..4, ${PAYS}`, rules });
  t.is(ends('state.left == 10 - sum(pay, p, p.n)'), undefined);
  t.deepEqual(ends('state.left != 10 - sum(pay, p, p.n)'), ['/constraints/r0']);
  t.deepEqual(ends('state.left > 10'), ['/constraints/r0']);
  t.deepEqual(ends('state.left < 0'), ['/completion/final/state/left', '/constraints/r0']);
  const done = (rule: string) => coreOf({ state, pay: `times: 0..4, ${PAYS}`, rules: [rule] }, [paid({ n: 3 })]);
  t.is(done('state.left == 7'), undefined);
  t.deepEqual(done('state.left == 8'), ['/constraints/r0']);
});

test('the state at the end is within its type', (t) => {
  const poor = (pay: string) =>
    coreOf({ state: 'left: { type: "int(0..5)", initial: 5 }', pay: `times: 2..4, ${PAYS}, ${pay}` });
  t.is(poor(`where: 'args.n <= 3'`), undefined);
  t.true(poor(`where: 'args.n >= 3'`)?.includes('/completion/final/state/left'));
  const rich = coreOf({
    state: 'left: { type: "int(0..5)", initial: 5 }',
    pay: `times: 1..4, effects: { left: state.left + args.n }, where: 'args.n >= 1'`,
  });
  t.true(rich?.includes('/completion/final/state/left'));
});

test('several steps add to the same state', (t) => {
  const both = (rule: string) =>
    coreOf({
      state,
      pay: `times: 0..4, ${PAYS}`,
      steps: 'look: { tool: look@1, times: 0..2, effects: { left: state.left + args.n * 2 } }',
      rules: [rule],
    });
  t.is(both('state.left > 10'), undefined);
  t.deepEqual(both('state.left > 22'), ['/constraints/r0']);
  t.deepEqual(both('state.left != 10 - sum(pay, p, p.n) + 2 * sum(look, l, l.n)'), ['/constraints/r0']);
});

for (const effect of ['min(state.left, args.n)', 'args.n', 'state.left + state.left', 'args.n + args.n']) {
  test(`a state that becomes ${effect} is any of its type, if an action follows`, (t) => {
    const ends = (...rules: readonly string[]) =>
      coreOf({
        state: `${state}, other: { type: "int(0..40)", initial: 1 }`,
        pay: `times: 0..4, effects: { left: '${effect}' }`,
        rules,
      });
    t.is(ends('state.left == 20'), undefined);
    t.deepEqual(ends('state.left == 20', 'count(pay) == 0'), ['/constraints/r0', '/constraints/r1']);
    t.is(ends('state.left == 10', 'count(pay) == 0'), undefined);
    t.deepEqual(ends('state.left > 40'), ['/constraints/r0']);
  });
}

test('a state is at most what bounded amounts can add to it', (t) => {
  const ends = (effect: string, rule: string) =>
    coreOf({
      state: `${state}, other: { type: "int(0..3)", initial: 1 }`,
      pay: `times: 0..4, effects: { left: '${effect}' }`,
      rules: [rule],
    });
  for (const [effect, most] of [
    ['state.left + args.n / 2', 14],
    ['state.left + state.other', 14],
  ] as const) {
    t.is(ends(effect, `state.left == ${most}`), undefined, effect);
    t.deepEqual(ends(effect, `state.left > ${most}`), ['/constraints/r0'], effect);
  }
});

test('rules about actions that were done are among those of the outline', (t) => {
  const rules = ['pay.all(p, p.n < 3)'];
  t.deepEqual(coreOf({ rules }, [paid({ n: 3 })]), ['/constraints/r0']);
  t.is(coreOf({ rules }, [paid({ n: 2 })]), undefined);
  t.deepEqual(
    coreOf({ state: 'left: { type: "int(0..5)", initial: 2 }', pay: `times: 0..4, ${PAYS}` }, [paid({ n: 3 })]),
    ['/actions/0/state/left'],
  );
});

for (const body of ['l.n', 'l.n * 2 + 1', 'max(l.n, 0)', 'l.response.open', 'max(l.response.open, 0)']) {
  test(`a sum of ${body} over other actions is not one of their own numbers`, (t) => {
    const parts = {
      tables: '',
      steps: LOOK,
      pay: `times: 2..4, where: 'args.n >= 2'`,
      rules: [`look.all(l, sum(pay, p, ${body}) <= 3)`, 'count(pay) == 3'],
    };
    t.is(coreOf(parts, [looked(0)]), undefined);
    const plan = outlookPlan(parts);
    t.is(judgeCompletion({ plan, actions: readActions([looked(0)], plan) }, by).verdict, 'satisfied');
  });
}

interface Pay {
  readonly n: number;
  readonly flag: boolean;
}
type Compared = (value: number | undefined) => boolean;
type InPair<T> = readonly [text: string, of: (pay: Pay, look: number) => T];

const PAYS_OF_RUN: readonly Pay[] = [0, 1, 2, 3].flatMap((n) => [false, true].map((flag) => ({ n, flag })));
const PAIRS = PAYS_OF_RUN.flatMap((one, at) => PAYS_OF_RUN.slice(at).map((other) => [one, other]));
const SMALL_RUNS = [undefined, 0, 1, 2, 3].flatMap((look) =>
  [[], ...PAYS_OF_RUN.map((one) => [one]), ...PAIRS].map((pays) => ({ look, pays })),
);
const NUMBERS: readonly InPair<number>[] = [
  ['p.n', ({ n }) => n],
  ['l.n', (_, look) => look],
  ['p.n - l.n', ({ n }, look) => n - look],
  ['max(p.n, l.n)', ({ n }, look) => Math.max(n, look)],
  ['l.n * 2 + 1', (_, look) => look * 2 + 1],
];
const TRUTHS: readonly InPair<boolean>[] = [
  ['p.flag', ({ flag }) => flag],
  ['p.n > l.n', ({ n }, look) => n > look],
  ['l.n > 1', (_, look) => look > 1],
  ['p.n == 2', ({ n }) => n === 2],
];
const COMPARED = fc
  .tuple(fc.constantFrom('<=', '>=', '=='), fc.integer({ min: -1, max: 5 }))
  .map(([sign, bound]): readonly [string, Compared] => [
    `${sign} ${bound}`,
    (value) =>
      value !== undefined && (sign === '<=' ? value <= bound : sign === '>=' ? value >= bound : value === bound),
  ]);

/** A rule about the payments, for some look: its text, and its meaning. */
type Inner = readonly [string, (pays: readonly Pay[], look: number) => boolean];
const inner: fc.Arbitrary<Inner> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('sum', 'least', 'greatest'),
      fc.constantFrom(...NUMBERS),
      fc.constantFrom(...TRUTHS),
      COMPARED,
    )
    .map(
      ([word, [number, of], [condition, meets], [comparison, holds]]): Inner => [
        `${word}(pay, p, ${number}, ${condition}) ${comparison}`,
        (pays, look) => {
          const values = pays.filter((pay) => meets(pay, look)).map((pay) => of(pay, look));
          if (word === 'sum') return holds(values.reduce((sum, value) => sum + value, 0));
          return holds(values.length === 0 ? undefined : Math[word === 'least' ? 'min' : 'max'](...values));
        },
      ],
    ),
  fc
    .tuple(fc.constantFrom(...NUMBERS), COMPARED)
    .map(
      ([[number, of], [comparison, holds]]): Inner => [
        `sum(pay, p, ${number}) ${comparison}`,
        (pays, look) => holds(pays.reduce((sum, pay) => sum + of(pay, look), 0)),
      ],
    ),
  fc
    .tuple(fc.constantFrom(...TRUTHS), fc.constantFrom('all', 'exists'))
    .map(
      ([[truth, is], word]): Inner => [
        `pay.${word}(p, ${truth})`,
        (pays, look) => (word === 'all' ? pays.every((pay) => is(pay, look)) : pays.some((pay) => is(pay, look))),
      ],
    ),
  fc
    .constantFrom(...NUMBERS)
    .map(
      ([number, of]): Inner => [
        `unique(pay, p, ${number})`,
        (pays, look) => new Set(pays.map((pay) => of(pay, look))).size === pays.length,
      ],
    ),
);

test('rules about pairs of actions never rule out a run that exists', (t) => {
  let [existing, ruledOut] = [0, 0];
  const rule = fc.tuple(fc.constantFrom('all', 'exists'), inner);
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 3 }), fc.nat(1), fc.nat(2), (rules, looks, pays) => {
      const exists = SMALL_RUNS.some(
        (run) =>
          (run.look === undefined ? 0 : 1) >= looks &&
          run.pays.length >= pays &&
          rules.every(([word, [, holds]]) => {
            if (run.look === undefined) return word === 'all';
            return holds(run.pays, run.look);
          }),
      );
      const core = coreOf({
        tables: '',
        pay: `times: ${pays}..2`,
        steps: `look: { tool: look@1, times: ${looks}..1 }`,
        rules: rules.map(([word, [text]]) => `look.${word}(l, ${text})`),
      });
      if (exists) existing += 1;
      else if (core !== undefined) ruledOut += 1;
      return !exists || core === undefined;
    }),
    { numRuns: 60 },
  );
  t.true(existing > 15 && ruledOut > 2, `${existing} and ${ruledOut}`);
});
