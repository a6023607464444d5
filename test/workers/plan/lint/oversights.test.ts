import test from 'ava';
import { literal } from '../../../../workers/plan/language/terms.ts';
import { findOversights } from '../../../../workers/plan/lint/oversights.ts';
import type { Plan, Tool } from '../../../../workers/plan/plan.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { catalogued, ORDER_TOOL, REFUND_TOOL } from '../../../models/catalogued.ts';
import { payPlan } from '../../../models/pay-plan.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';

const lintOf = (parts: Parameters<typeof payPlan>[0], wanted: string) =>
  findOversights(payPlan(parts)).flatMap(({ code, path }) => (code === wanted ? [path] : []));

test('a table is used by a look-up, by a membership or by an aggregate over its rows', (t) => {
  const unused = (...rules: readonly string[]) => lintOf({ rules }, 'UNUSED');
  t.deepEqual(unused('count(pay) < 3'), ['/tables/approved']);
  t.deepEqual(unused('pay.all(p, p.invoice in approved)'), []);
  t.deepEqual(unused('pay.all(p, approved[p.invoice].amount > 3)'), []);
  t.deepEqual(unused('approved.all(a, a.amount > -9)'), []);
  t.deepEqual(lintOf({ pay: 'times: 0..4, where: args.invoice in approved' }, 'UNUSED'), []);
});

test('a map is used if it is read or changed, and a constant if a rule reads it', (t) => {
  const unused = (more: Parameters<typeof payPlan>[0]) =>
    lintOf(
      { state: 'sent: "map(string(64), int, default 0)"', given: 'most: 3', tables: '', ...more },
      'UNUSED',
    ).toSorted();
  t.deepEqual(unused({}), ['/state/sent', '/variables/most']);
  t.deepEqual(unused({ rules: ['state.sent["A"] < most'] }), []);
  t.deepEqual(unused({ rules: ['pay.all(p, p.n < most)'] }), ['/state/sent']);
  t.deepEqual(unused({ pay: 'times: 0..4, effects: { "sent[args.payee]": args.n }' }), ['/variables/most']);
});

test('a state is used if one of the tools changes it', (t) => {
  const steps = 'idle: { tool: look@1, times: 0..1 }';
  const plan = payPlan({ state: 'left: { type: int, initial: 9 }', tables: '', steps });
  const unused = (changed: Plan) =>
    findOversights(changed).flatMap(({ code, path }) => (code === 'UNUSED' ? [path] : []));
  t.deepEqual(unused(plan), ['/state/left']);
  const changing = (tool: Tool) => ({ ...tool, effects: new Map([['left', literal(1n)]]) });
  for (const changed of ['pay', 'look']) {
    const change = (tool: Tool) => (tool.ref.startsWith(changed) ? changing(tool) : tool);
    const tools = new Map([...plan.tools].map(([name, tool]) => [name, change(tool)]));
    t.false(unused({ ...plan, tools }).includes('/state/left'), changed);
  }
});

test('a state is not used because a rule reads an argument of the same name', (t) => {
  const named = { state: 'n: { type: int, initial: 9 }', tables: '', pay: 'times: 0..4, where: args.n > 2' };
  t.deepEqual(lintOf(named, 'UNUSED'), ['/state/n']);
  t.deepEqual(lintOf({ ...named, rules: ['state.n > 2'] }, 'UNUSED'), []);
});

test('a map is not used because a rule ranges over a table or a step of the same name', (t) => {
  const map = 'map(string(64), int, default 0)';
  const ofStep = { state: `pay: "${map}"`, tables: '', rules: ['pay.all(p, p.n > 2)'] };
  t.deepEqual(lintOf(ofStep, 'UNUSED'), ['/state/pay']);
  const ofTable = { state: `approved: "${map}"`, rules: ['approved.all(a, a.amount > -9)'] };
  t.deepEqual(lintOf(ofTable, 'UNUSED'), ['/state/approved']);
});

test('a comparison of a value with itself is lint, wherever it is', (t) => {
  const compared = (rule: string) => lintOf({ rules: ['count(pay) < 3', rule] }, 'COMPARES_ITSELF');
  for (const rule of ['p.n == p.n', 'p.n <= p.n', 'p.n < p.n', 'p.n >= p.n', 'p.flag || p.m + 1 > p.m + 1']) {
    t.deepEqual(compared(`pay.all(p, ${rule})`), ['/constraints/1'], rule);
  }
  t.deepEqual(compared('pay.all(p, p.n == p.m)'), []);
  t.deepEqual(compared('1 == 1'), []);
  t.deepEqual(compared('pay.all(p, p.n + p.n > 2)'), []);
  t.deepEqual(lintOf({ pay: 'times: 0..4, where: args.n <= args.n' }, 'COMPARES_ITSELF'), ['/steps/0/where/0']);
  const receipt =
    'receipt: { type: application/json, reads: { id: string(64) at /id }, where: receipt.id == receipt.id }';
  t.deepEqual(lintOf({ pay: `times: 0..4, evidence: { ${receipt} }` }, 'COMPARES_ITSELF'), [
    '/steps/0/evidence/0/binds/0',
  ]);
});

test('a rule that needs a value of a step that need not be done is lint', (t) => {
  const needing = (rule: string, pay = 'times: 0..4') => lintOf({ rules: [rule], pay }, 'MAY_HAVE_NO_VALUE');
  t.deepEqual(needing('least(pay, p, p.n) > 1'), ['/constraints/0']);
  t.deepEqual(needing('greatest(pay, p, p.n) == 1'), ['/constraints/0']);
  t.deepEqual(needing('greatest(pay, p, p.n) != 1'), ['/constraints/0']);
  t.deepEqual(needing('least(pay, p, p.n) > 1', 'times: 1..4'), []);
  t.deepEqual(needing('least(approved, a, a.amount) > -9'), []);
  t.deepEqual(needing('sum(pay, p, p.n) > 1'), []);
  t.deepEqual(needing('count(pay) == 0 || least(pay, p, p.n) > 1'), []);
});

test('evidence that is not bound to the identity of its act is lint', (t) => {
  const [first, second] = REFUND_PLAN.steps;
  const [receipt] = second?.evidence ?? [];
  const lint = (...rules: readonly unknown[]) => {
    const binds = rules.map((expr, index) => ({ id: `b${index}`, expr }));
    const { plan, tools } = catalogued({
      ...REFUND_PLAN,
      tools: [ORDER_TOOL, REFUND_TOOL],
      steps: [first, { ...second, evidence: [{ ...receipt, binds }] }],
    });
    return findOversights(readPlan(plan, [], { tools, tables: [] })).map(({ code, path }) => `${code} ${path}`);
  };
  const ID = ['=', ['resp', 'id'], ['ev', 'id']];
  const AMOUNT = ['=', ['ev', 'amount'], ['arg', 'amount']];
  for (const bind of [ID, ['and', AMOUNT, ID]]) t.deepEqual(lint(bind), []);
  for (const bind of [
    AMOUNT,
    ['=', ['ev', 'id'], ['arg', 'order_id']],
    ['=', ['ev', 'amount'], ['resp', 'left']],
    ['or', ID, AMOUNT],
  ]) {
    t.deepEqual(lint(bind), ['EVIDENCE_NOT_BOUND /steps/1/evidence/0/binds'], JSON.stringify(bind));
  }
});

test('a plan whose shortest run has more recorded actions than it allows is lint', (t) => {
  const message = 'every run has at least 1 recorded actions, so no run can be proven unless the plan allows 1';
  const strict = readPlan({ ...REFUND_PLAN, max_recorded: 0 });
  t.deepEqual(findOversights(strict), [{ code: 'TOO_MANY_RECORDED', path: '/max_recorded', message }]);
});
