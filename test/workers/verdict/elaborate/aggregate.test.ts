import test from 'ava';
import { elaborate } from '../../../../workers/verdict/elaborate/elaborate.ts';
import { knownOutcome } from '../../../../workers/verdict/elaborate/kleene.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { payPlan, ruleOf, undone } from '../../../models/pay-plan.ts';

/** The end of a run of payments to these payees, under one rule. */
function endOf(rule: string, payees: readonly string[]) {
  const plan = payPlan({
    state: 'sent: "map(string(4), int, default 0)"',
    pay: `times: 0..4, effects: { 'sent[args.payee]': 'state.sent[args.payee] + 1' }`,
    rules: [rule],
  });
  const actions = payees.map((payee, index) => undone(plan, index, { payee }));
  return { rule: ruleOf(plan), end: traceRun(plan, actions).end };
}

const truthOf = ({ rule, end }: ReturnType<typeof endOf>) => knownOutcome(elaborate(rule, end));

test('an inner aggregate that looks up an entry by a part of an outer element is made again for another element', (t) => {
  const rule = 'pay.all(p, approved.exists(a, a.payee == "P" && state.sent[p.payee] < 2))';
  t.true(truthOf(endOf(rule, ['P', 'Q'])));
  t.false(truthOf(endOf(rule, ['P', 'Q', 'Q'])));
  t.false(truthOf(endOf(rule, ['P', 'P', 'Q'])));
});

test('an inner aggregate is written out once for all outer elements with the same values', (t) => {
  for (const inner of [
    'sum(approved, a, a.amount, a.payee == p.payee) > -9',
    'approved.exists(a, a.payee == p.payee)',
  ]) {
    const timesOf = (payees: readonly string[]) => {
      const asked = endOf(`pay.all(p, ${inner})`, payees);
      t.true(truthOf(asked));
      return asked.end.session.facts.filter(({ id }) => id.startsWith('/derived/')).length;
    };
    t.deepEqual([timesOf(['P']), timesOf(['P', 'P', 'P']), timesOf(['P', 'Q', 'P'])], [1, 1, 2], inner);
  }
});

test('the fact about a known aggregate says that it is defined, where that was worked out', (t) => {
  const factsOf = (rule: string) => {
    const asked = endOf(rule, ['P']);
    t.true(truthOf(asked));
    return asked.end.session.facts.flatMap(({ id, term }) => (id.startsWith('/derived/') ? [term.op] : []));
  };
  t.deepEqual(factsOf('pay.all(p, sum(approved, a, a.amount) == 37)'), ['=']);
  // There is no row Z: whether each row counts depends on its amount alone.
  const counted = 'approved["Z"].amount == 3 || a.amount > -100';
  t.deepEqual(factsOf(`pay.all(p, sum(approved, a, a.amount, ${counted}) == 37)`), ['and']);
});
