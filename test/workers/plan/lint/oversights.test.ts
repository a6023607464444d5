import test from 'ava';
import { literal } from '../../../../workers/plan/language/terms.ts';
import { findOversights } from '../../../../workers/plan/lint/oversights.ts';
import type { Plan, Tool } from '../../../../workers/plan/plan.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { catalogued, ORDER_TOOL, REFUND_TOOL } from '../../../models/catalogued.ts';
import { payPlan } from '../../../models/pay-plan.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { partsOf, rowsOf } from '../../../models/trees.ts';

const RECEIPT = 'type: application/json, reads: { id: string(64) at /id }, where: receipt.id == receipt.id';

/** Plans that pay, with rules between ` & `, and where lint finds what the code says. */
const CASES = `
rules: count(pay) < 3 ⇒ UNUSED /tables/approved
rules: pay.all(p, p.invoice in approved) ⇒ UNUSED
rules: pay.all(p, approved[p.invoice].amount > 3) ⇒ UNUSED
rules: approved.all(a, a.amount > -9) ⇒ UNUSED
pay: times: 0..4, where: args.invoice in approved ⇒ UNUSED
MAP; given: most: 3 ⇒ UNUSED /state/sent /variables/most
MAP; given: most: 3; rules: state.sent["A"] < most ⇒ UNUSED
MAP; given: most: 3; rules: pay.all(p, p.n < most) ⇒ UNUSED /state/sent
MAP; given: most: 3; pay: times: 0..4, effects: { "sent[args.payee]": args.n } ⇒ UNUSED /variables/most
INT; pay: times: 0..4, where: args.n > 2 ⇒ UNUSED /state/n
INT; pay: times: 0..4, where: args.n > 2; rules: state.n > 2 ⇒ UNUSED
state: pay: "map(string(64), int, default 0)"; tables: ; rules: pay.all(p, p.n > 2) ⇒ UNUSED /state/pay
state: approved: "map(string(64), int, default 0)"; rules: approved.all(a, a.amount > -9) ⇒ UNUSED /state/approved
rules: true & pay.all(p, p.n == p.n) ⇒ COMPARES_ITSELF /constraints/1
rules: true & pay.all(p, p.n <= p.n) ⇒ COMPARES_ITSELF /constraints/1
rules: true & pay.all(p, p.n < p.n) ⇒ COMPARES_ITSELF /constraints/1
rules: true & pay.all(p, p.n >= p.n) ⇒ COMPARES_ITSELF /constraints/1
rules: true & pay.all(p, p.flag || p.m + 1 > p.m + 1) ⇒ COMPARES_ITSELF /constraints/1
rules: pay.all(p, p.n == p.m) & 1 == 1 & pay.all(p, p.n + p.n > 2) ⇒ COMPARES_ITSELF
pay: times: 0..4, where: args.n <= args.n ⇒ COMPARES_ITSELF /steps/0/where/0
pay: times: 0..4, evidence: { receipt: { ${RECEIPT} } } ⇒ COMPARES_ITSELF /steps/0/evidence/0/binds/0
rules: pay.all(p, pay.exists(l, l.ended_at <= p.started_at)) ⇒ ORDER_BY_TIMES /constraints/0
rules: pay.all(p, pay.exists(l, p.started_at > l.ended_at)) ⇒ ORDER_BY_TIMES /constraints/0
rules: pay.all(p, count(pay, l, l.started_at <= p.started_at) <= 3) ⇒ ORDER_BY_TIMES
rules: pay.all(p, pay.exists(l, before(l, p) && p.started_at - l.ended_at <= duration("1h"))) ⇒ ORDER_BY_TIMES
rules: pay.all(p, p.started_at <= p.ended_at) ⇒ ORDER_BY_TIMES
rules: pay.all(p, p.outcome == "done") ⇒ OUTCOME_DECIDES /constraints/0
runs: few: 'count(pay, p, p.outcome == "done") < 9' ⇒ OUTCOME_DECIDES /runs/0
runs: few: count(pay) < 9 ⇒ RUNS_OF_ONE /runs/0
executions: 2; runs: few: count(pay) < 9 ⇒ RUNS_OF_ONE
runs: few: count(approved) < count(pay) ⇒ UNUSED
runs: few: 'least(pay, p, p.n) > 1' ⇒ MAY_HAVE_NO_VALUE /runs/0
rules: pay.all(p, p.n > 1) ⇒ OUTCOME_DECIDES
rules: least(pay, p, p.n) > 1 ⇒ MAY_HAVE_NO_VALUE /constraints/0
rules: greatest(pay, p, p.n) == 1 ⇒ MAY_HAVE_NO_VALUE /constraints/0
rules: greatest(pay, p, p.n) != 1 ⇒ MAY_HAVE_NO_VALUE /constraints/0
rules: least(pay, p, p.n) > 1; pay: times: 1..4 ⇒ MAY_HAVE_NO_VALUE
rules: least(approved, a, a.amount) > -9 & sum(pay, p, p.n) > 1 ⇒ MAY_HAVE_NO_VALUE
rules: count(pay) == 0 || least(pay, p, p.n) > 1 ⇒ MAY_HAVE_NO_VALUE
`
  .replaceAll('MAP', 'state: sent: "map(string(64), int, default 0)"; tables: ')
  .replaceAll('INT', 'state: n: { type: int, initial: 9 }; tables: ');

test('lint finds what is not used, what is compared with itself, and what may have no value', (t) => {
  for (const [text, expected] of rowsOf(CASES)) {
    const { rules, ...parts } = partsOf(text);
    const plan = payPlan({ ...parts, rules: rules?.split(' & ') ?? [] });
    const [wanted, ...paths] = expected.split(' ');
    const found = findOversights(plan).flatMap(({ code, path }) => (code === wanted ? [path] : []));
    t.deepEqual(found.toSorted(), paths, text);
  }
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
