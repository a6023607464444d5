import { compileTools } from '../../../../../workers/plan/text/tools/compile-tools.ts';
import { faultTable } from './fault-table.ts';

export const TOOLS_BASE = `tools:
  bank.pay@1.0.0:
    effect: revenue_write
    replay: effects
    args: { amount: decimal(2), payee: string(64), unit: "enum(cent, euro)" }
    responds: { id: string(64), number: int, left: decimal(2), ok: bool }
    identity: id
    state: { left: decimal(2), by: "map(string(64), int)" }
    effects: { left: state.left - args.amount, "by[args.payee]": 1 }
    observe: { left: left }
    post: response.ok
    limits: { one: 1 act per day }
    amounts: args.amount in EUR
`;

const limits = Array.from({ length: 17 }, (_, index) => `l${index}: 1 act per day`).join(', ');

/** Faults of descriptions of tools. */
export const TOOL_FAULTS = faultTable(
  TOOLS_BASE,
  compileTools,
  `
@ tools:
^tolls: ⇒ UNKNOWN_PART a catalogue has no part "tolls". Did you mean tools?
^tolls: ⇒ MISSING_PART a catalogue has no tools: add, for example, tools: { order.get
tools:⏎ → tools: ^x⏎more:⏎ ⇒ WRONG_FORM this is not a map: write tools by name and version
@ bank.pay@1.0.0
^bank.pay ⇒ MALFORMED_NAME "bank.pay" is not a name with a version: write, for example, order.get@1.0.0
^${'b'.repeat(65)}@1.0.0 ¦ ^bank.pay@1.0 ⇒ MALFORMED_NAME is not a name with a version
    effect: revenue_write →     ^efect: revenue_write ⇒ UNKNOWN_PART the tool bank.pay has no part "efect". Did you\
 mean effect?
@ effect: revenue_write
effect: ^wirte ⇒ UNKNOWN_VALUE effect is none, write, revenue_write, not "wirte". Did you mean write?
effect: ^[none] ⇒ WRONG_FORM a list is here: write none, write, revenue_write
    observe: { left: left }⏎ →  ⇒ WRONG_REPLAY 4:13 replay is "effects", which compares states with the response: add\
 observe, or write "recorded"
replay: effects → replay: ^recorded ⇒ WRONG_REPLAY replay is "recorded", and only "effects" observes states
    identity: id⏎ →  ⇒ WRONG_REPLAY 3:13 effect is "revenue_write", and a tool that moves money needs identity: the\
 field that identifies one act
effect: revenue_write → effect: write ⇒ WRONG_FORM 13:14 amounts is only for a tool whose effect is revenue_write
one: 1 act per day → ${limits} ⇒ TOO_MANY 12:13 limits must not have more than 16 items
id: string(64), n → id: ^"string(64, trimmed)", n ⇒ MALFORMED_TYPE only an argument of a tool or a column of a table
replay: effects → replay: ^effect ⇒ UNKNOWN_VALUE replay is recorded, effects, pure, not "effect". Did you mean effects?
@ args: {
args: { ^a b: int, ⇒ MALFORMED_NAME "a b" is not a name
args: { a: ^[int], ⇒ MALFORMED_TYPE a list is the type of its elements
args: { amount → args: ^x⏎    amunt: { amount ⇒ WRONG_FORM write a map of arguments by name
responds: { id → responds: ^x⏎    amunt: { id ⇒ WRONG_FORM write a map of response fields by name
@ responds: { id: string(64)
responds: { ^a.b: int, id: string(64) ⇒ MALFORMED_NAME cannot be used in expressions
responds: { id: ^/id ⇒ MALFORMED_TYPE the type of id is not known: no argument or response field has this name
@ identity: id
identity: ^ok ⇒ UNKNOWN_NAME identity names a string or int of the response, and "ok" is none
identity: ^idd ⇒ UNKNOWN_NAME "idd" is none. Did you mean id?
identity: ^[id] ⇒ WRONG_FORM write the name of a response field
once: ^args.amount ⇒ UNKNOWN_NAME once names a text among the arguments, and "args.amount" is none
once: ^args.paye ⇒ UNKNOWN_NAME "args.paye" is none. Did you mean args.payee?
once: ^payee ⇒ UNKNOWN_NAME "payee" is none
once: ^[id] ⇒ WRONG_FORM write args. and the name of a text
@ by: "map(string(64), int)"
by: ^"map(string(64), int, default 0)" ⇒ MALFORMED_TYPE each plan gives the default of a map: write map(string, int)\
 here
by: ^"map(string(64, trimmed), int)" ⇒ MALFORMED_TYPE only an argument of a tool or a column of a table is folded:\
 write string(64)
by: ^"map(string(64), string(3, trimmed))" ⇒ MALFORMED_TYPE is folded: write string(3)
state: { left: decimal(2) → state: { ^a.b: int, left: decimal(2) ⇒ MALFORMED_NAME cannot be used in expressions
state: { left → state: ^x⏎    stat: { left ⇒ WRONG_FORM write a map of types of states by name
@ left: state.left - args.amount
left: "state.left - args.^amont" ⇒ UNKNOWN_NAME Did you mean amount?
^lft: 1 ⇒ UNKNOWN_NAME there is no state lft. Did you mean left?
^by: 1 ⇒ TYPE_MISMATCH by is a map: say which key, as in by[args.to]
left: state.left ^* 1.5 ⇒ TYPE_MISMATCH the state left is decimal(2), and this has 3 decimals
effects: { left: state → effects: ^x⏎    efects: { left: state ⇒ WRONG_FORM write effects by state, such as stock
@ observe: { left: left }
observe: { ^lft: left } ⇒ UNKNOWN_NAME there is no state "lft" with one value. Did you mean left?
observe: { ^by: left } ⇒ UNKNOWN_NAME there is no state "by" with one value
observe: { left: ^lft } ⇒ UNKNOWN_NAME the response has no field "lft". Did you mean left?
observe: { left: ^number } ⇒ UNKNOWN_NAME number has another type than left
observe: { left: ^[left] } ⇒ WRONG_FORM write the name of a response field
observe: ^x ⇒ WRONG_FORM write a map of response fields by state
@ post: response.ok
post: response.^okay ⇒ UNKNOWN_NAME response has no okay. Did you mean ok?
post: ^ok ⇒ UNKNOWN_NAME ok is not known: write response.ok
limits: { one: 1 act per day } → limits: ^x ⇒ WRONG_FORM write a map of limits by name, such as 10000.00 of amount per\
 day
@ one: 1 act per day
one: ^[a] ⇒ WRONG_FORM a list is here: write 10000.00 of amount per day
one: ^x1 act per day ¦ 1 act per days ⇒ MALFORMED_VALUE is not a limit: write 10000.00 of amount per day
one: ^-1 acts per day ⇒ MALFORMED_VALUE is not a limit: write 10000.00 of amount per day
one: ^10000.005 of amount per day ⇒ OUT_OF_RANGE 3 decimals
one: ^2.5 acts per day ⇒ OUT_OF_RANGE 1 decimals
one: ^1.. acts per day ⇒ MALFORMED_NUMBER is not a number
one: ^1 act for each payer per day ⇒ UNKNOWN_NAME the tool has no argument payer. Did you mean payee?
one: ^1 of payee per day ⇒ UNKNOWN_NAME payee is not a number among the arguments
@ amounts: args.amount in EUR
amounts: ^{ a: b } ⇒ WRONG_FORM write args.amount in EUR, args.cents in 0.01 EUR
amounts: [args.amount in EUR, ^args.amount in eur] ⇒ MALFORMED_VALUE is not an amount: write args.amount in EUR
amounts: ^xargs.amount in EUR ¦ args.amount in 0.00 EUR ⇒ MALFORMED_VALUE is not an amount: write args.amount in EUR
amounts: ^args.amount in EURO! ⇒ MALFORMED_VALUE is not an amount: write args.amount in EUR
amounts: ^response.amount in EUR ⇒ UNKNOWN_NAME "amount" is not a number there
amounts: ^args.amount in args.amount ⇒ UNKNOWN_NAME is not a text or enum there
amounts: ^args.amont in EUR ⇒ UNKNOWN_NAME "amont" is not a number there. Did you mean amount?
amounts: ^args.amount in args.units ⇒ UNKNOWN_NAME "units" is not a text or enum there. Did you mean unit?
amounts: ^args.payee in EUR ⇒ UNKNOWN_NAME "payee" is not a number there. Known: amount.$
`,
);

export const words = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);

/** Faults of the type of an argument. */
export const TYPE_FAULTS = faultTable(
  "tools:\n  look@1.0.0:\n    args: { a: 'int' }\n",
  compileTools,
  `
@ int
^strnig(3) ⇒ MALFORMED_TYPE "strnig(3)" is not a type: write string(64)…Did you mean string?
^1int ¦ ^int x ¦ ^int) ⇒ MALFORMED_TYPE is not a type
^enum(a ⇒ MALFORMED_TYPE a comma ends a value inside braces: put this type in quotes
^string(1, email, 2) ⇒ MALFORMED_TYPE string takes at most 2 values in its parentheses
^int(0..1, 2) ⇒ MALFORMED_TYPE int takes at most 1 values
^decimal(1, 0..1, 2) ⇒ MALFORMED_TYPE decimal takes at most 2 values
^decimal ⇒ MALFORMED_TYPE decimal needs its number of decimals: write decimal(2)
decimal(^19) ⇒ MALFORMED_TYPE "19" is not a number from 0 to 18
decimal(^02) ¦ x2) ¦ decimal( ^2x) ⇒ MALFORMED_TYPE from 0 to 18
string(^65537) ¦ -1) ⇒ MALFORMED_TYPE from 0 to 65536
string(3, ^nfc) ⇒ MALFORMED_TYPE "nfc" is not how a text is folded: write string(254, email), or trimmed.
string(3, ^trimed) ⇒ MALFORMED_TYPE Did you mean trimmed?
^bool(1) ⇒ MALFORMED_TYPE bool takes no parentheses: write bool
^time(1) ⇒ MALFORMED_TYPE time takes no parentheses
^duration(1) ⇒ MALFORMED_TYPE duration takes no parentheses
int(^..) ⇒ MALFORMED_TYPE ".." is not a range: write, for example, 0..100
int(^5) ⇒ MALFORMED_TYPE "5" is not a range
int(^0..1 x) ¦ x 0..1) ⇒ MALFORMED_TYPE is not a range
int(^2..1) ⇒ MALFORMED_TYPE the range 2..1 is empty: write the smaller number first
decimal(2, ^1.01..1) ⇒ MALFORMED_TYPE the range 1.01..1 is empty
int(^a..1) ⇒ MALFORMED_NUMBER "a" is not a number
int(0..  ^b) ⇒ MALFORMED_NUMBER "b" is not a number
decimal(1, 0..^1.25) ⇒ OUT_OF_RANGE 2 decimals
^enum ¦ ^enum(${words(257)}) ⇒ MALFORMED_TYPE enum has 1 to 256 values: write enum(open, paid)
enum(a,^) ¦ enum(a, ^${'b'.repeat(65)}) ⇒ MALFORMED_TYPE a value of an enum has 1 to 64 characters
enum(a, b, ^a) ⇒ MALFORMED_TYPE "a" occurs twice in this enum
`,
);
