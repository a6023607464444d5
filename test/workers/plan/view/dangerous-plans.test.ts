import test from 'ava';
import { hashPlan } from '../../../../workers/plan/view/view-plan.ts';
import { checkPlan } from '../../../../workers/verdict/check/check-plan.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import {
  APPROVED_TABLE,
  compileExample,
  EXAMPLE_NAMES,
  planOf,
  planText,
  readExample,
  TOOLS,
  TOOLS_TEXT,
  textsOf,
  toolsIn,
} from '../../../models/plan-texts.ts';
import { dangersOf, viewOf } from '../../../models/view.ts';

interface Danger {
  readonly why: string;
  readonly where?: string;
  readonly rules?: readonly string[];
  /** A change of the plan's text, or of the catalogue's. */
  readonly change?: readonly [string, string];
  readonly tools?: readonly [string, string];
  /** The warning that it must give, and what its approver must read. */
  readonly code: string;
  readonly shown: RegExp;
}

const TIED = 'args.amount > 0.00 && args.invoice in approved && args.payee == approved[args.invoice].payee';
const RECEIPT = 'receipt: { type: application/json, reads: { id: /id }, where: receipt.id == response.id }';
const RECEIPT_WITH_AMOUNT =
  'receipt: { type: application/json, reads: { id: /id, amount: /amount }, where: receipt.id == response.id && receipt.amount == args.amount }';

const DANGERS: readonly Danger[] = [
  {
    why: 'a payee that the agent chooses',
    where: 'args.amount > 0.00 && args.invoice in approved',
    code: 'ARGUMENT_FREE',
    shown: /`pay`, .*: \*\*the agent chooses\*\* .*`payee`/,
  },
  {
    why: 'a payee that is only compared with another argument',
    where: 'args.amount > 0.00 && args.invoice in approved && args.payee == args.invoice',
    code: 'ARGUMENT_FREE',
    shown: /`pay`, .*: \*\*the agent chooses\*\* .*`payee`/,
  },
  {
    why: 'a payee that one branch of an "or" leaves open',
    where: `args.amount > 0.00 && args.invoice in approved && (args.payee == "Acme" || flag)`,
    code: 'ARGUMENT_FREE',
    shown: /`pay`, .*: \*\*the agent chooses\*\* .*`payee`/,
  },
  {
    why: 'a payee that is only excluded',
    where: 'args.amount > 0.00 && args.invoice in approved && args.payee != "Mallory" && !(args.payee in approved)',
    code: 'ARGUMENT_FREE',
    shown: /`pay`, .*: \*\*the agent chooses\*\* .*`payee`/,
  },
  {
    why: 'an amount that may be negative, under a limit of the sum',
    where: TIED.replace('args.amount > 0.00 && ', ''),
    rules: ['sums: sum(pay, p, p.amount) <= cap'],
    code: 'AMOUNT_MAY_BE_NEGATIVE',
    shown: /`amount`: .*in a run \*\*no limit\*\*.*\*\*it may be negative\*\*/,
  },
  {
    why: 'an act that moves money without evidence',
    where: TIED,
    change: [`evidence:\n      ${RECEIPT}`, 'evidence: {}'],
    code: 'NO_EVIDENCE',
    shown: /\*\*no evidence is asked for\*\*/,
  },
  {
    why: 'evidence that may be missing',
    where: TIED,
    change: ['receipt: {', 'receipt: { times: 0..1,'],
    code: 'NO_EVIDENCE',
    shown: /\*\*so it may be missing\*\*/,
  },
  {
    why: 'evidence of nothing',
    where: TIED,
    change: [', where: receipt.id == response.id', ''],
    code: 'EVIDENCE_NOT_BOUND',
    shown: /\*\*nothing is checked in it\*\*/,
  },
  {
    why: 'evidence without the amount',
    where: TIED,
    code: 'EVIDENCE_WITHOUT_AMOUNT',
    shown: /`no evidence of pay equals args\.amount`/,
  },
  {
    why: 'evidence that is compared with itself',
    where: TIED,
    change: [', where: receipt.id == response.id', ', where: receipt.id == receipt.id && receipt.id != ""'],
    code: 'COMPARES_ITSELF',
    shown: /where .*`evidence\.id` is `evidence\.id`/,
  },
  {
    why: 'an effect that repeats its response',
    where: TIED,
    tools: ['left: state.left - args.amount', 'left: response.left'],
    code: 'MODEL_REPEATS_RESPONSE',
    shown: /then `left` becomes `response\.left`, by the tool/,
  },
  {
    why: 'more believed actions than a proof allows',
    where: TIED,
    change: ['look@1, times: 0..5', 'look@1, times: 30..40'],
    code: 'TOO_MANY_RECORDED',
    shown: /A proof allows at most 20 such actions/,
  },
  {
    why: 'an amount without a limit',
    where: TIED,
    change: ['tool: bank.pay@2\n', 'tool: bank.pay@2.0.0\n'],
    code: 'AMOUNT_UNBOUNDED',
    shown: /`amount`: in one action \*\*no limit\*\*, in a run \*\*no limit\*\*/,
  },
  {
    why: 'a rule that no run can break',
    where: TIED,
    rules: ['limited: sum(pay, p, p.amount) <= cap || cap < sum(pay, p, p.amount)'],
    code: 'RULE_ALWAYS_TRUE',
    shown: /- `limited`: \(the sum of .* is at most `cap`.*\) or \(`cap` .*is below/,
  },
];

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

function examine({ where = TIED, rules = [], change = ['', ''], tools: toolsChange = ['', ''] }: Danger) {
  const tools = toolsIn(TOOLS_TEXT.replace(toolsChange[0], toolsChange[1]));
  const plan = planOf(planText(rules, { where: JSON.stringify(where) }).replace(change[0], change[1]), tools);
  const context = { tools, tables: [APPROVED_TABLE], sheets: [] };
  const { lint, fault } = checkPlan(plan, by, { tools: textsOf(tools), tables: [APPROVED_TABLE] });
  const found = [...lint, ...dangersOf(plan, context)].map((finding) => finding.code);
  return { fault, found, view: viewOf(plan, { ...context, hash: hashPlan(plan), lint }) };
}

for (const danger of DANGERS) {
  const { why, code, shown } = danger;
  test(`${why}: its approver can see it, and lint warns of it`, (t) => {
    const { fault, found, view } = examine(danger);
    t.is(fault, undefined);
    t.regex(view, shown);
    t.true(found.includes(code), `${code} is not among ${found.join(', ')}`);
    t.true(view.includes(`- \`${code}\` at `));
  });
}

for (const name of EXAMPLE_NAMES) {
  test(`the example ${name} has no danger that lint knows`, (t) => {
    const tools = toolsIn(readExample('tools.yaml'));
    const { plan, tables } = compileExample(name, tools);
    t.deepEqual(dangersOf(plan, { tools, tables, sheets: [] }), []);
    const { lint, judgement } = checkPlan(plan, by, { tools: textsOf(tools), tables });
    t.deepEqual([judgement.verdict, lint], ['satisfied', []]);
  });
}

test('a plan without these dangers gives none of these warnings', (t) => {
  const text = planText(['sums: sum(pay, p, p.amount) <= cap'], { where: JSON.stringify(TIED) });
  const plan = planOf(text.replace(RECEIPT, RECEIPT_WITH_AMOUNT));
  const found = dangersOf(plan, { tools: TOOLS, tables: [APPROVED_TABLE], sheets: [] });
  // The message is sent without evidence on purpose: every kind of step is in this plan.
  t.deepEqual(
    found.map(({ code, path }) => `${code} ${path}`),
    ['NO_EVIDENCE /steps/2/evidence'],
  );
});
