import { compileRuns } from '../../../../../workers/plan/text/runs/compile-runs.ts';
import { planOf, planText, TOOLS } from '../../../../models/plan-texts.ts';
import { faultTable } from './fault-table.ts';

export const RUN_PLAN = planText([]).replace(
  'reads: { id: /id }',
  'times: 0..5, reads: { id: /a~1b/~01/id, sum: "decimal(2) at /a~1b/sum", n: int, last: string(9) at /z, all: int at "" }',
);
const plan = planOf(RUN_PLAN);
export const compileRun = (text: string, from = plan) => compileRuns(text, from, TOOLS);

export const RUNS_BASE = `a run:
  must: satisfied
  because: once
  approvals: [finance]
  actions:
    - pay: { invoice: A1, amount: 1.00, payee: x }
      responds: { id: t1, left: 2.00 }
      receipt: { id: t1 }
`;

/** Faults of a run of examples. */
export const RUN_FAULTS = faultTable(
  RUNS_BASE,
  (text) => compileRun(text),
  `
  must: satisfied⏎ →   ^mist: satisfied⏎  must: satisfied⏎ ⇒ UNKNOWN_PART the run "a run" has no part "mist". Did you\
 mean must?
@ must: satisfied
must: ^true ⇒ UNKNOWN_VALUE "true" is neither satisfied nor violated
must: ^[a] ⇒ WRONG_FORM write satisfied or violated
  must: satisfied⏎  because →   ^because ⇒ MISSING_PART the run "a run" has no must: add, for example, must: satisfied
@ because: once
because: ^[a] ⇒ WRONG_FORM write the id of a rule
approved: ^[a] ⇒ WRONG_FORM write the time of approval
approved: ^today ⇒ MALFORMED_TIME "today" is not a time that exists
approvals: [finance] → approvals: [^[a]] ⇒ WRONG_FORM write a group of keys
- pay: { invoice: A1, amount: 1.00, payee: x } → - ^x: {} ⇒ UNKNOWN_STEP there is no step "x". Known: look, pay, mail
- pay: { → - ^pya: { ⇒ UNKNOWN_STEP Did you mean pay?
@ - pay:
- ^{}⏎    - pay: ⇒ WRONG_FORM the action is empty
- ^x⏎    - pay: ⇒ WRONG_FORM this is not a map: write an action such as pay: { amount: 10.00 }
pay: { invoice: A1 → pay: { ^invoce: A1 ⇒ UNKNOWN_NAME the arguments cannot have "invoce". Did you mean invoice?
@ amount: 1.00
amount: ^x ⇒ MALFORMED_NUMBER "x" is not a number
amount: ^[1] ⇒ WRONG_FORM write a value
pay: { invoice: A1, amount: 1.00, payee: x } → pay: ^x ⇒ WRONG_FORM write the arguments by name
responds: { id: t1, → responds: { ^idd: t1, ⇒ UNKNOWN_NAME the response cannot have "idd". Did you mean id?
responds: { id → ^respond: { id ⇒ UNKNOWN_PART an action has no part "respond". Did you mean responds?
@ responds: { id: t1, left: 2.00 }
outcome: ^done ⇒ UNKNOWN_VALUE outcome is failed or unknown, not "done"
outcome: ^faild ⇒ UNKNOWN_VALUE Did you mean failed?
outcome: ^[failed] ⇒ WRONG_FORM write failed or unknown
outcome: failed⏎      responds: ^{ id: t1 } ⇒ WRONG_FORM an act that is failed has no response
receipt: { id → ^reciept: { id ⇒ UNKNOWN_PART Did you mean receipt?
@ receipt: { id: t1 }
receipt: [{ id: t1 }, { ^ident: t1 }] ⇒ UNKNOWN_NAME the evidence receipt cannot have "ident"
receipt: ^x ⇒ WRONG_FORM write the evidence receipt by name
started: ^[x] ⇒ WRONG_FORM write a time such as 2099
ended: ^noon ⇒ MALFORMED_TIME "noon" is not a time that exists
actions:⏎    - pay: → actions:⏎      ^pay: ⇒ WRONG_FORM actions are a list: - pay
`,
);
