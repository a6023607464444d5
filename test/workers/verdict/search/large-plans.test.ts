import { createHash } from 'node:crypto';
import test from 'ava';
import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import { ask, documentsOf } from '../../../models/ask-solver.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

const TOOLS = toolsIn(`tools:
  pay@1.0.0: { effect: revenue_write, args: { invoice: string(64), amount: "decimal(2, 0..)", payee: string(64) }, responds: { id: string(64) }, identity: id, amounts: args.amount in EUR }
`);

const ACTION = JSON.stringify({
  step_id: 'pay',
  tool: 'pay',
  tool_version: '1.0.0',
  args: { invoice: 'N-1', amount: '1.00', payee: 'Acme' },
});

function documents(rows: number) {
  const text = Array.from(
    { length: rows },
    (_, i) => `${JSON.stringify({ invoice: `N-${i}`, amount: '1.00', payee: 'Acme' })}\n`,
  ).join('');
  const documents = documentsOf(
    `plan: Pay
expires: 2026-12-05T00:00:00Z
recorded: 9
tables: { approved: { file: a.jsonl, key: invoice, columns: { invoice: string(64), amount: "decimal(2, 0..)", payee: string(64) } } }
steps: { pay: { tool: pay@1, times: 0..9, where: 'args.amount == approved[args.invoice].amount && args.payee == approved[args.invoice].payee' } }
rules: { once: "unique(pay, p, p.invoice)" }
`,
    TOOLS,
    new Map([['a.jsonl', text]]),
  );
  const tables = [{ text, sha256: createHash('sha256').update(text).digest('hex') }];
  return { ...documents, tables };
}

for (const rows of [250, 260, 5_000]) {
  test(`a plan whose table has ${rows} rows is checked, and its next action is asked about`, (t) => {
    t.is(ask({ kind: 'propose', ...documents(rows) }).judgement.verdict, 'satisfied');
    const asked = ask({ kind: 'preflight', ...documents(rows), done: '[]', action: ACTION });
    t.deepEqual([asked.alignment.verdict, asked.constraints.verdict], ['satisfied', 'satisfied']);
  });
}

test('that no run obeys a plan with a large table is found', (t) => {
  const { plan, ...parts } = documents(900);
  const impossible = plan.replace('"constraints":[', '"constraints":[{"expr":[">=",["count","pay"],20],"id":"many"},');
  t.not(impossible, plan);
  const asked = ask({ kind: 'preflight', ...parts, plan: impossible, done: '[]', action: ACTION });
  t.is(asked.constraints.verdict, 'violated');
});

test('a plan whose conditions go through the rows of a large table is checked', (t) => {
  const { plan, ...parts } = documents(20_000);
  const condition =
    '["exists",["table","approved"],"r",["and",["=",["col","r","invoice"],["arg","invoice"]],["=",["col","r","amount"],["arg","amount"]],["=",["col","r","payee"],["arg","payee"]]]]';
  const document: { steps: { where: object[] }[] } = JSON.parse(plan);
  for (const step of document.steps) step.where = [{ id: 'listed', expr: JSON.parse(condition) }];
  // Whatever it says, it answers: a question that is too large is `indeterminate`.
  t.notThrows(() => ask({ kind: 'propose', ...parts, plan: canonicalText(document) }));
});

const NOTE = toolsIn('tools: { note@1.0.0: { effect: write, args: { n: int }, responds: { id: string(64) } } }\n');
const HALF = 100;
const instant = (ms: number) => new Date(Date.parse('2026-12-01T00:00:00Z') + ms).toISOString().replace('Z', '000Z');

/** A rule over all triples of 100 actions, whose times are compared. */
const LONG_RULE = `plan: L
expires: 2026-12-05T00:00:00Z
recorded: 1000
steps:
  ask: { tool: note@1, times: 0..500 }
  act: { tool: note@1, times: 0..500 }
rules:
  wait: 'act.all(x, ask.exists(y, ask.exists(z, z.n <= y.n && y.n <= x.n && x.started_at - y.ended_at >= duration("1s"))))'
`;

test('preflight refuses the action with which a run becomes too large for a verification, and names the rule', (t) => {
  const documents = documentsOf(LONG_RULE, NOTE);
  const approvals = [{ at: instant(-10_000), group: 'g' }];
  const intents = Array.from({ length: 2 * HALF }, (_, index) => ({
    step_id: index < HALF ? 'ask' : 'act',
    tool: 'note',
    tool_version: '1.0.0',
    args: { n: `${index % 5}` },
  }));
  const actions = intents.map((intent, index) => ({
    ...intent,
    response: { id: `i${index}` },
    started_at: instant(index * 2000),
    ended_at: instant(index * 2000 + 900),
  }));
  const preflight = ask({
    kind: 'preflight',
    ...documents,
    runContext: { approvals },
    done: JSON.stringify(actions.slice(0, -1)),
    action: JSON.stringify(intents.at(-1)),
    now: instant((2 * HALF - 1) * 2000),
  });
  t.like(preflight.constraints, { verdict: 'indeterminate', reasons: [{ path: '/constraints/wait' }] });
  const runContext = {
    approvedAt: instant(-10_000),
    receivedAt: instant(6_000_000),
    proposedIntents: 'h',
    recordedIntents: 'h',
    approvals,
  };
  const verified = ask({
    kind: 'verify',
    ...documents,
    actions: JSON.stringify(actions),
    artifacts: [],
    runContext,
  });
  t.like(verified.verdicts.constraints, { verdict: 'indeterminate', reasons: [{ path: '/constraints/wait' }] });
});
