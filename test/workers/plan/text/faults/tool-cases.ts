import type { TextFaultCode } from '../../../../../workers/plan/text/faults/text-fault.ts';

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

/** A change of the catalogue: a text in it, its replacement with `^` at the fault, the code and a part of the message. */
export const TOOL_FAULTS: readonly (readonly [string, string, TextFaultCode, RegExp])[] = [
  ['tools:', '^tolls:', 'UNKNOWN_PART', /a catalogue has no part "tolls"\. Did you mean tools\?/],
  ['tools:', '^tolls:', 'MISSING_PART', /a catalogue has no tools: add, for example, tools: \{ order\.get/],
  ['tools:\n', 'tools: ^x\nmore:\n', 'WRONG_FORM', /this is not a map: write tools by name and version/],
  [
    'bank.pay@1.0.0',
    '^bank.pay',
    'MALFORMED_NAME',
    /"bank\.pay" is not a name with a version: write, for example, order\.get@1\.0\.0/,
  ],
  ['bank.pay@1.0.0', `^${'b'.repeat(65)}@1.0.0`, 'MALFORMED_NAME', /is not a name with a version/],
  ['bank.pay@1.0.0', '^bank.pay@1.0', 'MALFORMED_NAME', /is not a name with a version/],
  [
    '    effect: revenue_write',
    '    ^efect: revenue_write',
    'UNKNOWN_PART',
    /the tool bank\.pay has no part "efect"\. Did you mean effect\?/,
  ],
  [
    'effect: revenue_write',
    'effect: ^wirte',
    'UNKNOWN_VALUE',
    /effect is none, write, revenue_write, not "wirte"\. Did you mean write\?/,
  ],
  ['effect: revenue_write', 'effect: ^[none]', 'WRONG_FORM', /a list is here: write none, write, revenue_write/],
  [
    'replay: effects',
    'replay: ^effect',
    'UNKNOWN_VALUE',
    /replay is recorded, effects, pure, not "effect"\. Did you mean effects\?/,
  ],
  ['args: {', 'args: { ^a b: int,', 'MALFORMED_NAME', /"a b" is not a name/],
  ['args: {', 'args: { a: ^[int],', 'WRONG_FORM', /write a type: string\(64\)/],
  ['args: { amount', 'args: ^x\n    amunt: { amount', 'WRONG_FORM', /write a map of arguments by name/],
  ['responds: { id', 'responds: ^x\n    amunt: { id', 'WRONG_FORM', /write a map of response fields by name/],
  [
    'responds: { id: string(64)',
    'responds: { ^a.b: int, id: string(64)',
    'MALFORMED_NAME',
    /cannot be used in expressions/,
  ],
  [
    'responds: { id: string(64)',
    'responds: { id: ^/id',
    'MALFORMED_TYPE',
    /the type of id is not known: no argument or response field has this name/,
  ],
  ['identity: id', 'identity: ^ok', 'UNKNOWN_NAME', /identity names a string or int of the response, and "ok" is none/],
  ['identity: id', 'identity: ^idd', 'UNKNOWN_NAME', /"idd" is none\. Did you mean id\?/],
  ['identity: id', 'identity: ^[id]', 'WRONG_FORM', /write the name of a response field/],
  [
    'by: "map(string(64), int)"',
    'by: ^"map(string(64), int, default 0)"',
    'MALFORMED_TYPE',
    /each plan gives the default of a map: write map\(string, int\) here/,
  ],
  [
    'state: { left: decimal(2)',
    'state: { ^a.b: int, left: decimal(2)',
    'MALFORMED_NAME',
    /cannot be used in expressions/,
  ],
  ['state: { left', 'state: ^x\n    stat: { left', 'WRONG_FORM', /write a map of types of states by name/],
  [
    'by: "map(string(64), int)"',
    'by: ^"map(string(64, trimmed), int)"',
    'MALFORMED_TYPE',
    /only an argument of a tool or a column of a table is folded: write string\(64\)/,
  ],
  [
    'by: "map(string(64), int)"',
    'by: ^"map(string(64), string(3, trimmed))"',
    'MALFORMED_TYPE',
    /is folded: write string\(3\)/,
  ],
  ['left: state.left - args.amount', 'left: "state.left - args.^amont"', 'UNKNOWN_NAME', /Did you mean amount\?/],
  ['left: state.left - args.amount', '^lft: 1', 'UNKNOWN_NAME', /there is no state lft\. Did you mean left\?/],
  ['left: state.left - args.amount', '^by: 1', 'TYPE_MISMATCH', /by is a map: say which key, as in by\[args\.to\]/],
  [
    'left: state.left - args.amount',
    'left: state.left ^* 1.5',
    'TYPE_MISMATCH',
    /the state left is decimal\(2\), and this has 3 decimals/,
  ],
  [
    'effects: { left: state',
    'effects: ^x\n    efects: { left: state',
    'WRONG_FORM',
    /write effects by state, such as stock/,
  ],
  [
    'observe: { left: left }',
    'observe: { ^lft: left }',
    'UNKNOWN_NAME',
    /there is no state "lft" with one value\. Did you mean left\?/,
  ],
  ['observe: { left: left }', 'observe: { ^by: left }', 'UNKNOWN_NAME', /there is no state "by" with one value/],
  [
    'observe: { left: left }',
    'observe: { left: ^lft }',
    'UNKNOWN_NAME',
    /the response has no field "lft"\. Did you mean left\?/,
  ],
  ['observe: { left: left }', 'observe: { left: ^number }', 'UNKNOWN_NAME', /number has another type than left/],
  ['observe: { left: left }', 'observe: { left: ^[left] }', 'WRONG_FORM', /write the name of a response field/],
  ['observe: { left: left }', 'observe: ^x', 'WRONG_FORM', /write a map of response fields by state/],
  ['post: response.ok', 'post: response.^okay', 'UNKNOWN_NAME', /Did you mean ok\?|response has no okay/],
  ['post: response.ok', 'post: ^ok', 'UNKNOWN_NAME', /ok is not known: write response\.ok/],
  [
    'limits: { one: 1 act per day }',
    'limits: ^x',
    'WRONG_FORM',
    /write a map of limits by name, such as 10000\.00 of amount per day/,
  ],
  ['one: 1 act per day', 'one: ^[a]', 'WRONG_FORM', /a list is here: write 10000\.00 of amount per day/],
  [
    'one: 1 act per day',
    'one: ^x1 act per day',
    'MALFORMED_VALUE',
    /is not a limit: write 10000\.00 of amount per day/,
  ],
  ['one: 1 act per day', 'one: ^1 act per days', 'MALFORMED_VALUE', /is not a limit/],
  ['one: 1 act per day', 'one: ^-1 acts per day', 'MALFORMED_VALUE', /is not a limit/],
  ['one: 1 act per day', 'one: ^10000.005 of amount per day', 'OUT_OF_RANGE', /3 decimals/],
  ['one: 1 act per day', 'one: ^2.5 acts per day', 'OUT_OF_RANGE', /1 decimals/],
  ['one: 1 act per day', 'one: ^1.. acts per day', 'MALFORMED_NUMBER', /is not a number/],
  [
    'amounts: args.amount in EUR',
    'amounts: ^{ a: b }',
    'WRONG_FORM',
    /write args\.amount in EUR, args\.cents in 0\.01 EUR/,
  ],
  [
    'amounts: args.amount in EUR',
    'amounts: [args.amount in EUR, ^args.amount in eur]',
    'MALFORMED_VALUE',
    /is not an amount: write args\.amount in EUR/,
  ],
  ['amounts: args.amount in EUR', 'amounts: ^xargs.amount in EUR', 'MALFORMED_VALUE', /is not an amount/],
  ['amounts: args.amount in EUR', 'amounts: ^args.amount in 0.00 EUR', 'MALFORMED_VALUE', /is not an amount/],
  ['amounts: args.amount in EUR', 'amounts: ^response.amount in EUR', 'UNKNOWN_NAME', /"amount" is not a number there/],
  [
    'amounts: args.amount in EUR',
    'amounts: ^args.amount in args.amount',
    'UNKNOWN_NAME',
    /is not a text or enum there/,
  ],
  ['amounts: args.amount in EUR', 'amounts: ^args.amount in EURO!', 'MALFORMED_VALUE', /is not an amount/],
  [
    'amounts: args.amount in EUR',
    'amounts: ^args.amont in EUR',
    'UNKNOWN_NAME',
    /"amont" is not a number there\. Did you mean amount\?/,
  ],
  [
    'amounts: args.amount in EUR',
    'amounts: ^args.amount in args.units',
    'UNKNOWN_NAME',
    /"units" is not a text or enum there\. Did you mean unit\?/,
  ],
  [
    'amounts: args.amount in EUR',
    'amounts: ^args.payee in EUR',
    'UNKNOWN_NAME',
    /"payee" is not a number there\. Known: amount\.$/,
  ],
  [
    'one: 1 act per day',
    'one: ^1 act for each payer per day',
    'UNKNOWN_NAME',
    /the tool has no argument payer\. Did you mean payee\?/,
  ],
  ['one: 1 act per day', 'one: ^1 of payee per day', 'UNKNOWN_NAME', /payee is not a number among the arguments/],
];
