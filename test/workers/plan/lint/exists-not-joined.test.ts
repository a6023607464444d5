import test from 'ava';
import { existsNotJoined } from '../../../../workers/plan/lint/exists-not-joined.ts';
import { payPlan } from '../../../models/pay-plan.ts';
import { partsOf, rowsOf } from '../../../models/trees.ts';

/** Rules between ` & `; the numbers of those with an `exists` that two actions can meet between them, with another one. */
const CASES = `
PAY(l.n == p.n && before(l, p)) & PAY(l.n == p.n && l.open == 0) ⇒ 1
PAY(l.n == p.n && before(l, p)) & pay.all(q, look.exists(m, m.open == 0 && m.n == q.n)) ⇒ 1
pay.all(p, count(look, l, l.n == p.n && before(l, p)) >= 1) & PAY(l.n == p.n && l.open == 0) ⇒ 1
pay.all(p, count(look, l, l.n == p.n && before(l, p)) > 0) & PAY(l.n == p.n && l.open == 0) ⇒ 1
pay.all(p, count(look, l, before(l, p)) >= 2 && count(look) >= 1) & PAY(l.open == 0) ⇒
pay.all(p, look.exists(l, l.n == p.n && before(l, p)) && look.exists(m, m.open == 0)) ⇒ 0
pay.all(p, p.n < 1 || look.exists(l, before(l, p))) & PAY(l.open == 0) ⇒ 1
pay.all(p, p.flag ? look.exists(l, before(l, p)) : p.n < 1) & PAY(l.open == 0) ⇒ 1
approved.all(p, look.exists(l, l.n == p.amount)) & approved.all(p, look.exists(l, l.open == 0)) ⇒ 1
pay.all(p, sign.all(s, look.exists(l, l.n == p.n) && look.exists(l, l.n == s.n))) & pay.all(p, look.exists(l, l.open < 3)) ⇒
pay.all(p, sign.all(s, look.exists(l, l.n == p.n) && look.exists(m, m.open == s.n))) ⇒ 0
look: times: 0..1; rules: PAY(l.n == p.n) & PAY(l.open == 0) ⇒
pay.all(p, look.exists(l, l.n == p.n) || look.exists(m, m.open == 0)) ⇒
pay.all(p, p.flag ? look.exists(l, before(l, p)) : look.exists(m, m.open == 0)) ⇒
PAY(l.n == p.n && before(l, p)) & pay.all(q, look.exists(m, before(m, q))) ⇒
pay.all(q, look.exists(m, before(m, q))) & PAY(l.n == p.n && before(l, p)) ⇒
PAY(l.n == 1 && before(l, p)) & PAY(l.n == 2 && l.open == 0) ⇒
PAY(l.n == p.n && l.open == 0) & PAY(l.n == p.m && before(l, p)) ⇒
PAY(l.n == p.n && l.open == 0) & PAY(p.m == l.n && before(l, p)) ⇒
PAY(l.n == p.n && l.open == 0) & PAY(before(l, p) && l.open != 0) ⇒
PAY(l.n == p.n && before(l, p)) & PAY(l.open == 0 && before(p, l)) ⇒
PAY(before(l, p) && l.open != 0) & PAY(l.n == p.n && l.open == 0) ⇒
PAY(l.n == p.n && l.open == 0) & PAY(l.n == p.n && before(l, p)) & unique(sign, x, x.n) ⇒ 1
PAY(l.n == p.n && l.open == 0) & PAY(l.n == p.n && before(l, p)) & unique(look, x, x.n, x.open > 1) ⇒ 1
PAY(l.n == p.n && l.open == 0) & PAY(l.n == p.n && before(l, p)) & unique(look, x, x.n) ⇒
PAY(l.n == p.n && l.open == 0) & PAY(l.n == p.n && before(l, p)) & unique(look, x, [x.n, x.open]) ⇒ 1
PAY(l.open == 0) & sign.all(s, look.exists(l, before(l, s))) & look.exists(l, l.n == 1) & look.exists(l, l.open > 2) ⇒
pay.all(p, look.exists(l, l.n == p.n && look.exists(m, m.open == l.open && before(m, p)))) ⇒
PAY(l.n == p.n) & pay.all(p, sign.exists(s, s.invoice == p.invoice)) & pay.all(p, !look.exists(l, l.open == 0)) ⇒
`.replaceAll(/PAY\((.*?)\)(?= (?:& |⇒))/g, 'pay.all(p, look.exists(l, $1))');

test('lint finds conditions of one action that two actions can meet between them', (t) => {
  for (const [text, expected] of rowsOf(CASES)) {
    const { rules = text, look = 'times: 0..3' } = text.includes('rules: ') ? partsOf(text) : {};
    const plan = payPlan({
      steps: `look: { tool: look@1, ${look} }, sign: { tool: pay@1, times: 0..2 }`,
      rules: rules.split(' & '),
    });
    const found = existsNotJoined(plan).map(({ path }) => path.replace('/constraints/', ''));
    t.is(found.join(), expected, text);
  }
});

test('the finding names the rule with the other exists, unless both have the identity of one act that moves money', (t) => {
  const rules = [
    'pay.all(p, look.exists(l, l.open == p.n && before(l, p)))',
    'pay.all(p, look.exists(l, l.open == p.n && l.n == 0))',
  ];
  const plan = payPlan({ steps: 'look: { tool: look@1, times: 0..3 }', rules });
  const message =
    'two exists over look, here and in r0, can be met by different actions: write one look.exists(…) with the conditions of both';
  t.deepEqual(existsNotJoined(plan), [{ code: 'EXISTS_NOT_JOINED', path: '/constraints/1', message }]);
  const found = (['none', 'write', 'revenue_write'] as const).map((effect) => {
    const steps = plan.steps.map((step) => ({ ...step, tool: { ...step.tool, effect, identity: 'open' } }));
    return existsNotJoined({ ...plan, steps }).length;
  });
  t.deepEqual(found, [1, 1, 0]);
});
