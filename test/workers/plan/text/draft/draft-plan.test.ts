import test from 'ava';
import { defined } from '../../../../../workers/exact/defined.ts';
import { compilePlan } from '../../../../../workers/plan/text/compile-plan.ts';
import { draftPlan } from '../../../../../workers/plan/text/draft/draft-plan.ts';
import { TOOLS, toolsIn } from '../../../../models/plan-texts.ts';

const draft = (catalogue: string, { most = 3 } = {}) => {
  const tools = toolsIn(`tools:\n${catalogue}`);
  const text = draftPlan({ title: 'A "draft"', expires: '2026-12-05T00:00:00Z', tools, most, limit: '500' });
  const { faults } = compilePlan(text, { tools, tables: new Map() });
  return { text, faults };
};

test('a draft has a step for each tool, and limits what moves money', (t) => {
  const { text, faults } = draft(`  order.get@1.2.3:
    args: { id: string(8) }
    responds: { total: decimal(2) }
  bank.pay@2.0.0:
    effect: revenue_write
    args: { amount: decimal(2), items: int, exact: decimal(0), to: string(64), fast: bool, a.b: decimal(2), c-d: string(3) }
    responds: { note: string(8), id: string(64) }
    identity: id
  mail.send@1.0.0:
    effect: write
    args: { to: string(254), cost: decimal(2) }
    responds: { sent: bool, id: string(64) }
`);
  t.is(
    text,
    `plan: "A \\"draft\\""
expires: 2026-12-05T00:00:00Z
recorded: 9
steps:
  get:
    tool: order.get@1.2.3
    times: 0..3
  pay:
    tool: bank.pay@2.0.0
    times: 0..3
    # Decide what args.to must be: args.to == "…", or args.to in a table.
    where: args.amount > 0.00 && args.items > 0 && args.exact > 0
    evidence:
      receipt: { type: application/json, reads: { id: /id }, where: receipt.id == response.id }
  send:
    tool: mail.send@1.0.0
    times: 0..3
    evidence:
      receipt: { type: application/json, reads: { sent: /sent }, where: receipt.sent == response.sent }
rules:
  pay_amount: sum(pay, p, p.args.amount) <= 500
  pay_exact: sum(pay, p, p.args.exact) <= 500
  pay_once: unique(pay, p, p.response.id)
`,
  );
  t.is(faults, undefined);
});

test('states of a draft have their least values', (t) => {
  const { text, faults } = draft(`  stock.take@1.0.0:
    effect: write
    replay: effects
    args: { count: int }
    responds: { left: int }
    state: { left: int, low: int(-5..9), open: decimal(2), floor: "decimal(1, 1.5..)", on: bool, kind: "enum(b, a)", name: string(8), at: time, wait: duration, by: "map(string(3), decimal(2))", flags: "map(int, bool)" }
    effects: { left: state.left - args.count }
    observe: { left: left }
`);
  t.is(
    text,
    `plan: "A \\"draft\\""
expires: 2026-12-05T00:00:00Z
state:
  left: { type: "int", initial: 0 }
  low: { type: "int(-5..9)", initial: -5 }
  open: { type: "decimal(2)", initial: 0.00 }
  floor: { type: "decimal(1, 1.5..)", initial: 1.5 }
  on: { type: "bool", initial: false }
  kind: { type: "enum(b, a)", initial: "b" }
  name: { type: "string(8)", initial: "" }
  at: { type: "time", initial: 1970-01-01T00:00:00Z }
  wait: { type: "duration", initial: 0s }
  by: "map(string(3), decimal(2), default 0.00)"
  flags: "map(int, bool, default false)"
steps:
  take:
    tool: stock.take@1.0.0
    times: 0..3
    evidence:
      receipt: { type: application/json, reads: { left: /left }, where: receipt.left == response.left }
`,
  );
  t.is(faults, undefined);
});

test('a step has the last word of its tool, or one that no other step and no language has', (t) => {
  const names = [
    ...['mail.send', 'sms.send', 'send', 'db:get', 'a-b', 'x.2fa', 'x.y z', 'x.', 'door.in', 'door.for', 'a.state'],
    ...['a.args', 'a.receipt', 'a.approvals', 'b.2fa'],
  ].filter((name) => !name.includes(' '));
  const { text, faults } = draft(names.map((name) => `  ${name}@1.0.0: {}\n`).join(''));
  t.is(faults, undefined);
  const steps = [...text.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name);
  t.deepEqual(steps, [
    ...['send', 'send_2', 'send_3', 'get', 'b', 'act', 'act_2', 'in_2', 'for_2', 'state_2'],
    ...['args_2', 'receipt_2', 'approvals_2', 'act_3'],
  ]);
});

test('evidence is bound only to a field that an expression can name', (t) => {
  const evidenceOf = (more: string) =>
    draft(`  a.act@1.0.0:\n    effect: write\n    ${more}\n`).text.includes('evidence');
  t.true(evidenceOf('responds: { id: string(8) }'));
  t.false(evidenceOf('args: { id: string(8) }'));
  t.false(draft('  a.act@1.0.0:\n    responds: { id: string(8) }\n').text.includes('evidence'));
  t.false(draft('  a.act@1.0.0: { replay: pure, responds: { id: string(8) } }\n').text.includes('recorded'));
});

test('a tool without an identity that an expression can name has no rule about it', (t) => {
  const [pay] = TOOLS.filter(({ name }) => name === 'bank.pay');
  const textOf = (change: object) =>
    draftPlan({ title: 'A', expires: '', tools: [{ ...defined(pay), ...change }], most: 1, limit: '1' });
  t.true(textOf({}).includes('unique(pay, p, p.response.id)'));
  t.true(textOf({}).includes('reads: { id: /id }'));
  t.false(textOf({ identity: null }).includes('unique'));
  t.false(textOf({ identity: 'a.b' }).includes('unique'));
  t.false(textOf({ identity: 'a.b' }).includes('evidence'));
  t.true(textOf({ identity: null }).includes('evidence'));
  t.false(textOf({ identity: null, responds: {} }).includes('evidence'));
});
