import test from 'ava';
import { checkPlan } from '../../../workers/solver/check/check-plan.ts';
import { findDangers } from '../../../workers/plan-view/lint/find-dangers.ts';
import { viewPlan } from '../../../workers/plan-view/view-plan.ts';
import { APPROVED_TABLE, planOf, planText, TOOLS, toolsIn, TOOLS_TEXT } from '../../models/plan-texts.ts';

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

const DANGERS: readonly Danger[] = [
  {
    why: 'a payee that the agent chooses',
    where: 'args.amount > 0.00 && args.invoice in approved',
    code: 'ARGUMENT_FREE',
    shown: /\*\*the agent chooses freely\*\*: `payee`/,
  },
  {
    why: 'a payee that is only compared with another argument',
    where: 'args.amount > 0.00 && args.invoice in approved && args.payee == args.invoice',
    code: 'ARGUMENT_FREE',
    shown: /\*\*the agent chooses freely\*\*: `payee`/,
  },
  {
    why: 'a payee that one branch of an "or" leaves open',
    where: `args.amount > 0.00 && args.invoice in approved && (args.payee == "Acme" || flag)`,
    code: 'ARGUMENT_FREE',
    shown: /\*\*the agent chooses freely\*\*: `payee`/,
  },
  {
    why: 'a payee that is only excluded',
    where: 'args.amount > 0.00 && args.invoice in approved && args.payee != "Mallory" && !(args.payee in approved)',
    code: 'ARGUMENT_FREE',
    shown: /\*\*the agent chooses freely\*\*: `payee`/,
  },
  {
    why: 'an amount that may be negative, under a limit of the sum',
    where: TIED.replace('args.amount > 0.00 && ', ''),
    rules: ['sums: sum(pay, p, p.amount) <= cap'],
    code: 'AMOUNT_MAY_BE_NEGATIVE',
    shown: /`amount`: .*in a run at most \*\*no limit\*\*.*\*\*it may be negative\*\*/,
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
    code: 'AMOUNT_UNBOUNDED',
    shown: /`amount`: in one action at most \*\*no limit\*\*, in a run at most \*\*no limit\*\*/,
  },
  {
    why: 'a rule that no run can break',
    where: TIED,
    rules: ['limited: sum(pay, p, p.amount) <= cap || cap < sum(pay, p, p.amount)'],
    code: 'RULE_ALWAYS_TRUE',
    shown: /- `limited`: \(the sum of .* is at most `cap`.*\) or \(`cap` .*is below/,
  },
];
