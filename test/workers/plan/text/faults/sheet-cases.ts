import { Compile } from 'typebox/schema';
import { SheetDocument } from '../../../../../workers/exact/sheet-schema.ts';
import { compilePlan } from '../../../../../workers/plan/text/compile-plan.ts';
import type { TextFaultCode } from '../../../../../workers/plan/text/faults/text-fault.ts';
import { planText, TOOLS } from '../../../../models/plan-texts.ts';
import { SPEND_CAP } from '../../../../models/sheets.ts';

const APPROVED = '{"invoice":"A1","amount":"100.00","payee":"Acme"}\n';
const sheet = Compile(SheetDocument).Parse(SPEND_CAP);
/** A plan that uses a sheet. */
export const compileUse = (use: string) =>
  compilePlan(planText([]).replace('rules:', `sheets:\n  - ${use}\nrules:`), {
    tools: TOOLS,
    tables: new Map([['approved.jsonl', APPROVED]]),
    sheets: [sheet],
  });

export const PLAN_USE = 'sheet: spend-cap@1.0.0, for: plan, bind: { cap: cap, spent: "sum(pay, p, p.amount)" }';

/** A use with `^` at its fault. */
export const SHEET_FAULTS: readonly (readonly [string, TextFaultCode, RegExp])[] = [
  [
    '{ sheet: ^spend-cap@1.0.1, for: plan }',
    'UNKNOWN_SHEET',
    /there is no sheet "spend-cap@1\.0\.1"\. Did you mean spend-cap@1\.0\.0\?/,
  ],
  [
    '^{ sheet: spend-cap@1.0.0, bind: {} }',
    'MISSING_PART',
    /the use of a sheet has no for: add, for example, for: plan/,
  ],
  ['{ sheet: spend-cap@1.0.0, for: ^[plan] }', 'WRONG_FORM', /write plan, or each and a step: each pay/],
  ['{ sheet: spend-cap@1.0.0, for: ^pay }', 'MALFORMED_VALUE', /"pay" is neither plan nor each and a step: each pay/],
  ['{ sheet: spend-cap@1.0.0, for: ^each pay x }', 'MALFORMED_VALUE', /neither plan nor each/],
  ['{ sheet: spend-cap@1.0.0, for: ^beach pay }', 'MALFORMED_VALUE', /neither plan nor each/],
  ['{ sheet: spend-cap@1.0.0, for: ^each pai }', 'UNKNOWN_STEP', /there is no step "pai"/],
  ['^{ sheet: spend-cap@1.0.0, for: plan }', 'MISSING_PART', /bind lacks cap, spent of spend-cap/],
  ['{ sheet: spend-cap@1.0.0, for: plan, bind: ^{ cap: cap } }', 'MISSING_PART', /bind lacks spent of spend-cap/],
  [
    `{ ${PLAN_USE.replace('cap: cap', 'cap: cap, ^cop: cap')} }`,
    'UNKNOWN_NAME',
    /spend-cap has no name "cop"\. Did you mean cap\?/,
  ],
  [
    `{ ${PLAN_USE.replace('cap: cap', 'cap: cap, ^constructor: cap')} }`,
    'UNKNOWN_NAME',
    /spend-cap has no name "constructor"/,
  ],
  [
    `{ ${PLAN_USE.replace('cap: cap', 'cap: ^name')} }`,
    'TYPE_MISMATCH',
    /cap is decimal\(2, 0\.00\.\.500\.00\), and this is a text/,
  ],
  [
    '{ sheet: spend-cap@1.0.0, for: each pay, bind: { spent: "^pay.exists(p, true)", cap: cap } }',
    'OUT_OF_SCOPE',
    /only rules and sheets/,
  ],
  [
    '{ sheet: spend-cap@1.0.0, for: plan, bind: ^x }',
    'WRONG_FORM',
    /write a map of expressions by the names of the sheet/,
  ],
];
