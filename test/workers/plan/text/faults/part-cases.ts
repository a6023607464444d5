import { compileRuns } from '../../../../../workers/plan/text/runs/compile-runs.ts';
import { compileTools } from '../../../../../workers/plan/text/tools/compile-tools.ts';
import { compileMail, MAIL_TOOLS, mailPlan, mailText } from '../../../../models/mail-plan.ts';
import { faultTable } from './fault-table.ts';

/** Faults of conditions about lists, objects and optional parts. */
export const PART_FAULTS = faultTable(
  mailText(["in_table: 'size(args.to) > 0'"], ["r: 'count(send) > 0'"]),
  compileMail,
  `
@ size(args.to) > 0
args.^tu.all(t, true) ⇒ UNKNOWN_NAME args has no tu. Did you mean to?
^args.subject.all(t, true) ⇒ TYPE_MISMATCH args.subject is not a step, a table or a list
args.^to == "a" ⇒ TYPE_MISMATCH args.to is a list: write args.to.all(x, …) or size(args.to)
args.^from == "a" ⇒ TYPE_MISMATCH args.from is an object: take a member, as in args.from.name
args.lines.^price > 0.00 ⇒ TYPE_MISMATCH lines is a list: write .all(x, x.price …)
args.from.^nam == "" ⇒ UNKNOWN_NAME args has no nam. Did you mean name?
args.subject.^x == "" ⇒ TYPE_MISMATCH .x cannot be taken from this: only actions, rows and objects have fields
args.lines.all(l, l.^prise > 0.00) ⇒ UNKNOWN_NAME the element has no prise. Did you mean price?
args.lines.all(l, ^l == "") ⇒ UNKNOWN_NAME l is not a value: write, for example, l.
args.to.all(t, t.^x == "") ⇒ UNKNOWN_NAME the element has no x
args.to.all(t, ^t) ⇒ TYPE_MISMATCH all takes conditions, and this is a text: compare it, for example with ==
"a" ^in args.lines ⇒ TYPE_MISMATCH its elements are objects: write .exists(x, …)
1 ^in args.to ⇒ TYPE_MISMATCH == has a whole number on the left and a text on the right
has(^most) ⇒ TYPE_MISMATCH has() takes an argument or a field, as in has(args.cc)
has(^allowed.email) ⇒ TYPE_MISMATCH has() takes an argument or a field, as in has(args.cc)
least(args.lines, l, l.price) > 0.00 ⇒ TYPE_MISMATCH least takes numbers
args.cc[0] == "" ⇒ TYPE_MISMATCH only tables and maps of state have keys
@ count(send) > 0
send.all(s, s.^from == "") ⇒ TYPE_MISMATCH s.from is an object: take a member, as in s.from.name
send.all(s, s.^nam == "") ⇒ UNKNOWN_NAME the action has no nam
send.all(s, ^args.subject == "") ⇒ OUT_OF_SCOPE args cannot be used here
send.all(s, s.id.^x == "") ⇒ TYPE_MISMATCH .x cannot be taken from this
send.all(s, s.started_at.^x == "") ⇒ TYPE_MISMATCH .x cannot be taken from this
`,
);

const { plan: MAIL_PLAN } = mailPlan([]);

/** Faults of a run whose arguments and response have parts. */
export const PART_RUN_FAULTS = faultTable(
  `a run:
  must: satisfied
  actions:
    - send: { to: [a@x.org], subject: Hi, from: { name: Al }, lines: [] }
      responds: { id: m1, sent: [{ to: a@x.org, ok: true }] }
`,
  (text) => compileRuns(text, MAIL_PLAN, MAIL_TOOLS),
  `
to: [a@x.org] → to: ^a@x.org ⇒ WRONG_FORM to is a list: write [ … ]
to: [a@x.org] → to: [^A@x.org] ⇒ NOT_FOLDED is not folded (email)
from: { name: Al } → from: ^Al ⇒ WRONG_FORM write members of from by name
from: { name: Al } → from: { ^nam: Al } ⇒ UNKNOWN_NAME members of from cannot have "nam". Did you mean name?
lines: [] → lines: [{ price: ^x }] ⇒ MALFORMED_NUMBER "x" is not a number
`,
);

const SHAPES = `tools:
  t@1.0.0:
    args: { a: [int, 1..3], b: { c: int } }
    responds: { id: string(64), parts: [{ x: int }, ..9] }
    identity: id
`;

/** Faults of what arguments and responses are made of. */
export const SHAPE_FAULTS = faultTable(
  SHAPES,
  compileTools,
  `
@ [int, 1..3]
^[int] ¦ [] ¦ [int, 1..3, 4] ⇒ MALFORMED_TYPE a list is the type of its elements and how many there are
[int, ^3..1] ⇒ OUT_OF_RANGE 3 is more than 1: write 1..3
[int, ^0] ¦ 0..999] ⇒ OUT_OF_RANGE the most times are 1 to 256
[int, ^x] ⇒ MALFORMED_VALUE "x" is not a number of times
[[int, ..3], ..3] ⇒ WRONG_FORM is a list inside a list
[^itn, ..3] ⇒ MALFORMED_TYPE "itn" is not a type
@ { c: int }
^{} ⇒ MALFORMED_TYPE an object has at least one member
{ c: ^itn } ⇒ MALFORMED_TYPE "itn" is not a type
{ ^"c d": int } ⇒ MALFORMED_NAME "c d" is not a name
{ c: int, ^c?: int } ⇒ NAME_TAKEN "c" occurs twice
[{ c: int, d: [int, 1] }, 1] ⇒ WRONG_FORM is a list inside a list
{ c: { c: { c: { c: { c: int } } } } } ⇒ WRONG_FORM nests objects deeper than 4 levels
[{ c: int, d: int, e: int }, 200] ⇒ TOO_MANY has more than 512 values
@ id: string(64)
id: string(64), ^id-2: string(64) ⇒ MALFORMED_NAME "id-2" cannot be used in expressions
id: string(64), y: { ^x-y: int } ⇒ MALFORMED_NAME "x-y" cannot be used in expressions
id: string(64), y: { x: ^"string(9, email)" } ⇒ MALFORMED_TYPE only an argument of a tool or a column of a table is folded
id?: string(64) ⇒ UNKNOWN_NAME identity names a string or int of the response that is always there
`,
);
