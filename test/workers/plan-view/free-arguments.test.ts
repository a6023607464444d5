import test from 'ava';
import { looseArguments } from '../../../workers/plan-view/lint/free-arguments.ts';
import { readParts } from '../../../workers/plan-view/parts/plan-parts.ts';
import { viewPlan } from '../../../workers/plan-view/view-plan.ts';
import { APPROVED_TABLE, planOf, planText, toolsIn } from '../../models/plan-texts.ts';

const TOOLS = toolsIn(`tools:
  look@1.0.0:
    args: { order: string(64) }
    responds: { payee: string(64) }
  bank.pay@2.0.0:
    effect: revenue_write
    args: { invoice: string(64), payee: string(64), amount: decimal(2), kind: "enum(new, old)", urgent: bool }
    responds: { id: string(64), payee: string(64) }
    identity: id
    amounts: args.amount in EUR
  mail.send@1.0.0:
    effect: write
    args: { to: string(254), copies: int, kind: "enum(new, old)", loud: bool }
    responds: { id: string(64) }
`);

const plan = (where: string, rules: readonly string[] = []) =>
  planOf(
    planText(rules, { where: JSON.stringify(where) })
      .replace('state: { left: 80.00, ', 'state: { left: 80.00, held: { type: string(64), initial: "x" }, ')
      .replace('effects: { "sent', 'effects: { held: args.to, "sent'),
    TOOLS,
  );
const context = { tools: TOOLS, tables: [APPROVED_TABLE], sheets: [] };

/** Conditions on a payment, rules, and whether they leave the payee to the agent. */
const TIES: readonly (readonly [where: string, rules: readonly string[], isFree: boolean])[] = [
  ['args.payee == "Acme"', [], false],
  ['args.payee == name', [], false],
  ['args.payee == approved[args.invoice].payee', [], false],
  ['args.payee in ["Acme", "Bo"]', [], false],
  ['args.payee == (flag ? approved[args.invoice].payee : args.payee)', [], true],
  ['args.payee == (flag ? approved[args.invoice].payee : args.invoice)', [], true],
  ['args.payee == (flag ? approved[args.invoice].payee : "Acme")', [], false],
  ['flag ? args.payee == "Acme" : args.payee == "Bo"', [], false],
  ['flag ? args.payee == "Acme" : args.payee != "Bo"', [], true],
  ['approved.exists(r, r.payee == args.payee)', [], false],
  ['approved.exists(r, r.payee == args.invoice)', [], true],
  ['state.sent.exists(e, e.key == args.payee)', [], true],
  ['args.payee == state.held', [], true],
  ['flag', ['r: pay.all(p, pay.exists(q, q.args.payee == p.args.payee))'], true],
  ['flag', ['r: pay.all(p, p.args.payee == p.response.payee)'], true],
  ['flag', ['r: pay.all(p, look.exists(l, l.payee == p.args.payee))'], true],
  ['flag', ['r: pay.all(p, look.exists(l, l.payee == p.args.payee))', 's: look.all(l, l.order == name)'], false],
  ['flag', ['r: pay.all(p, mail.exists(m, m.to == p.args.payee))'], true],
  [
    'flag',
    ['r: pay.all(p, mail.exists(m, m.to == p.args.payee))', 's: mail.all(m, pay.exists(p, p.args.payee == m.to))'],
    true,
  ],
  ['flag', ['r: pay.all(p, mail.exists(m, m.to == p.args.payee))', 's: mail.all(m, m.to == name)'], false],
];

test('an argument is tied only to what the agent does not choose, on every path', (t) => {
  for (const [where, rules, isFree] of TIES) {
    const parts = readParts(plan(where, rules), context);
    const pay = parts.plan.steps.find(({ step_id }) => step_id === 'pay');
    t.is(pay && looseArguments(pay, parts).includes('payee'), isFree, `${where} ${rules.join(' ')}`);
  }
});

test('free enums, booleans and numbers of writes are shown', (t) => {
  const view = viewPlan(plan('args.amount == 5.00', ['r: mail.all(m, m.copies <= 3)']), {
    ...context,
    hash: 'a'.repeat(64),
    lint: [],
  });
  const [, choices = ''] = view.split('## What the agent may do');
  t.true(
    choices.includes(
      '- `pay`, 0 to 10 times, by `bank.pay@2.0.0`: **the agent chooses** `invoice`, `payee`, `kind` and `urgent`',
    ),
    view,
  );
  t.true(
    choices.includes(
      '- `mail`, 0 to 5 times, by `mail.send@1.0.0`: **the agent chooses** `to`, `copies` (at most 3), `kind` and `loud`',
    ),
  );
});
