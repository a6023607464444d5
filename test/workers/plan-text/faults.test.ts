import test from 'ava';
import type { TextFaultCode } from '../../../workers/plan-text/faults/text-fault.ts';
import { compileText, planText } from '../../models/plan-texts.ts';

/** A rule with `^` before the character that is at fault, the code, and a part of the message. */
const RULES: readonly (readonly [string, TextFaultCode, RegExp])[] = [
  ['cap ^= 3.00', 'CEL_SYNTAX', /equality is ==/],
  ['flag ^and flag', 'CEL_SYNTAX', /write &&/],
  ['flag ^or flag', 'CEL_SYNTAX', /write \|\|/],
  ['pay.all^(p, p.amount > 0.00', 'CEL_SYNTAX', /never closed/],
  ['pay.all(p, p.amount <= 5 ^euro)', 'CEL_SYNTAX', /"e" is not expected/],
  ['pay.all(p ^=> p.amount <= 5.00)', 'CEL_SYNTAX', /a comma after the name/],
  ['pay.all(p, p.amount ^<= ) && flag', 'CEL_SYNTAX', /ends too early/],
  ['pay.all(p, look.exists(l, l.order == "(," && l.order ^is "a"))', 'CEL_SYNTAX', /write ==/],
  ['cap in [1.00, 2.00 ^3.00]', 'CEL_SYNTAX', /"3" is not expected/],
  ['cap > 0.00^)', 'CEL_SYNTAX', /no bracket is open/],
  ['(cap > 0.00^]', 'CEL_SYNTAX', /write \)/],
  ['name == ^"x', 'CEL_SYNTAX', /closing quote/],
  ['name == ^“x”', 'CEL_SYNTAX', /the quote U\+201C: write "/],
  ['cap^\u00a0> 0.00', 'CEL_SYNTAX', /the space U\+00A0/],
  ['pay.all(p, ^!p.invoice in approved)', 'CEL_SYNTAX', /write !\(p\.invoice in …\)/],
  ['cap ^>', 'CEL_SYNTAX', /ends too early/],
  ['flag & flag', 'CEL_SYNTAX', /&& and/],
  ['^capp > 0.00', 'UNKNOWN_NAME', /Did you mean cap\?/],
  ['pay.all(p, p.^amont > 0.00)', 'UNKNOWN_NAME', /Did you mean amount\?/],
  ['^pai.all(p, true)', 'UNKNOWN_NAME', /Did you mean pay\?/],
  ['pay.all(p, p.invoice in ^aproved)', 'UNKNOWN_NAME', /Did you mean approved\?/],
  ['approved["A1"].^amuont > 0.00', 'UNKNOWN_NAME', /Did you mean amount\?/],
  ['approved.all(r, r.^pay == "")', 'UNKNOWN_NAME', /no column pay/],
  ['state.^lft > 0.00', 'UNKNOWN_NAME', /Did you mean left\?/],
  ['state.sent.all(e, e.^val > 0)', 'UNKNOWN_NAME', /key and value/],
  ['^amount > 0.00', 'UNKNOWN_NAME', /amount is not known/],
  ['^pay > 0.00', 'UNKNOWN_NAME', /is a step/],
  ['^approved == 1', 'UNKNOWN_NAME', /is a table/],
  ['pay.^amount > 0.00', 'TYPE_MISMATCH', /several actions/],
  ['approved.^amount > 0.00', 'TYPE_MISMATCH', /several rows/],
  ['^args.amount > 0.00', 'OUT_OF_SCOPE', /p\.amount/],
  ['^response.id == ""', 'OUT_OF_SCOPE', /cannot be used here/],
  ['^started_at > end', 'OUT_OF_SCOPE', /p\.started_at/],
  ['cap ^> "3.00"', 'TYPE_MISMATCH', /without quotes/],
  ['end ^> "2026-12-01T00:00:00Z"', 'TYPE_MISMATCH', /write timestamp\(/],
  ['wait ^== "1h"', 'TYPE_MISMATCH', /write duration\(/],
  ['flag ^== "true"', 'TYPE_MISMATCH', /true or false without quotes/],
  ['name ^< "y"', 'TYPE_MISMATCH', /compares numbers and times/],
  ['name ^== 3', 'TYPE_MISMATCH', /a text on the left and a whole number/],
  ['^cap', 'TYPE_MISMATCH', /takes conditions/],
  ['flag && ^most', 'TYPE_MISMATCH', /takes conditions/],
  ['!^name', 'TYPE_MISMATCH', /takes conditions/],
  ['name ^+ "y" == ""', 'TYPE_MISMATCH', /adds numbers/],
  ['end ^+ end > end', 'TYPE_MISMATCH', /adds numbers/],
  ['end ^- 3 > end', 'TYPE_MISMATCH', /subtracts/],
  ['cap * 2 < count(pay) ^* count(pay)', 'NOT_A_LITERAL', /written here/],
  ['count(pay) / ^count(pay) > 0', 'NOT_A_LITERAL', /divisor/],
  ['count(pay) / ^0 > 0', 'DIVISION', /at least 1/],
  ['^most % 2 == 0', 'DIVISION', /int\(0\.\.\)/],
  ['look.all(l, l.^offset / 2 == 0)', 'DIVISION', /may be negative/],
  ['^cap / 2 == 1', 'TYPE_MISMATCH', /whole numbers/],
  ['kind == ^"nwe"', 'UNKNOWN_VALUE', /Did you mean new\?/],
  ['kind in ["new", ^"odl"]', 'UNKNOWN_VALUE', /Did you mean old\?/],
  ['most in [1, ^"2"]', 'TYPE_MISMATCH', /is searched/],
  ['look.all(l, l.^kind == "new")', 'AMBIGUOUS', /\.args\.kind or \.response\.kind/],
  ['pay.all(p, pay.^all(p, true))', 'NAME_TAKEN', /another name/],
  ['pay.^all(cap, true)', 'NAME_TAKEN', /another name/],
  ['pay.^map(p, p.amount) == 3', 'CEL_UNSUPPORTED', /sum\(pay/],
  ['pay.^filter(p, true)', 'TYPE_MISMATCH', /is not a value/],
  ['name.^startsWith("x")', 'CEL_UNSUPPORTED', /only compared/],
  ['name.^size() > 0', 'CEL_UNSUPPORTED', /size\(pay\)/],
  ['size(^name) > 0', 'UNKNOWN_NAME', /not a step/],
  ['^size("x") > 0', 'CEL_UNSUPPORTED', /bounded by its type/],
  ['^constructor(cap) > 0', 'CEL_UNSUPPORTED', /constructor\(\) is not a function of plans\. Known: sum/],
  ['name.^toString() == ""', 'CEL_UNSUPPORTED', /only compared/],
  ['^constructor > 0', 'UNKNOWN_NAME', /not known/],
  ['state.^__proto__ > 0', 'UNKNOWN_NAME', /no state/],
  ['^int(cap) > 0', 'CEL_UNSUPPORTED', /no conversion/],
  ['^has(state.left)', 'CEL_UNSUPPORTED', /has\(\)/],
  ['most == ^3u', 'CEL_UNSUPPORTED', /without u/],
  ['name == ^null', 'CEL_UNSUPPORTED', /null/],
  ['name == ^b"x"', 'CEL_UNSUPPORTED', /bytes/],
  ['^{"a": 1} == 1', 'CEL_UNSUPPORTED', /braces/],
  ['^[1, 2] == 1', 'CEL_UNSUPPORTED', /list/],
  ['cap > ^1e3', 'MALFORMED_NUMBER', /exact number/],
  ['cap > ^.5', 'MALFORMED_NUMBER', /exact number/],
  ['cap > ^-0.00', 'MALFORMED_NUMBER', /negative zero/],
  [`most > ^${'9'.repeat(39)}`, 'MALFORMED_NUMBER', /38 digits/],
  ['cap > ^0.1234567890123456789', 'MALFORMED_NUMBER', /18 decimals/],
  ['^sum(pay, p) > 0.00', 'WRONG_ARITY', /write sum\(pay, p, p\.amount\)/],
  ['sum(pay, ^p.amount, 3) > 0', 'WRONG_ARITY', /a name for the element/],
  ['sum(pay, p, p.^payee) > 0', 'TYPE_MISMATCH', /sum takes numbers/],
  ['^min(most) > 0', 'WRONG_ARITY', /least\(/],
  ['min(most, ^name) > 0', 'TYPE_MISMATCH', /min takes numbers/],
  ['pay.all(p, before(p, ^approved))', 'TYPE_MISMATCH', /two actions/],
  ['^approved_by(name)', 'NOT_A_LITERAL', /written here/],
  ['end > timestamp(^"2026-02-30T00:00:00Z")', 'MALFORMED_TIME', /does? ?n?o?t? ?|exists/],
  ['wait > duration(^"1 hour")', 'MALFORMED_TIME', /1h30m/],
  ['^name in pairs', 'WRONG_ARITY', /a list: \[a, b\]/],
  ['[name, ^name] in pairs', 'TYPE_MISMATCH', /the key b of pairs/],
  ['"a" ^in state.sent', 'CEL_UNSUPPORTED', /every key has a value/],
  ['approved^["A1"] == 1', 'TYPE_MISMATCH', /take a column/],
  ['state.left^["a"] == 1', 'TYPE_MISMATCH', /one value, not a map/],
  ['state.^sent == 1', 'TYPE_MISMATCH', /is a map/],
  ['pay.all(a, pay.all(b, pay.all(c, pay.^all(d, true))))', 'TOO_DEEP', /3 deep/],
  [`${'('.repeat(32)}^(true)${')'.repeat(32)}`, 'TOO_DEEP', /32 levels/],
];

test('a fault in a rule has its line, its column, and what to write instead', (t) => {
  const problems = RULES.flatMap(([marked, code, message]) => {
    const rule = marked.replace('^', '');
    const { faults = [] } = compileText(planText(['first: true', `bad: '${rule.replaceAll("'", "''")}'`]));
    const column = marked.includes('^') ? 2 + "bad: '".length + marked.indexOf('^') + 1 : faults[0]?.column;
    const [fault] = faults;
    const isRight = fault?.code === code && message.test(fault.message) && fault.line === 20 && fault.column === column;
    return isRight && faults.length === 1 ? [] : [{ marked, column, faults }];
  });
  t.deepEqual(problems, []);
});

const PLAN = planText(['once: unique(pay, p, p.invoice)']);

/** A change of the plan: a text in it, its replacement with `^` at the fault, the code and a part of the message. */
const PLANS: readonly (readonly [string, string, TextFaultCode, RegExp])[] = [
  ['plan: A plan\n', '', 'MISSING_PART', /has no plan/],
  ['expires: 2026-12-05T00:00:00Z', 'expires: ^2026-12-05', 'MALFORMED_TIME', /2026-12-05T00:00:00Z/],
  ['expires: 2026-12-05T00:00:00Z', 'expires: ^2026-02-30T00:00:00Z', 'MALFORMED_TIME', /exists/],
  ['recorded: 20', 'recorded: ^1001', 'OUT_OF_RANGE', /0 to 1000/],
  ['recorded: 20', '^record: 20', 'UNKNOWN_PART', /Did you mean recorded\?/],
  ['recorded: 20', 'recorded: 20\n^recorded: 21', 'DUPLICATE_NAME', /twice/],
  ['recorded: 20', 'approvals: ^9', 'OUT_OF_RANGE', /1 to 8/],
  ['recorded: 20', 'recorded: &a ^20', 'YAML_FEATURE', /anchors/],
  ['recorded: 20', 'recorded: !^!int 20', 'YAML_FEATURE', /for a tag/],
  ['recorded: 20', 'recorded: ^*a', 'YAML_FEATURE', /aliases/],
  ['recorded: 20', 'recorded: "20', 'YAML_SYNTAX', /not YAML/],
  ['recorded: 20', 'recorded: 20 ^\u202e', 'YAML_SYNTAX', /not allowed/],
  ['cap: 25.00', 'cap: ^025.00', 'MALFORMED_NUMBER', /leading zeros/],
  ['cap: 25.00', 'cap: ^1e3', 'MALFORMED_NUMBER', /exponent/],
  ['cap: 25.00', 'cap: ^0x10', 'MALFORMED_NUMBER', /Quote it if it is a text/],
  ['cap: 25.00', 'cap: ^100€', 'MALFORMED_NUMBER', /units/],
  ['cap: 25.00', 'cap: ^€100', 'MALFORMED_NUMBER', /units/],
  ['cap: 25.00', 'cap: ^5%', 'MALFORMED_NUMBER', /units/],
  ['cap: 25.00', 'cap: ^True', 'MALFORMED_VALUE', /quote it/],
  ['cap: 25.00', 'cap: ^null', 'MALFORMED_VALUE', /quote it/],
  ['cap: 25.00', 'cap: { type: ^decimal, value: 1 }', 'MALFORMED_TYPE', /decimal\(2\)/],
  ['cap: 25.00', 'cap: { type: ^strnig, value: 1 }', 'MALFORMED_TYPE', /Did you mean string\?/],
  ['cap: 25.00', 'cap: { type: decimal(2), value: ^1.234 }', 'OUT_OF_RANGE', /3 decimals/],
  ['cap: 25.00', 'cap: { type: "decimal(2, 0..10)", value: ^11.00 }', 'OUT_OF_RANGE', /outside/],
  ['cap: 25.00', 'cap: { type: int(^5..1), value: 3 }', 'MALFORMED_TYPE', /is empty/],
  ['cap: 25.00', 'cap: { type: ^enum(a, value: a }', 'MALFORMED_TYPE', /in quotes/],
  ['cap: 25.00', '^args: 25.00', 'NAME_TAKEN', /word of the language/],
  ['cap: 25.00', '^my-cap: 25.00', 'MALFORMED_NAME', /letters, digits/],
  ['left: 80.00', 'left: ^"80.00 EUR"', 'MALFORMED_NUMBER', /not a number/],
  ['left: 80.00', 'left: ^{ type: int, initial: 3 }', 'WRONG_STATE', /needs left as decimal\(2\)/],
  ['left: 80.00, ', '', 'MISSING_STATE', /needs the state left/],
  ['"map(string(254), int(0..), default 0)"', '^"map(string(254), int(0..))"', 'MALFORMED_TYPE', /default/],
  ['file: approved.jsonl', 'file: ^aproved.jsonl', 'UNKNOWN_FILE', /Did you mean approved.jsonl\?/],
  ['payee: string(64) } }', 'payee: int } }', 'MALFORMED_TABLE', /line 1/],
  ['key: invoice', 'key: ^invoce', 'UNKNOWN_NAME', /Did you mean invoice\?/],
  ['{ a: x, b: 1, c: true }', '{ a: x, b: ^one, c: true }', 'MALFORMED_NUMBER', /not a number/],
  ['{ a: x, b: 1, c: true }', '^{ a: x, b: 1 }', 'MISSING_PART', /no c/],
  ['{ a: x, b: 1, c: true }', '{ a: x, b: 1, c: true }, ^{ a: x, b: 1, c: false }', 'DUPLICATE_KEY', /earlier row/],
  ['tool: bank.pay@2', 'tool: ^bank.pya@2', 'UNKNOWN_TOOL', /Did you mean bank.pay\?/],
  ['tool: bank.pay@2', 'tool: ^bank.pay@3', 'UNKNOWN_TOOL', /Known: 2.0.0, 2.3.1/],
  ['tool: bank.pay@2', 'tool: ^bank.pay', 'UNKNOWN_TOOL', /bank.pay@2/],
  ['times: 0..10', 'times: ^often', 'MALFORMED_VALUE', /0\.\.20/],
  ['times: 0..10', 'times: ^10..1', 'OUT_OF_RANGE', /1\.\.10/],
  ['times: 0..10', 'times: ^0', 'OUT_OF_RANGE', /1 to 1000/],
  ['times: 0..10', 'times: 0..10\n    after: ^looks', 'UNKNOWN_STEP', /Did you mean look\?/],
  ['times: 0..10', 'times: 0..10\n    after: ^pay', 'CYCLIC_ORDER', /after itself/],
  ['times: 0..10', 'times: 0..10\n    after: { look: ^6 }', 'OUT_OF_RANGE', /at most 5/],
  ['times: 0..10', 'times: 0..10\n    after: { look: ^maybe }', 'MALFORMED_VALUE', /if_done/],
  ['times: 0..10', 'times: 0..10\n    overlaps: ^looks', 'UNKNOWN_STEP', /Did you mean look\?/],
  ['times: 0..10', 'times: 0..10\n    overlaps: [look, ^look]', 'DUPLICATE_NAME', /listed twice/],
  ['times: 0..10', 'times: 0..10\n    effects: ^{ left: 1.00 }', 'WRONG_STATE', /changes left itself/],
  [
    'where: args.amount > 0.00',
    'where: ^!(args.invoice in approved)',
    'YAML_FEATURE',
    /quotes: '!\(args\.invoice in approved\)'/,
  ],
  ['where: args.amount > 0.00', 'where: ^response.left > 0.00', 'OUT_OF_SCOPE', /before the act/],
  ['where: args.amount > 0.00', 'where: { a: true, b: count(^pay) > 0 }', 'OUT_OF_SCOPE', /only rules/],
  ['type: application/json', 'type: ^json', 'MALFORMED_VALUE', /application\/json/],
  ['reads: { id: /id }', 'reads: { id: /id, other: ^/other }', 'MALFORMED_TYPE', /no argument or response field/],
  ['reads: { id: /id }', 'reads: { id: string(64) at ^id }', 'MALFORMED_VALUE', /JSON pointer/],
  ['receipt.id == response.id', 'receipt.^di == response.id', 'UNKNOWN_NAME', /Did you mean id\?/],
  ['receipt.id == response.id', 'receipt.id == ^state.left', 'OUT_OF_SCOPE', /without states/],
  ['"sent[args.to]"', '"sent[args.^ot]"', 'UNKNOWN_NAME', /Did you mean to\?/],
  ['"sent[args.to]"', '^sent', 'TYPE_MISMATCH', /which key/],
  ['"state.sent[args.to] + 1"', '"^true"', 'TYPE_MISMATCH', /the values of sent/],
  ['rules:', 'sheets: [{ sheet: ^limits@1.0.0, for: plan, bind: {} }]\nrules:', 'UNKNOWN_SHEET', /no sheet/],
  ['rules:', 'tools: { ^reader@1: {} }\nrules:', 'MALFORMED_NAME', /order.get@1.0.0/],
  ['rules:', 'tools: { reader@1.0.0: { effect: ^write } }\nrules:', 'WRONG_FORM', /catalogue/],
  ['rules:', 'tools: { ^look@1.0.0: {} }\nrules:', 'NAME_TAKEN', /catalogue has/],
];

test('a fault in another part of a plan has its line and its column', (t) => {
  const problems = PLANS.flatMap(([from, marked, code, message]) => {
    const text = PLAN.replace(from, () => marked.replace('^', ''));
    const before = text.slice(0, PLAN.indexOf(from) + marked.indexOf('^'));
    const { faults = [] } = compileText(text);
    const fault = faults.find((each) => each.code === code && message.test(each.message));
    const isPlaced =
      fault?.line === before.split('\n').length && fault.column === before.length - before.lastIndexOf('\n');
    return fault !== undefined && (isPlaced || !marked.includes('^')) ? [] : [{ marked, faults }];
  });
  t.deepEqual(problems, []);
});

test('all faults of a text are reported at once, in the order of the text', (t) => {
  const text = planText(['a: capp > 0.00', 'b: flag = true', 'c: count(pay) > "1"'], {
    where: 'args.amont > 0.00 && args.paye == ""',
  });
  const { faults } = compileText(text.replace('expires: 2026', 'expires: 20').replace('recorded', 'recored'));
  t.deepEqual(
    faults?.map(({ code, line }) => `${line} ${code}`),
    [
      '2 MALFORMED_TIME',
      '3 UNKNOWN_PART',
      '14 UNKNOWN_NAME',
      '14 UNKNOWN_NAME',
      '19 UNKNOWN_NAME',
      '20 CEL_SYNTAX',
      '21 TYPE_MISMATCH',
    ],
  );
});

test('texts that are too large, too deep or empty are refused', (t) => {
  const codeOf = (text: string) => compileText(text).faults?.map(({ code }) => code);
  t.deepEqual(codeOf('#'.repeat(300_000)), ['TOO_LARGE']);
  t.deepEqual(codeOf('['.repeat(100_000)), ['TOO_DEEP']);
  t.deepEqual(codeOf('- '.repeat(100_000)), ['TOO_DEEP']);
  t.deepEqual(codeOf(''), ['YAML_SYNTAX']);
  t.deepEqual(codeOf('a: 1\n---\nb: 1\n'), ['YAML_FEATURE']);
  t.deepEqual(codeOf('%YAML 1.1\n---\nplan: x\n'), ['YAML_FEATURE']);
  t.deepEqual(codeOf(`[${'a,'.repeat(60_000)}a]`), ['TOO_LARGE']);
});
