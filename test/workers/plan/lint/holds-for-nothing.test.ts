import test from 'ava';
import { rulesForNothing } from '../../../../workers/plan/lint/holds-for-nothing.ts';
import { payPlan, ruleOf } from '../../../models/pay-plan.ts';
import { partsOf, rowsOf } from '../../../models/trees.ts';

/** Rules between ` & `, about payments and what a look or a payment `sign` found; the numbers of those that hold for nothing. */
const CASES = `
look.all(l, l.open > 0) ⇒ 0
pay.all(p, p.n <= 2) & look.all(l, l.open > 0) ⇒ 1
state.left == 1 || look.all(l, l.open > 0) ⇒ 0
state.left == 1 ? look.all(l, l.open > 0) : state.left > 2 ⇒ 0
count(pay) > 1 && look.all(l, l.open > 0) ⇒ 0
!look.exists(l, l.open == 0) ⇒ 0
count(look, l, l.open == 0) == 0 ⇒ 0
count(look, l, l.open == 0) < 1 ⇒ 0
count(look, l, l.open > 0) == count(look) ⇒ 0
count(look, l, l.open == 0) * 2 <= count(look) ⇒ 0
count(look, l, l.open == 0) * count(look) <= 0 ⇒ 0
count(look) - count(look, l, l.open > 0) == 0 ⇒ 0
given: zero: 0; rules: count(look, l, l.open == 0) <= zero ⇒ 0
unique(look, l, l.open) ⇒ 0
look.exists(l, l.n == 1) || look.all(l, l.open > 0) ⇒ 0
pay.all(p, look.all(l, l.n == p.n)) ⇒ 0
pay.all(p, look.all(l, l.n == p.n && l.open > 0)) ⇒ 0
pay.all(p, p.n < 1 || look.all(l, l.n != p.n || l.open > 0)) ⇒ 0
approved.all(a, look.all(l, l.n != a.amount || l.open > 0)) ⇒ 0
pay.all(p, !look.exists(l, l.n == p.n && l.open == 0)) ⇒ 0
pay.all(p, sign.all(s, s.invoice == p.invoice && before(s, p))) ⇒ 0
pay.all(p, sign.all(s, s.invoice != p.invoice || s.fee > 2)) ⇒ 0
look: times: 1..3; rules: look.all(l, l.open > 0) ⇒
look: times: 1..3; rules: pay.all(p, look.all(l, l.n == p.n && l.open > 0)) ⇒
look: times: 1..3; rules: pay.all(p, look.all(l, l.n != p.n || l.open > 0)) ⇒ 0
look: times: 1..3; rules: pay.all(p, !look.exists(l, l.n == p.n && l.open == 0)) ⇒ 0
look: times: 1..3; rules: look.all(l, look.all(m, l.n != m.n || l.open == m.open)) ⇒
look: times: 1..3; rules: pay.all(p, count(look, l, l.n == p.n && l.open == 0) == 0) & count(look) > 1 ⇒ 0
look: times: 1..3; rules: pay.all(p, look.all(l, l.n != p.n || l.open > 0) && look.exists(l, l.n == p.n)) ⇒
pay: times: 0..4, after: look; rules: look.all(l, l.open > 0) ⇒
pay: times: 0..4, after: { look: if_done }; rules: look.all(l, l.open > 0) ⇒ 0
pay: times: 0..4, after: look; rules: pay.all(p, look.all(l, l.n != p.n || l.open > 0)) ⇒ 0
look.all(l, l.open > 0) & count(look) >= 1 ⇒
look.all(l, l.open > 0) & count(look) >= count(pay) ⇒
look.all(l, l.open > 0) & pay.all(p, p.n < 1 || look.exists(l, before(l, p))) ⇒
look.all(l, l.open > 0) & count(look, l, l.open > 1) > count(look, l, l.n > 1) ⇒
look.all(l, l.open > 0) & least(look, l, l.open) > 0 ⇒
look.all(l, l.open > 0) & count(look) <= 3 & count(look) <= count(pay) ⇒ 0
look.all(l, l.n > 0) & unique(look, l, l.n) & count(look) == 0 ⇒
count(look, l, l.open == 0) <= 1 & count(look, l, l.open == 0) < 2 & sum(look, l, l.open) <= 9 & sum(look, l, l.open) == 0 ⇒
pay.all(p, p.n <= 2 && p.fee <= 5) & unique(pay, p, p.fee) & sign.all(s, s.fee < 3) ⇒
pay.all(p, sign.all(s, s.invoice != p.invoice || s.payee != p.payee)) ⇒
pay.all(p, !sign.exists(s, s.invoice == p.invoice)) & pay.all(p, !pay.exists(q, q.n == p.m && q.fee > 3)) ⇒
approved.all(a, pay.exists(p, p.invoice == a.invoice)) & approved.all(a, a.amount > -9) ⇒
`;

test('lint finds rules about what was found out that hold if nothing was', (t) => {
  for (const [text, expected] of rowsOf(CASES)) {
    const {
      rules = text,
      look = 'times: 0..3',
      pay = 'times: 0..4',
      given = '',
    } = text.includes('rules: ') ? partsOf(text) : {};
    const plan = payPlan({
      pay,
      given,
      state: 'left: { type: int, initial: 9 }',
      steps: `look: { tool: look@1, ${look} }, sign: { tool: pay@1, times: 0..2 }`,
      rules: rules.split(' & '),
    });
    const found = rulesForNothing(plan).map(({ path }) => path.replace('/constraints/', ''));
    t.is(found.join(), expected, text);
  }
});

test('if money moves, what comes after an act asks for it only if that moves the money, or is done in every run', (t) => {
  for (const [pay, sign, expected] of [
    ['times: 0..4', 'times: 0..2, after: look', 1],
    ['times: 0..4', 'times: 1..2, after: look', 0],
    ['times: 0..4, after: look', 'times: 0..2', 0],
    ['times: 0..4, after: sign', 'times: 0..2, after: look', 0],
  ] as const) {
    const steps = `look: { tool: look@1, times: 0..3 }, sign: { tool: look@1, ${sign} }`;
    const plan = payPlan({ pay, steps, rules: ['look.all(l, l.open > 0)'] });
    const moving = plan.steps.map((step) =>
      step.stepId === 'pay' ? { ...step, tool: { ...step.tool, effect: 'revenue_write' as const } } : step,
    );
    t.is(rulesForNothing({ ...plan, steps: moving }).length, expected, `${pay} ${sign}`);
  }
});

test('a rule that holds for nothing says what to write, also of a sheet or of no row', (t) => {
  const steps = 'look: { tool: look@1, times: 0..3 }';
  const plan = payPlan({
    steps,
    rules: ['look.all(l, l.open > 0)', 'pay.all(p, look.all(l, l.n == p.n && l.open > 0))'],
  });
  const finding = (message: string, path: string) => ({ code: 'HOLDS_FOR_NOTHING', path, message });
  const ofRun = 'holds although look was not done: write after: look, or times: 1.. for it';
  t.deepEqual(rulesForNothing(plan), [
    finding(ofRun, '/constraints/0'),
    finding('holds although look was not done for it: write look.exists(…)', '/constraints/1'),
  ]);
  const tables = 'none: { key: a, columns: { a: int }, rows: [] }';
  const ofRows = payPlan({
    tables,
    rules: ['count(pay) < 9 && none.all(r, pay.exists(p, p.n == r.a))', 'none.all(r, r.a > 0)'],
  });
  const noRow = 'holds although none has no row';
  t.deepEqual(rulesForNothing(ofRows), [finding(noRow, '/constraints/0'), finding(noRow, '/constraints/1')]);
  const rules = [{ id: 'good', expression: { op: 'reference', scope: 'var', name: 'is_open' } as const }];
  const sheet = { ref: 'open@1.0.0', variables: new Map(), bounds: [], rules };
  const sheets = [{ sheet, stepId: undefined, bind: new Map([['is_open', ruleOf(plan)]]) }];
  t.deepEqual(rulesForNothing({ ...plan, constraints: [], sheets }), [finding(ofRun, '/sheets')]);
});
