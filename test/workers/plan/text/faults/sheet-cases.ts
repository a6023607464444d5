import { Compile } from 'typebox/schema';
import { SheetDocument } from '../../../../../workers/exact/sheet-schema.ts';
import { compilePlan } from '../../../../../workers/plan/text/compile-plan.ts';
import { planText, TOOLS } from '../../../../models/plan-texts.ts';
import { SPEND_CAP } from '../../../../models/sheets.ts';
import { faultTable } from './fault-table.ts';

const APPROVED = '{"invoice":"A1","amount":"100.00","payee":"Acme"}\n';
const sheet = Compile(SheetDocument).Parse(SPEND_CAP);
export const PLAN_USE = 'sheet: spend-cap@1.0.0, for: plan, bind: { cap: cap, spent: "sum(pay, p, p.amount)" }';
/** A plan that uses a sheet. */
const BASE = planText([]).replace('rules:', `sheets:\n  - { ${PLAN_USE} }\nrules:`);
const compile = (text: string) =>
  compilePlan(text, { tools: TOOLS, tables: new Map([['approved.jsonl', APPROVED]]), sheets: [sheet] });
export const compileUse = (use: string) => compile(BASE.replace(`{ ${PLAN_USE} }`, use));

/** Faults of uses of a sheet. */
export const SHEET_FAULTS = faultTable(
  BASE,
  compile,
  `
@ { ${PLAN_USE} }
{ sheet: ^spend-cap@1.0.1, for: plan } ⇒ UNKNOWN_SHEET there is no sheet "spend-cap@1.0.1". Did you mean\
 spend-cap@1.0.0?
^{ sheet: spend-cap@1.0.0, bind: {} } ⇒ MISSING_PART the use of a sheet has no for: add, for example, for: plan
{ sheet: spend-cap@1.0.0, for: ^[plan] } ⇒ WRONG_FORM write plan, or each and a step: each pay
{ sheet: spend-cap@1.0.0, for: ^pay } ⇒ MALFORMED_VALUE "pay" is neither plan nor each and a step: each pay
{ sheet: spend-cap@1.0.0, for: ^each pay x } ¦ beach pay } ⇒ MALFORMED_VALUE neither plan nor each
{ sheet: spend-cap@1.0.0, for: ^each pai } ⇒ UNKNOWN_STEP there is no step "pai"
^{ sheet: spend-cap@1.0.0, for: plan } ⇒ MISSING_PART bind lacks cap, spent of spend-cap
{ sheet: spend-cap@1.0.0, for: plan, bind: ^{ cap: cap } } ⇒ MISSING_PART bind lacks spent of spend-cap
{ sheet: spend-cap@1.0.0, for: plan, bind: { cap: cap, ^cop: cap, spent: "sum(pay, p, p.amount)" } }\
 ⇒ UNKNOWN_NAME spend-cap has no name "cop". Did you mean cap?
{ sheet: spend-cap@1.0.0, for: plan, bind: { cap: cap, ^constructor: cap, spent: "sum(pay, p, p.amount)" } }\
 ⇒ UNKNOWN_NAME spend-cap has no name "constructor"
{ sheet: spend-cap@1.0.0, for: plan, bind: { cap: ^name, spent: "sum(pay, p, p.amount)" } }\
 ⇒ TYPE_MISMATCH cap is decimal(2, 0.00..500.00), and this is a text
{ sheet: spend-cap@1.0.0, for: each pay, bind: { spent: "^pay.exists(p, true)", cap: cap } }\
 ⇒ OUT_OF_SCOPE only rules and sheets
{ sheet: spend-cap@1.0.0, for: plan, bind: ^x } ⇒ WRONG_FORM write a map of expressions by the names of the sheet
`,
);
