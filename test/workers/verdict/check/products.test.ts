import test from 'ava';
import type { Verdict } from '../../../../workers/verdict/run/judgement.ts';
import { ask, documentsOf } from '../../../models/ask-solver.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

const TOOLS = toolsIn(`tools:
  buy@1.0.0: { effect: write, args: { price: "decimal(2, 0..1000.00)", rate: decimal(3), quantity: "int(0..9)", total: decimal(2), n: int }, responds: { fee: decimal(2) } }
`);
const planOf = (rule: string, more = '') =>
  documentsOf(
    `plan: X
expires: 2026-12-05T00:00:00Z
recorded: 9
state: { spent: 0.00 }
steps: { buy: { tool: buy@1, times: 1..3${more} } }
rules: { r: ${JSON.stringify(rule)} }
`,
    TOOLS,
  );
const ARGS = { price: '10.00', rate: '0.125', quantity: 4, total: '40.00', n: '0' };
const buy = (over: Partial<Record<keyof typeof ARGS, string | number>> = {}) => ({
  ...{ step_id: 'buy', tool: 'buy', tool_version: '1.0.0', args: { ...ARGS, ...over } },
});

const SUM = 'sum(buy, p, p.price * p.quantity) <= 100.00';
const TOTAL = 'buy.all(p, p.total == p.price * p.quantity)';
const SQUARE = 'buy.all(p, p.n * p.n > 0)';
const SPENT = 'state.spent <= 50.00';
const SPENDS = ', effects: { spent: state.spent + args.price * args.quantity }';
const of1 = (said: string) => `is not met: for action 1 of the run, ${said}`;
const OPEN = 'a product of two values that are not known yet';

/** Rules, actions, and what is said: nothing if the run obeys the rules. */
for (const [rule, actions, verdict, said, more] of [
  [SUM, [buy(), buy({ price: '20.00', quantity: 3 })], 'satisfied'],
  [SUM, [buy(), buy({ price: '20.01', quantity: 3 })], 'violated', 'is not met: 100.03 <= 100.00 is false'],
  [TOTAL, [buy()], 'satisfied'],
  [TOTAL, [buy({ total: '40.01' })], 'violated', of1('40.01 == 40.00 is false')],
  ['buy.all(p, p.price * p.rate <= 1.24999)', [buy()], 'violated', of1('1.25000 <= 1.24999 is false')],
  ['sum(buy, p, p.price) * sum(buy, p, p.quantity) == 160.00', [buy(), buy()], 'satisfied'],
  // 38 digits are a value, 39 are none. What is broken without a value is not true, whatever it compares.
  [SQUARE, [buy({ n: '9999999999999999999' })], 'satisfied'],
  [SQUARE, [buy({ n: '10000000000000000000' })], 'violated', 'has no value: a product has more than 38 digits'],
  [
    SQUARE.replace('>', '<'),
    [buy({ n: '-10000000000000000000' })],
    'violated',
    'has no value: a product has more than 38 digits',
  ],
  [SPENT, [buy()], 'satisfied', '', SPENDS],
  [SPENT, [buy(), buy({ quantity: 2 })], 'violated', 'is not met: 60.00 <= 50.00 is false', SPENDS],
  // The fee is not known yet.
  ['buy.all(p, p.fee * p.quantity * p.price < p.fee * 40.00)', [buy()], 'violated', 'a rule of the plan is broken'],
  ['buy.all(p, p.fee * p.fee >= 0.00)', [buy()], 'satisfied'],
  [`buy.all(p, p.n * p.fee > ${'9'.repeat(36)}.99)`, [buy({ n: '10' })], 'violated', 'a rule of the plan is broken'],
  ['buy.all(p, p.fee * p.fee == 2.00)', [buy()], 'indeterminate', OPEN],
  ['buy.all(p, p.fee * p.fee == 2.00 && p.started_at > approved_at)', [buy()], 'indeterminate', OPEN],
] as readonly [string, object[], Verdict, string?, string?][]) {
  test(`${rule} ${more ?? ''}: of ${JSON.stringify(actions)} is said: ${said}`, (t) => {
    const plan = planOf(rule, more);
    const task = { kind: 'check_proposal', check: 'constraints', mode: 'complete', ...plan } as const;
    const { judgement } = ask({ ...task, actions: JSON.stringify(actions) });
    t.is(judgement.verdict, verdict);
    t.is(judgement.reasons.map(({ message }) => message).join(), said ?? '');
    if (said === OPEN) t.is(judgement.reasons[0]?.path, '/constraints/r');
  });
}

/** What the agent does not know yet. */
const NEXT = `no run was found that obeys /constraints/r (${OPEN}), and none was ruled out`;

for (const [rule, verdict, lint] of [
  [SUM, 'satisfied'],
  [TOTAL, 'satisfied'],
  ['sum(buy, p, p.price * p.quantity) == 95.00', 'satisfied'],
  ['sum(buy, p, p.price * p.quantity) >= 5000.00', 'satisfied'],
  ['sum(buy, p, p.price * p.quantity) < 0.00', 'vacuous'],
  ['buy.all(p, p.n * p.n == 2)', 'indeterminate', NEXT],
] as readonly [string, Verdict, string?][]) {
  test(`a plan with ${rule} is ${verdict}, and may be proposed`, (t) => {
    const { judgement, lint: found, fault } = ask({ kind: 'propose', ...planOf(rule) });
    t.is(fault, undefined);
    t.is(judgement.verdict, verdict);
    const undecided = found.filter(({ code }) => code === 'NOT_DECIDED').map(({ message }) => message);
    t.is(undecided.length, lint === undefined ? 0 : 1);
    t.true(undecided.join().includes(lint ?? ''), undecided.join());
  });
}

test('before an action whose factors are known, its product is known', (t) => {
  const next = (price: string) => {
    const task = {
      kind: 'preflight',
      ...planOf(SUM),
      done: '[]',
      action: JSON.stringify(buy({ price, quantity: 9 })),
    } as const;
    const { constraints, slacks } = ask(task);
    return [constraints.verdict, slacks[0]?.slack];
  };
  t.deepEqual(next('10.00'), ['satisfied', '10.00']);
  t.deepEqual(next('11.12'), ['violated', '-0.08']);
});
