import { compilePlan } from '../../../../../workers/plan/text/compile-plan.ts';
import { compileText, planText, toolsIn } from '../../../../models/plan-texts.ts';
import { faultTable } from './fault-table.ts';

const ROWS = Array.from({ length: 257 }, (_, b) => `{ a: x, b: ${b}, c: true }`);

/** Faults of all parts of a plan but its rules. */
export const PLAN_FAULTS = faultTable(
  planText(['once: unique(pay, p, p.invoice)']),
  (text) => compileText(text),
  `
plan: A plan⏎ →  ⇒ MISSING_PART has no plan
@ expires: 2026-12-05T00:00:00Z
expires: ^2026-12-05 ⇒ MALFORMED_TIME is a date without a time of day: write, for example, 2026-12-05T00:00:00Z
expires: ^2026-02-30T00:00:00Z ⇒ MALFORMED_TIME exists
expires: ^{ a: 1 } ⇒ WRONG_FORM a map is here: write a time such as 2099
@ recorded: 20
recorded: ^1001 ¦ x1 ¦ 1x ¦ 00001 ⇒ OUT_OF_RANGE 0 to 1000
^record: 20 ⇒ UNKNOWN_PART Did you mean recorded?
recorded: 20⏎^recorded: 21 ⇒ DUPLICATE_NAME twice
approvals: ^9 ¦ 0 ⇒ OUT_OF_RANGE 1 to 8
recorded: ^-1 ⇒ OUT_OF_RANGE "-1" is not a number from 0 to 1000
recorded: ^[1] ⇒ WRONG_FORM a list is here: write a number from 0 to 1000
outcomes: ^failed ⇒ UNKNOWN_VALUE outcomes can only be done, not "failed"
reserve: ^10 ¦ 0s ¦ 1h1s ¦ 1.5s ¦ -1m ¦ soon ⇒ OUT_OF_RANGE is not whole seconds from 1s to 1h: write 10m
reserve: ^[1] ⇒ WRONG_FORM a list is here: write how long: 10m
executions: 2⏎runs: { cap: ^state.left > 0.00 } ⇒ OUT_OF_SCOPE states begin anew in each run
executions: 2⏎runs: { once: ^count(pay) <= 1 } ⇒ WRONG_FORM once is a rule of each run as well
executions: 1000⏎runs: ^{ few: count(pay) + count(look) <= 1 } ⇒ TOO_MANY at most 10000 together
executions: ^0 ¦ 1001 ⇒ OUT_OF_RANGE 1 to 1000
supersedes: ^a b ⇒ MALFORMED_NAME "a b" is not the id of a plan
supersedes: ^(ab ¦ ab) ¦ ${'a'.repeat(65)} ⇒ MALFORMED_NAME not the id of a plan
supersedes: ^[a] ⇒ WRONG_FORM a list is here: write the id of a plan
^${'k'.repeat(81)}: 20 ⇒ UNKNOWN_PART "${'k'.repeat(80)}…"
^${'k'.repeat(80)}: 20 ⇒ UNKNOWN_PART "${'k'.repeat(80)}"
@ cap: 25.00
cap: ^025.00 ⇒ MALFORMED_NUMBER leading zeros
cap: ^1e3 ⇒ MALFORMED_NUMBER exponent
cap: ^0x10 ¦ 1_000 ¦ +1 ¦ .5 ¦ 1. ¦ -$1 ⇒ MALFORMED_NUMBER Quote it if it is a text
cap: ^100€ ¦ €100 ¦ 5% ⇒ MALFORMED_NUMBER units
cap: ^True ¦ null ¦ yes ¦ Off ⇒ MALFORMED_VALUE quote it
cap: { type: ^"string(3, trimmed)", value: x } ⇒ MALFORMED_TYPE only an argument of a tool or a column of a table
cap: { type: ^strnig, value: 1 } ⇒ MALFORMED_TYPE Did you mean string?
cap: { type: decimal(2), value: ^1.234 } ⇒ OUT_OF_RANGE 3 decimals
cap: { type: "decimal(2, 0..10)", value: ^11.00 } ⇒ OUT_OF_RANGE outside the bounds
cap: { type: int(2..9), value: ^10 } ⇒ OUT_OF_RANGE outside the bounds
^args: 25.00 ⇒ NAME_TAKEN word of the language
^my-cap: 25.00 ⇒ MALFORMED_NAME letters, digits
cap: ^14d ⇒ MALFORMED_TIME write { type: duration, value: 336h }
cap: ^24h ⇒ MALFORMED_TIME write { type: duration, value: 24h }
cap: ^2026-12-05 ⇒ MALFORMED_TIME write, for example, 2026-12-05T00:00:00Z
cap: ^[1] ⇒ WRONG_FORM a list is here: write a value, such as 25000
cap: { type: int, ^valeu: 1 } ⇒ UNKNOWN_PART the value cap has no part "valeu". Did you mean value?
cap: ^{ value: 1 } ¦ { type: int } ⇒ MISSING_PART the value cap has no
cap: { type: int, value: ^[1] } ⇒ WRONG_FORM write a value
cap: { type: ^[int], value: 1 } ⇒ WRONG_FORM a list is here: write a type: string(64)
cap: ^${'9'.repeat(39)} ¦ -${'9'.repeat(37)}.99 ⇒ MALFORMED_NUMBER more than 38 digits
cap: ^-0.00 ¦ -0 ⇒ MALFORMED_NUMBER no negative zero
cap: ^~ ⇒ MALFORMED_VALUE "~" is not a value: quote it
cap: ^2026-12-05T00:00 ⇒ MALFORMED_TIME not a time that exists
cap: { type: bool, value: ^"true" } ⇒ MALFORMED_VALUE "true" is not a bool: write true or false
cap: { type: bool, value: ^yes } ⇒ MALFORMED_VALUE write true or false
cap: { type: duration, value: ^1 hour } ⇒ MALFORMED_TIME "1 hour" is not a duration: write 1h$
cap: { type: duration, value: ^90 } ⇒ MALFORMED_TIME write hours and minutes, such as 1h30m$
cap: { type: string(3), value: ^abcd } ⇒ OUT_OF_RANGE 4 characters, and its type string(3) allows 3
cap: { type: "enum(open, shut)", value: ^opne } ⇒ UNKNOWN_VALUE enum(open, shut). Did you mean open?
cap: { type: int, value: ^1.0 } ⇒ OUT_OF_RANGE "1.0" has 1 decimals, and int is a whole number
cap: { type: int(2..9), value: ^1 } ⇒ OUT_OF_RANGE "1" is outside the bounds of int(2..9)
cap: { type: "decimal(2, ..9)", value: ^9.01 } ⇒ OUT_OF_RANGE outside the bounds of decimal(2, ..9.00)
@ left: 80.00
left: ^"80.00 EUR" ⇒ MALFORMED_NUMBER not a number
left: ^{ type: int, initial: 3 } ⇒ WRONG_STATE needs left as decimal(2)
left: ^[1] ⇒ WRONG_FORM a list is here: write an initial value, { type, initial }
left: { type: decimal(2), initial: 1.00, ^inital: 1 } ⇒ UNKNOWN_PART Did you mean initial?
left: ^{ initial: 1 } ¦ { type: decimal(2) } ⇒ MISSING_PART the state left has no
left: { type: decimal(2), initial: ^[1] } ⇒ WRONG_FORM write a value
left: ^"map(string, int, default 0)" ⇒ WRONG_STATE needs left as decimal(2), and it is map(
left: ^80.001 ⇒ OUT_OF_RANGE 3 decimals
left: 80.00, free: ^1e3 ⇒ MALFORMED_NUMBER Quote it
^a.b: 1, left: 80.00 ⇒ MALFORMED_NAME "a.b" cannot be used in expressions: use letters, digits and _
^1a: 1, left: 80.00 ⇒ MALFORMED_NAME cannot be used in expressions
^a b: 1, left: 80.00 ⇒ MALFORMED_NAME "a b" is not a name: use 1 to 64
^${'a'.repeat(65)}: 1, left: 80.00 ⇒ MALFORMED_NAME is not a name
left: 80.00, m: '^map(int)' ⇒ MALFORMED_TYPE a map has a type of keys, a type of values, and in a plan a default:\
 write map(
left: 80.00, m: '^map(int, int, default 0, 1)'\
 ⇒ MALFORMED_TYPE a map has a type of keys, a type of values, and in a plan a default: write map(
left: 80.00, m: ^"map(int, int)" ⇒ MALFORMED_TYPE a map in a plan has a default
left: 80.00, m: 'map(^decimal(2), int, default 0)'\
 ⇒ MALFORMED_TYPE decimal(2) cannot be a key: keys are int, string, enum or bool
left: 80.00, m: 'map(^time, int, default 0)' ⇒ MALFORMED_TYPE time cannot be a key
left: 80.00, m: 'map(^map(int, int), int, default 0)' ⇒ MALFORMED_TYPE cannot be a key
left: 80.00, m: 'map(int, ^map(int, int), default 0)' ⇒ MALFORMED_TYPE a map cannot hold maps
left: 80.00, m: 'map(int, int, ^0)' ¦ x default 0)' ⇒ MALFORMED_TYPE the default is missing: write map(
left: 80.00, m: 'map(int, int, default ^x)' ⇒ MALFORMED_NUMBER "x" is not a number
left: 80.00, m: 'map(int, bool, default ^"true")' ⇒ MALFORMED_VALUE is not a bool
left: 80.00, sent → sent ⇒ MISSING_STATE needs the state left
@ file: approved.jsonl
file: ^aproved.jsonl ⇒ UNKNOWN_FILE Did you mean approved.jsonl?
file: ^approved.csv ⇒ UNKNOWN_FILE plan table makes it of a CSV file.$
file: ^[a] ⇒ WRONG_FORM write the name of a file, such as approved.jsonl
payee: string(64) } } → payee: int } } ⇒ MALFORMED_TABLE line 1
@ key: invoice
key: ^invoce ⇒ UNKNOWN_NAME Did you mean invoice?
key: ^[] ⇒ WRONG_FORM a key has 1 to 4 different columns
@ { a: x, b: 1, c: true }
{ a: x, b: ^one, c: true } ⇒ MALFORMED_NUMBER not a number
^{ a: x, b: 1 } ⇒ MISSING_PART no c
{ a: x, b: 1, c: true }, ^{ a: x, b: 1, c: false } ⇒ DUPLICATE_KEY earlier row
^x ⇒ WRONG_FORM this is not a map: write a row with a, b, c
{ a: x, b: 1, c: true, ^d: 1 } ⇒ UNKNOWN_NAME a row cannot have "d". Known: a, b, c
{ a: x, b: 1, c: ^[true] } ⇒ WRONG_FORM write a value
@ tool: bank.pay@2
tool: ^bank.pya@2 ⇒ UNKNOWN_TOOL Did you mean bank.pay?
tool: ^bank.pay@3 ⇒ UNKNOWN_TOOL Known: 2.0.0, 2.3.1
tool: ^bank.pay ⇒ UNKNOWN_TOOL bank.pay@2
tool: ^${'b'.repeat(65)}@2 ¦ (bank.pay@2 ¦ bank.pay@2.3.1.0 ⇒ UNKNOWN_TOOL does not name a tool with its version
tool: ^bank.pay@2.x ⇒ UNKNOWN_TOOL write, for example, bank.transfer@2
tool: ^bank.pay@2.3.10 ⇒ UNKNOWN_TOOL bank.pay has no version 2.3.10. Known
@ times: 0..10
times: ^often ⇒ MALFORMED_VALUE 0..20
times: ^10..1 ⇒ OUT_OF_RANGE 1..10
times: ^0 ⇒ OUT_OF_RANGE 1 to 1000
times: 0..10⏎    after: ^looks ¦ times: 0..10⏎    overlaps: ^looks ⇒ UNKNOWN_STEP Did you mean look?
times: 0..10⏎    after: ^pay ⇒ CYCLIC_ORDER after itself
times: 0..10⏎    after: { look: ^6 } ⇒ OUT_OF_RANGE at most 5
times: 0..10⏎    after: { look: ^maybe } ⇒ MALFORMED_VALUE if_done
times: 0..10⏎    overlaps: [look, ^look] ¦ times: 0..10⏎    after: [look, ^look] ⇒ DUPLICATE_NAME twice: delete one
times: 0..10⏎    effects: { left: ^1.00 } ⇒ WRONG_REPLAY bank.pay@2.3.1 changes left itself
times: ^1001 ¦ 0..1001 ⇒ OUT_OF_RANGE the most times are 1 to 1000, not 1001
times: ^0..0 ⇒ OUT_OF_RANGE not 0
times: ^x3 ⇒ MALFORMED_VALUE "x3" is not a number of times
times: ^3x ¦ 3x..4 ¦ 3..x4 ⇒ MALFORMED_VALUE not a number of times
times: ^[1] ⇒ WRONG_FORM write how often: 1, or 0..20
times: 0..10⏎    after: [^[look]] ⇒ WRONG_FORM write the name of a step, { approve: 2 }
times: 0..10⏎    after: { look: ^[1] } ⇒ WRONG_FORM write a number, or if_done
times: 0..10⏎    after: { look: ^0 } ⇒ MALFORMED_VALUE "0" is neither a number from 1 nor if_done
times: 0..10⏎    after: { look: ^x1 } ¦ 1x } ¦ 10000 } ⇒ MALFORMED_VALUE neither a number
times: 0..10⏎    overlaps: ^{ look: 1 } ⇒ WRONG_FORM write the name of a step
times: 0..10⏎    effects: ^x ⇒ WRONG_FORM this is not a map: write effects by state
times: 0..10⏎    effects: { ^"a b": 1 } ⇒ MALFORMED_NAME an effect begins with the name of a state
times: 0..10⏎    effects: { ^snt: 1 } ⇒ UNKNOWN_NAME there is no state snt. Did you mean sent?
times: 0..10⏎    effects: { ^"left[args.payee]": 1.00 } ⇒ TYPE_MISMATCH left is one value, not a map: write left alone
times: 0..10⏎    effects: { "sent[^1]": 1 } ⇒ TYPE_MISMATCH the key of sent
times: 0..10⏎    effects: { "sent[args.payee]": ^[1] } ⇒ WRONG_FORM write an expression
@ where: args.amount > 0.00
where: ^response.left > 0.00 ⇒ OUT_OF_SCOPE before the act
where: ^pay.all(p, true) ¦ where: { a: true, b: count(^pay) > 0 } ⇒ OUT_OF_SCOPE pay is a step, and only rules and
where: ^amount > 0.00 ⇒ UNKNOWN_NAME amount is not known: write args.amount
where: ^[a] ¦ where: { a: ^[b] } ⇒ WRONG_FORM a list is here: write a condition, such as args.amount
where: { ^a b: true } ⇒ MALFORMED_NAME "a b" is not a name
where: args.^amont > 0.00 ⇒ UNKNOWN_NAME args has no amont. Did you mean amount?
where: true && args.^amount ⇒ TYPE_MISMATCH takes conditions
@ type: application/json
type: ^json ⇒ MALFORMED_VALUE application/json
type: ^[] ¦ [${'a/b, '.repeat(8)}a/b] ⇒ TOO_MANY name 1 to 8 media types
type: [a/b, ^[c]] ⇒ WRONG_FORM write a media type such as
type: ^A/b ¦ a/B ¦ .a/b ¦ a/.b ¦ a_a/b ¦ a/b_b ¦ a/b/c ¦ x a/b ⇒ MALFORMED_VALUE is not a media type
type: ^a${'b'.repeat(64)}/c ¦ a/b${'c'.repeat(64)} ⇒ MALFORMED_VALUE is not a media type
type: application/json, times: ^21 ⇒ OUT_OF_RANGE 1 to 20, not 21
type: application/json, times: ^x ⇒ MALFORMED_VALUE not a number of times
type: application/json, max_bytes: ^0 ¦ 2097153 ¦ 01 ¦ x1 ¦ 1x ⇒ OUT_OF_RANGE not a number of bytes from 1 to 2097152
type: application/json, max_bytes: ^10000000 ⇒ OUT_OF_RANGE not a number of bytes from 1 to 2097152
type: application/json, max_bytes: ^[1] ⇒ WRONG_FORM write a number of bytes
type: application/json, ^tiems: 1 ⇒ UNKNOWN_PART the evidence receipt has no part "tiems". Did you mean times?
@ reads: { id: /id }
reads: { id: /id, other: ^/other } ⇒ MALFORMED_TYPE no argument or response field
reads: { id: string(64) at ^id } ¦ reads: { id: ^/a~2 } ¦ /${'a'.repeat(256)} } ⇒ MALFORMED_VALUE not a JSON pointer
reads: { id: ^{ type: string } } ⇒ WRONG_FORM a map is here: write a type such as string(64), or a type and a JSON pointer
reads: { id: ^[a] } ⇒ WRONG_FORM write a type such as string(64), or a type and a JSON pointer
reads: { id: string(64) at ^/a at b~ } ⇒ MALFORMED_VALUE "/a at b~" is not a JSON pointer
@ receipt.id == response.id
receipt.^di == response.id ¦ ^reciept.id == response.id ⇒ UNKNOWN_NAME Did you mean …?
receipt.id == ^state.left ⇒ OUT_OF_SCOPE without states
^receipt == response.id ⇒ UNKNOWN_NAME receipt is not a value: write receipt. and a field
^approvals > 1 ¦ ^approved_at > end ⇒ OUT_OF_SCOPE the approval is known in where, effects, post and rules only
^approved_by("a") ⇒ OUT_OF_SCOPE approved_by cannot be used in evidence
"approved.^all(receipt, true)" ⇒ NAME_TAKEN receipt already means something here
{ "sent[args.to]": "state.sent[args.to] + 1" } → { left: ^state.left }\
 ⇒ WRONG_REPLAY bank.pay@2.3.1 observes left, so only tools may change it: use another state
@ "sent[args.to]"
"sent[args.^ot]" ⇒ UNKNOWN_NAME Did you mean to?
^sent ⇒ TYPE_MISMATCH which key
@ "state.sent[args.to] + 1"
"^true" ⇒ TYPE_MISMATCH the values of sent
"state.sent[args.to] + ^a" ⇒ UNKNOWN_NAME a is not known
"state.sent[args.to] + ^id" ⇒ UNKNOWN_NAME write response.id
@ rules:
sheets: [{ sheet: ^limits@1.0.0, for: plan, bind: {} }]⏎rules: ⇒ UNKNOWN_SHEET no sheet
tools: { ^reader@1: {} }⏎rules: ⇒ MALFORMED_NAME order.get@1.0.0
tools: { reader@1.0.0: { effect: ^write } }⏎rules: ⇒ WRONG_FORM catalogue
tools: { ^look@1.0.0: {} }⏎rules: ⇒ NAME_TAKEN catalogue has
tools: ^[a]⏎rules: ⇒ WRONG_FORM this is not a map: write tools by name and version
tools: { r@1.0.0: { state: ^{} } }⏎rules: ⇒ UNKNOWN_PART state belongs to a tool of the catalogue: delete it here
tools: { r@1.0.0: { limits: ^{} } }⏎rules: ⇒ UNKNOWN_PART limits belongs to a tool of the catalogue
tools: { r@1.0.0: { effect: ^[none] } }⏎rules: ⇒ WRONG_FORM a plan describes only tools that read
tools: { ^r@01.0.0: {} }⏎rules: ¦ r@1.0: {} }⏎rules: ⇒ MALFORMED_NAME is not a name with a version
tools: { ^r@1.0.0.0: {} }⏎rules: ¦ r@1.0.0000000000: {} }⏎rules: ⇒ MALFORMED_NAME is not a name with a version
tools: { ^a b@1.0.0: {} }⏎rules: ¦ (r@1.0.0: {} }⏎rules: ⇒ MALFORMED_NAME is not a name with a version
sheets: ^{}⏎rules: ⇒ WRONG_FORM sheets are a list
sheets: [^x]⏎rules: ⇒ WRONG_FORM write a map with sheet, for, bind
sheets: [^{ for: plan }]⏎rules: ⇒ MISSING_PART the use of a sheet has no sheet
sheets: [{ sheet: ^[a], for: plan }]⏎rules: ⇒ WRONG_FORM write a sheet and its version
@ plan: A plan
plan: ^${'a'.repeat(201)} ¦ "a\\nb" ⇒ OUT_OF_RANGE at most 200 characters, on one line
plan: ^[a] ⇒ WRONG_FORM a list is here: write what the plan does, in a few words
plan:^ ⇒ WRONG_FORM nothing is here: write what the plan does
plan: A plan⏎^k ⇒ YAML_SYNTAX this is not YAML
expires: 2026-12-05T00:00:00Z⏎ →  ⇒ MISSING_PART a plan has no expires: add, for example, expires: 2099
@   look: {
  ^cap: { ⇒ NAME_TAKEN cap is a given value already: choose another name for a step
  ^pairs: { ⇒ NAME_TAKEN pairs is a table already
@   pairs: {
  ^cap: { ⇒ NAME_TAKEN cap is a given value already: choose another name for a table
  pairs: { ^keys: a,  ⇒ UNKNOWN_PART the table pairs has no part "keys". Did you mean key?
receipt: { → ^look: { ⇒ NAME_TAKEN look is a step already: choose another name for a kind of evidence
@ key: [a, b]
key: ^[a, a] ⇒ WRONG_FORM 1 to 4 different columns
key: ^{ a: b } ⇒ WRONG_FORM a map is here: write the name of a column
key: [a, b], columns: { a → columns: { a ⇒ MISSING_PART the table pairs has no key
pairs: { key: [a, b] → pairs: ^{ key: [a, b], file: approved.jsonl\
 ⇒ MISSING_PART the table pairs has either a file, such as file: pairs.jsonl, or rows
approved: { file: approved.jsonl, key → approved: ^{ key ⇒ MISSING_PART the table approved has either a file
@ columns: { a: string(8), b: int, c: bool }
columns: ^{} ⇒ MISSING_PART the table pairs has no columns that can be read
columns: ^a ⇒ WRONG_FORM this is not a map: write a map of types of columns
], columns: { a: string(8), b: int, c: bool } → ] ⇒ MISSING_PART the table pairs has no columns
columns: { a: string(8),  → columns: { a: ^"map(string, int)",  ⇒ MALFORMED_TYPE only a state can be a map
@ rows: [{ a: x, b: 1, c: true }]
rows: ^{ a: x } ⇒ WRONG_FORM rows are a list
rows: ^[${ROWS}] ⇒ TOO_MANY 257 rows are too many here: write at most 256
tool: bank.pay@2⏎     →  ⇒ MISSING_PART the step pay has no tool: add, for example, tool: order.get@1
tool: look@1, times: 0..5 → tool: look@1 ⇒ MISSING_PART the step look has no times
@ tool: look@1
tool: ^[a] ⇒ WRONG_FORM write a tool and its version
^tols: look@1, tool: look@1 ⇒ UNKNOWN_PART the step look has no part "tols". Did you mean tool?
@ { tool: look@1, times: 0..5 }
^x ⇒ WRONG_FORM this is not a map: write a map with tool, times
{ tool: look@1, times: 0..5, evidence: ^x } ⇒ WRONG_FORM write a map of kinds of evidence by name
steps:⏎  look: { tool: look@1, times: 0..5 } → steps:⏎  ^look: { tool: look@1, times: 0..986 }\
 ⇒ TOO_MANY the steps allow 1001 actions, and a run has at most 1000: allow fewer
effects: { "sent[args.to]": "state.sent[args.to] + 1" } → effects: { 'sent["1"]': 1, 'sent["2"]': 1, 'sent["3"]': 1,\
 'sent["4"]': 1, ^'sent["5"]': 1 } ⇒ TOO_MANY changes at most 4 entries of a map
steps: → steps: ^x⏎sheets: ⇒ WRONG_FORM this is not a map: write steps by name
type: application/json, reads → reads ⇒ MISSING_PART the evidence receipt has no type
tables:⏎ → tables: ^x⏎tabels:⏎ ⇒ WRONG_FORM write a map of tables by name
given: { → given: ^x⏎givn: { ⇒ WRONG_FORM write a map of values by name
state: { → state: ^x⏎stat: { ⇒ WRONG_FORM write a map of states by name
columns: { a: string(8), b: int, c: bool }, rows: [{ a: x → columns: { a: "string(8, email)", b: int, c: bool },\
 rows: [{ a: ^X ⇒ NOT_FOLDED "X" is not folded (email): write "x"
`,
);

const VERSIONS = '1.9.0, 2.9.9, 2.10.1, 2.10.0, 20.0.0, 0.0.1';
/** A tool in many versions, and one with states. */
const BOXES = toolsIn(`tools:
  box.fill@1.0.0: { effect: write, state: { boxes: "map(string(8), int)", one: int }, effects: { "boxes['a']": 1 } }
  ${VERSIONS.split(', ')
    .map((version) => `a@${version}: {}`)
    .join('\n  ')}
`);
export const compileBoxes = (text: string) => compilePlan(text, { tools: BOXES, tables: new Map() });
export const BOX_PLAN = `plan: P
expires: 2026-12-05T00:00:00Z
state: { boxes: "map(string(8), int, default 0)", one: 1 }
steps:
  s: { tool: box.fill@1, times: 1 }
`;
const STEP = '{ tool: box.fill@1, times: 1';
const MANY = Array.from({ length: 65 }, (_, index) => `  s${index}: ${STEP} }⏎`).join('');

/** Faults of steps and their tools as a whole. */
export const BOX_FAULTS = faultTable(
  BOX_PLAN,
  compileBoxes,
  `
@ boxes: "map(string(8), int, default 0)"
boxes: ^3 ⇒ WRONG_STATE boxes is a map of a tool: write map(…, …, default …) as in map(string(8), int)
boxes: ^"map(string(9), int, default 0)"\
 ⇒ WRONG_STATE box.fill needs boxes as map(string(8), int), and it is map(string(9), int, default 0) here
, one: 1 →  ⇒ MISSING_STATE box.fill needs the state one: add one: its initial value under state
@ tool: box.fill@1
tool: ^a@3 ⇒ UNKNOWN_TOOL a has no version 3. Known: ${VERSIONS}.
tool: ^a@2.1 ⇒ UNKNOWN_TOOL a has no version 2.1. Known: ${VERSIONS}.
tool: ^a ⇒ UNKNOWN_TOOL "a" does not name a tool with its version: write, for example, a@1
tool: ^b ⇒ UNKNOWN_TOOL "b" does not name a tool with its version: write, for example, bank.transfer@2
@ steps:⏎  s: { tool: box.fill@1, times: 1 }⏎
⇒ MISSING_PART 1:1 a plan has no steps
steps:^⏎ ⇒ WRONG_FORM nothing is here
steps: ^{}⏎ ⇒ MISSING_PART the plan has no step: add one under steps
steps:⏎  ^${MANY.trimStart()} ⇒ TOO_MANY steps must not have more than 64 items
@   s: { tool: box.fill@1, times: 1 }⏎
  a: ${STEP}, after: ^b }⏎  b: ${STEP}, after: a }⏎ ⇒ CYCLIC_ORDER these steps wait for each other: a after b after a$
  a: ${STEP}, after: b }⏎  b: ${STEP}, after: ^c }⏎  c: ${STEP}, after: b }⏎\
 ⇒ CYCLIC_ORDER these steps wait for each other: b after c after b$
  a: ${STEP} }⏎  b: ${STEP}, after: ^c }⏎  c: ${STEP}, after: d }⏎  d: ${STEP}, after: b }⏎\
 ⇒ CYCLIC_ORDER these steps wait for each other: b after c after d after b$
`,
);
