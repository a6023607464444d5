import test from 'ava';
import type { Expression, Quantified, Term } from '../../../../workers/plan/language/terms.ts';
import { literal } from '../../../../workers/plan/language/terms.ts';
import type { Plan } from '../../../../workers/plan/plan.ts';
import { decide } from '../../../../workers/verdict/decide/decide.ts';
import { not } from '../../../../workers/verdict/elaborate/kleene.ts';
import { toProblem } from '../../../../workers/verdict/run/to-problem.ts';
import { abstractionOf } from '../../../../workers/verdict/search/abstraction.ts';
import { allowancesOf } from '../../../../workers/verdict/search/continuations.ts';
import { isShort } from '../../../../workers/verdict/search/witnesses.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { outlookPlan, ruleOf } from '../../../models/outlook-plan.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

interface Asked {
  /** How many actions follow. */
  readonly count?: bigint;
  /** Numbers of the rules that are said to be true of the actions that follow. Each is an aggregate. */
  readonly claimed: readonly number[];
  readonly sum?: { readonly of: string; readonly most: bigint };
}

/** Whether witnesses leave room for truths about the actions of `pay` that follow. */
function isPossible(plan: Plan, { count, claimed, sum }: Asked): boolean {
  const { session, following, end, witnesses } = abstractionOf(
    { plan, done: [], runContext: undefined },
    allowancesOf(plan, []),
  );
  const rest = following.get('pay');
  if (rest === undefined) throw new Error('nothing follows');
  const rules: Term[] = [];
  for (const number of claimed) {
    const node = ruleOf(plan, number);
    if (node.op !== 'all' && node.op !== 'any' && node.op !== 'unique') throw new Error(node.op);
    const isTrue = session.open(`/claim/${number}`, { type: 'bool' });
    witnesses.imply(isTrue, node, rest, end);
    rules.push(isTrue);
  }
  if (count !== undefined) rules.push({ op: '=', left: rest.count, right: literal(count) });
  if (sum !== undefined) {
    const total = rest.sum({ op: 'reference', scope: 'arg', name: sum.of });
    rules.push({ op: '<=', left: total, right: literal(sum.most) });
  }
  witnesses.boundSums();
  const problem = toProblem(session, { question: 'possible', rules: rules.map((term, id) => ({ id: `${id}`, term })) });
  const { verdict } = decide(problem, by);
  if (verdict !== 'satisfied' && verdict !== 'violated' && verdict !== 'invalid_input') throw new Error(verdict);
  return verdict === 'satisfied';
}

const can = (rules: readonly string[], asked: Partial<Asked> = {}, pay = 'times: 0..4') =>
  isPossible(outlookPlan({ pay, rules, steps: 'look: { tool: look@1, times: 0..2 }' }), {
    claimed: rules.map((_, index) => index),
    ...asked,
  });

test('what all have and what one has must not contradict each other', (t) => {
  const rules = ['pay.all(p, p.n > 1)', 'pay.exists(p, p.n < 2)'];
  t.false(can(rules));
  t.false(can(rules.toReversed()));
  t.true(can(['pay.all(p, p.n > 1)', 'pay.exists(p, p.n < 3)']));
  t.true(can(['pay.exists(p, p.n > 1)', 'pay.exists(p, p.n < 2)']));
});

test('what all have must not contradict itself, if there is one', (t) => {
  const rules = ['pay.all(p, p.n > 1)', 'pay.all(p, p.n < 2)'];
  t.false(can(rules, { count: 1n }));
  t.true(can(rules, { count: 0n }));
});

test('only actions that meet the condition of a rule are asked about', (t) => {
  t.true(can(['pay.all(p, !p.flag || p.n > 1)', 'pay.all(p, !p.flag || p.n < 2)'], { count: 1n }));
  t.false(can(['pay.all(p, !p.flag || p.n > 1)', 'pay.exists(p, p.flag && p.n < 2)']));
  t.true(can(['pay.all(p, !p.flag || p.n > 1)', 'pay.exists(p, !p.flag && p.n < 2)']));
});

test('an action that exists obeys the conditions of its step, and its types', (t) => {
  t.false(can(['pay.exists(p, p.n < 2)'], {}, `times: 0..4, where: 'args.n >= 2'`));
  t.true(can(['pay.exists(p, p.n < 3)'], {}, `times: 0..4, where: 'args.n >= 2'`));
  t.false(can(['pay.exists(p, p.n > 3)']));
  t.false(can(['pay.exists(p, p.response.fee < 2)']));
});

test('two actions of which all differ are not the same', (t) => {
  const rules = ['unique(pay, p, p.n)', 'pay.all(p, p.n == 1)'];
  t.false(can(rules, { count: 2n }));
  t.true(can(rules, { count: 1n }));
  t.true(can(['unique(pay, p, p.n)', 'pay.all(p, p.n <= 1)'], { count: 2n }));
  t.true(can(['unique(pay, p, [p.n, p.m])', 'pay.all(p, p.n == 1)'], { count: 2n }));
  t.false(can(['unique(pay, p, [p.n, p.m])', 'pay.all(p, p.n == 1 && p.m == 1)'], { count: 2n }));
  t.true(can(['unique(pay, p, p.n, p.flag)', 'pay.all(p, p.n == 1)'], { count: 2n }));
  t.false(can(['unique(pay, p, p.n, p.flag)', 'pay.all(p, p.n == 1)', 'pay.all(p, p.flag)'], { count: 2n }));
  t.false(can(['unique(pay, p, p.n)'], { count: 2n }, `times: 0..4, where: 'args.n == 2'`));
});

test('an action is done after the approval, while the plan has not expired, and ends after it starts', (t) => {
  t.false(can(['pay.exists(p, p.started_at < approved_at - duration("6s"))']));
  t.true(can(['pay.exists(p, p.started_at < approved_at - duration("4s"))']));
  t.false(can(['pay.exists(p, p.started_at > timestamp("2027-12-05T00:00:06Z"))']));
  t.true(can(['pay.exists(p, p.started_at > timestamp("2027-12-05T00:00:04Z"))']));
  t.false(can(['pay.exists(p, p.ended_at < p.started_at)']));
  t.false(can(['pay.all(p, p.ended_at < p.started_at)'], { count: 1n }));
  t.false(can(['unique(pay, p, p.n)', 'pay.all(p, p.ended_at < p.started_at)'], { count: 2n }));
});

test('a sum of numbers that are never negative is at least that of an action', (t) => {
  const rules = ['pay.exists(p, p.n >= 3)'];
  t.false(can(rules, { sum: { of: 'n', most: 2n } }));
  t.true(can(rules, { sum: { of: 'n', most: 3n } }));
  t.true(can(['pay.exists(p, p.m >= 2)'], { sum: { of: 'm', most: 0n } }), 'others may be negative');
});

test('which action comes first is not asked of an example', (t) => {
  t.true(can(['pay.all(p, pay.exists(q, before(q, p) && p.n > q.n && q.n > p.n))'], { count: 0n }));
  t.true(can(['pay.exists(p, pay.all(q, before(p, q) || p.n < 0))'], { count: 1n }));
});

/** The least or the greatest value over the actions that follow, and what it can be. */
function attained(rule: string, pay: string, value: (attained: Term) => Term, all?: string): boolean | undefined {
  const plan = outlookPlan({ pay, rules: [rule, ...(all === undefined ? [] : [all])] });
  const { session, following, end, witnesses } = abstractionOf(
    { plan, done: [], runContext: undefined },
    allowancesOf(plan, []),
  );
  const rest = following.get('pay');
  const isAttained = (node: Expression): node is Quantified => node.op === 'least' || node.op === 'greatest';
  const comparison = ruleOf(plan);
  const node = 'left' in comparison ? [comparison.left, comparison.right].find(isAttained) : undefined;
  if (rest === undefined || node === undefined) throw new Error(rule);
  const found = witnesses.attain(node, rest, end);
  if (found === undefined) return undefined;
  const rules = [found.isDefined ?? literal(true), value(found.value)];
  const everyone = all === undefined ? undefined : ruleOf(plan, 1);
  if (everyone?.op === 'all') {
    const isTrue = session.open('/claim', { type: 'bool' });
    witnesses.imply(isTrue, everyone, rest, end);
    rules.push(isTrue);
  }
  const problem = toProblem(session, { question: 'possible', rules: rules.map((term, id) => ({ id: `${id}`, term })) });
  return decide(problem, by).verdict === 'satisfied';
}

const is =
  (value: bigint) =>
  (term: Term): Term => ({ op: '=', left: term, right: literal(value) });

test('the least and the greatest value are those of an action', (t) => {
  const pay = `times: 0..4, where: 'args.n > 1'`;
  for (const word of ['least', 'greatest']) {
    const rule = `${word}(pay, p, p.n) < 9`;
    t.true(attained(rule, pay, is(2n)), word);
    t.true(attained(rule, pay, is(3n)), word);
    t.false(attained(rule, pay, is(1n)), word);
    t.false(attained(rule, pay, is(4n)), word);
    t.false(attained(rule, 'times: 0..4', is(2n), 'pay.all(p, p.n == 3)'), word);
    t.true(attained(rule, 'times: 0..4', is(3n), 'pay.all(p, p.n == 3)'), word);
  }
});

test('the least value under a condition is that of an action that meets it', (t) => {
  const rule = 'least(pay, p, p.n, p.flag) < 9';
  t.true(attained(rule, 'times: 0..4', is(1n)));
  t.false(attained(rule, `times: 0..4, where: 'args.flag == (args.n > 2)'`, is(1n)));
  t.true(attained(rule, `times: 0..4, where: 'args.flag == (args.n > 2)'`, is(3n)));
});

test('there is no least value of no actions', (t) => {
  const plan = outlookPlan({ pay: 'times: 0..4', rules: ['least(pay, p, p.n) < 9'] });
  const { session, following, end, witnesses } = abstractionOf(
    { plan, done: [], runContext: undefined },
    allowancesOf(plan, []),
  );
  const [rest, rule] = [following.get('pay'), ruleOf(plan)];
  if (rest === undefined || rule.op !== '<' || rule.left.op !== 'least') throw new Error(rule.op);
  const found = witnesses.attain(rule.left, rest, end);
  const isNone: Term = { op: '<=', left: rest.count, right: literal(0n) };
  const both = (term: Term) =>
    decide(
      toProblem(session, {
        question: 'possible',
        rules: [
          { id: 'n', term: isNone },
          { id: 'd', term },
        ],
      }),
      by,
    ).verdict;
  const isDefined = found?.isDefined ?? literal(true);
  t.is(both(isDefined), 'violated');
  t.is(both(not(isDefined)), 'satisfied');
});

test('after 32 witnesses, no more are made', (t) => {
  const plan = outlookPlan({ pay: 'times: 0..4', rules: ['least(pay, p, p.n) < 9', 'pay.exists(p, p.n > 1)'] });
  const { following, end, witnesses, session } = abstractionOf(
    { plan, done: [], runContext: undefined },
    allowancesOf(plan, []),
  );
  const [rest, rule] = [following.get('pay'), ruleOf(plan)];
  if (rest === undefined || rule.op !== '<' || rule.left.op !== 'least') throw new Error(rule.op);
  const node = rule.left;
  const made = Array.from({ length: 40 }, () => witnesses.attain(node, rest, end)).filter((one) => one !== undefined);
  // One stands for all actions of the step.
  t.is(made.length, 31);
  const facts = session.facts.length;
  const some = ruleOf(plan, 1);
  if (some.op === 'any') witnesses.imply(literal(true), some, rest, end);
  t.is(session.facts.length, facts);
});

test('after 256 truths, no more are applied', (t) => {
  const plan = outlookPlan({ pay: 'times: 0..4', rules: ['pay.all(p, p.n > 1)'] });
  const { following, end, witnesses, session } = abstractionOf(
    { plan, done: [], runContext: undefined },
    allowancesOf(plan, []),
  );
  const [rest, rule] = [following.get('pay'), ruleOf(plan)];
  if (rest === undefined || rule.op !== 'all') throw new Error(rule.op);
  // One fact more about the example itself.
  const before = session.facts.length;
  for (let number = 0; number < 300; number++) witnesses.imply(literal(true), rule, rest, end);
  t.is(session.facts.length - before, 257);
});

test('expressions are short unless they go through a large table', (t) => {
  const plan = outlookPlan({ rules: ['approved.all(a, a.amount < 99)', 'count(pay) < 9'] });
  const approved = plan.tables.get('approved');
  if (approved === undefined) throw new Error('no table');
  const withRows = (rows: number): Plan => ({
    ...plan,
    tables: new Map([['approved', { ...approved, rows: Array.from({ length: rows }, () => approved.rows[0] ?? []) }]]),
  });
  t.true(isShort(ruleOf(plan), withRows(256)));
  t.false(isShort(ruleOf(plan), withRows(257)));
  t.true(isShort(ruleOf(plan, 1), withRows(257)));
});
