import test from 'ava';
import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import type { ToolDocument } from '../../../../workers/exact/tool-schema.ts';
import { findDangers } from '../../../../workers/plan/lint/dangers.ts';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { hashToolText, readCatalogueTool } from '../../../../workers/plan/read/read-tool.ts';
import { hashTool } from '../../../../workers/plan/text/tools/known-tool.ts';
import { MAIL_TOOLS, mailPlan } from '../../../models/mail-plan.ts';
import { textsOf, toolsIn } from '../../../models/plan-texts.ts';
import { rowsOf, tree } from '../../../models/trees.ts';
import { viewOf } from '../../../models/view.ts';

const MAIL: ToolDocument = defined(MAIL_TOOLS[0]);

/** The fault that a function throws. */
function thrownBy(run: () => unknown) {
  try {
    run();
  } catch (error) {
    const { code, path, message }: Record<string, unknown> = Object(error);
    return { code, path, message: String(message) };
  }
  return { code: undefined, path: undefined, message: '' };
}

test('a description with lists, objects and optional parts has one canonical text, and one hash', (t) => {
  t.is(
    canonicalText(MAIL.args),
    '{"cc":{"max":2,"min":1,"of":{"fold":"email","max":254,"type":"string"},"optional":true,"type":"list"},' +
      '"from":{"members":{"name":{"max":64,"type":"string"},"team":{"max":10,"optional":true,"type":"string"},' +
      '"unit":{"members":{"floor":{"max":"9","min":"0","type":"int"}},"optional":true,"type":"object"}},"type":"object"},' +
      '"lines":{"max":3,"min":0,"of":{"members":{"gift":{"optional":true,"type":"bool"},"price":{"min":"0.00","scale":2,"type":"decimal"},' +
      '"quantity":{"max":"10","min":"0","type":"int"},"sku":{"max":10,"type":"string"}},"type":"object"},"type":"list"},' +
      '"note":{"max":100,"optional":true,"type":"string"},"subject":{"max":100,"type":"string"},' +
      '"to":{"max":3,"min":1,"of":{"fold":"email","max":254,"type":"string"},"type":"list"}}',
  );
  t.is(hashTool(MAIL), hashToolText(canonicalText(MAIL)));
  t.is(hashTool(MAIL), HASH);
});

const HASH = '680a4a25e3aceca9b9999a8ba1a65266285a46a29947918962b329489ea923dd';

/** Conditions of an act, and their canonical form. */
const CONDITIONS = rowsOf(`
args.to.all(t, t in allowed) ⇒ [forall [arg to] t [in allowed [[item t]]]]
args.lines.exists(l, l.price > 0.00 && has(l.gift)) ⇒ [exists [arg lines] l [and [> [item l price] [dec 0.00]] [has [item l gift]]]]
size(args.to) <= 2 && count(args.lines, l, l.gift) == 0 ⇒ [and [<= [count [arg to]] 2] [= [count [arg lines] l [item l gift]] 0]]
sum(args.lines, l, l.price * l.quantity) <= cap ⇒ [<= [sum [arg lines] l [* [item l price] [item l quantity]]] [var cap]]
unique(args.lines, l, [l.sku, l.price]) ⇒ [unique [arg lines] l [[item l sku] [item l price]]]
args.from.unit.floor == 1 ⇒ [= [arg from/unit/floor] 1]
has(args.from.unit) || has(args.cc) || has(args.note) ⇒ [or [has [arg from/unit]] [has [arg cc]] [has [arg note]]]
args.subject in args.to ⇒ [exists [arg to] element [= [arg subject] [item element]]]
args.to.all(t, t in args.cc) ⇒ [forall [arg to] t [exists [arg cc] element [= [item t] [item element]]]]
size(args.to) / 2 == 1 ⇒ [= [div [count [arg to]] 2] 1]
`);
const RULES = rowsOf(`
send.all(s, s.to.all(t, s.sent.exists(r, r.to == t))) ⇒ [forall send s [forall [arg s to] t [exists [resp s sent] r [= [item r to] [item t]]]]]
send.all(s, s.args.from.name == s.from.team) ⇒ [forall send s [= [arg s from/name] [arg s from/team]]]
send.all(s, has(s.warning) || has(s.response.cost)) ⇒ [forall send s [or [has [resp s warning]] [has [resp s cost]]]]
sum(send, s, size(s.args.to)) <= most ⇒ [<= [sum send s [count [arg s to]]] [var most]]
`);

test('conditions about parts compile to the canonical form, which is read back', (t) => {
  const named = (all: typeof RULES) => all.map(([text], index) => `r${index}: ${JSON.stringify(text)}`);
  const { plan } = mailPlan(
    named(CONDITIONS).map((line) => line.replace(' && ', ' && ')),
    named(RULES),
  );
  t.notThrows(() => readPlan(plan, [], { tools: textsOf(MAIL_TOOLS), tables: [] }));
  for (const [index, [text, expected]] of RULES.entries())
    t.deepEqual(plan.constraints[index]?.expr, tree(expected), text);
  const where = new Map(plan.steps[0]?.where.map(({ id, expr }) => [id, expr]));
  for (const [index, [text, expected]] of CONDITIONS.entries()) {
    const parts = [where.get(`r${index}`), where.get(`r${index}.1`), where.get(`r${index}.2`)].filter(Boolean);
    t.deepEqual(parts.length === 1 ? parts[0] : ['and', ...parts], tree(expected), text);
  }
});

test('a description says of each part one thing that is possible', (t) => {
  const list = { type: 'list', of: { type: 'bool' }, min: 1, max: 2 };
  const object = { type: 'object', members: { a: { type: 'bool' } } };
  const deep = (levels: number): object =>
    levels === 0 ? { type: 'bool' } : { type: 'object', members: { a: deep(levels - 1) } };
  for (const [type, path, message] of [
    [{ type: 'bool', optional: false }, '/optional', 'is not true: leave it out'],
    [{ ...list, min: 3 }, '', 'is never longer than nothing, or has a min above its max'],
    [{ ...list, min: 0, max: 0 }, '', 'is never longer than nothing, or has a min above its max'],
    [{ ...list, max: 257 }, '/max', 'is not an integer from 0 to 256'],
    [{ ...list, min: -0.5 }, '/min', 'is not an integer from 0 to 256'],
    [{ ...list, size: 1 }, '/size', 'is not a property of this type'],
    [{ ...list, of: list }, '/of', 'is a list inside a list'],
    [{ ...list, of: { type: 'object', members: { a: list } } }, '/of/members/a', 'is a list inside a list'],
    [{ ...list, of: { type: 'bool', optional: true } }, '/of/optional', 'is not for elements of a list'],
    [{ ...list, of: undefined }, '/of', 'is not an object'],
    [{ ...object, members: {} }, '/members', 'does not have 1 to 64 members'],
    [
      { ...object, members: { 'a/b': { type: 'bool' } } },
      '/members/a~1b',
      'is not a name: 1 to 64 of A-Z a-z 0-9 _ . : -',
    ],
    [{ ...object, max: 1 }, '/max', 'is not a property of this type'],
    [deep(5), '/members/a/members/a/members/a/members/a', 'nests objects deeper than 4 levels'],
  ] as const) {
    const { path: at, message: said } = thrownBy(() => readCatalogueTool({ ...MAIL, args: { x: type } }));
    t.deepEqual([at, said], [`/args/x${path}`, message], JSON.stringify(type));
  }
  t.notThrows(() => readCatalogueTool({ ...MAIL, args: { x: deep(4) } }));
  const alike = { 'x.a': { type: 'bool' }, y: { ...list, of: object }, x: object };
  t.like(
    thrownBy(() => readCatalogueTool({ ...MAIL, args: alike })),
    { path: '/args/x', message: 'has a part written like another one, x.a: rename one of them' },
  );
  const many = { ...list, of: { type: 'object', members: { a: { type: 'bool' }, b: { type: 'bool' } } }, max: 256 };
  t.like(
    thrownBy(() => readCatalogueTool({ ...MAIL, args: { x: many } })),
    { code: 'TOO_MANY_VARIABLES', path: '/args' },
  );
});

test('what every act must have cannot be optional, and money is no element of a list', (t) => {
  const text = (more: string, amount = 'amount: decimal(2)', id = 'id: string(9)') => `tools:
  pay@1.0.0:
    effect: revenue_write
    args: { payment: { ${amount}, currency: string(3) }, tip?: decimal(2), key?: string(9), to: [string(9), ..2] }
    responds: { ${id} }
    identity: id
    ${more}
`;
  const [tool] = toolsIn(text('amounts: args.payment.amount in args.payment.currency'));
  t.deepEqual(tool?.amounts, [{ of: ['arg', 'payment/amount'], unit: '1', currency: ['arg', 'payment/currency'] }]);
  for (const [more, said] of [
    ['amounts: args.tip in EUR', /tip may be missing/],
    ['limits: { most: 3 acts for each to per day }', /the tool has no argument to/],
    ['limits: { most: 3.00 of tip per day }', /tip may be missing/],
    ['once: args.key', /key may be missing/],
  ] as const) {
    t.regex(String(thrownBy(() => toolsIn(text(more))).message), said);
  }
  const money = { of: ['resp', 'lines#0'], unit: '1', currency: 'EUR' };
  const responds = { ...tool?.responds, lines: { type: 'list', of: { type: 'int' }, min: 1, max: 2, at: '/lines' } };
  t.regex(
    String(thrownBy(() => readCatalogueTool({ ...tool, responds, amounts: [money] })).message),
    /lines\[\] may be missing/,
  );
});

test('a rule about a list that is written out too often, or names one element, is refused', (t) => {
  const tools = toolsIn(
    'tools: { t@1.0.0: { effect: write, args: { to: [string(9), ..250], lines: [{ n?: int }, 0..2] }, responds: { id: int } } }',
  );
  const plan = (expr: unknown, rule: unknown) => ({
    ...mailPlan([]).plan,
    constraints: [{ id: 'r', expr: rule }],
    tools: [{ name: 't', version: '1.0.0', sha256: hashTool(defined(tools[0])) }],
    steps: [{ ...defined(mailPlan([]).plan.steps[0]), tool: 't@1.0.0', where: [{ id: 'c', expr }] }],
  });
  const read = (expr: unknown, rule: unknown = ['bool', true]) =>
    readPlan(plan(expr, rule), [], { tools: textsOf(tools), tables: [] });
  t.notThrows(() => read(tree('[forall [arg to] t [= [item t] [str a]]]')));
  t.like(
    thrownBy(() => read(tree('[unique [arg to] t [[item t]]]'))),
    { code: 'TOO_MANY_NODES' },
  );
  const nested = '[forall [arg to] a [forall [arg to] b [= [item a] [item b]]]]';
  t.like(
    thrownBy(() => read(tree(nested))),
    { code: 'TOO_MANY_NODES', path: '/steps/0/where/0/expr' },
  );
  // 750 nodes each, and 100,000 in a plan.
  const often = (times: number, list: string) =>
    tree(`[and ${`[forall ${list} t [= [item t] [str a]]] `.repeat(times)}]`);
  const inAll = (times: number) => read(often(67, '[arg to]'), ['forall', 'send', 's', often(times, '[arg s to]')]);
  t.notThrows(() => inAll(66));
  t.like(
    thrownBy(() => inAll(67)),
    { code: 'TOO_LARGE', path: '/constraints/0/expr/3/67' },
  );
  for (const wrong of [
    '[least [arg to] t [item t]]',
    '[forall [arg id] t [bool true]]',
    '[= [item t] [str a]]',
    '[has [arg x]]',
    // An element has no name, nor has whether one is there.
    '[= [arg to#0] [str a]]',
    '[arg to#1?]',
    '[has [arg to#1]]',
    '[forall [arg lines] l [item l n?]]',
  ]) {
    t.truthy(thrownBy(() => read(tree(wrong))).code, wrong);
  }
  t.truthy(thrownBy(() => read(['bool', true], tree('[forall send s [= [arg s to#0] [str a]]]'))).code);
});

test('the view says which parts the agent chooses, how many there are, and what may be left out', (t) => {
  const where = [
    'to: args.to.all(t, t in allowed)',
    'cc: "!has(args.cc) || args.cc.all(c, c == \'a@x.org\')"',
    'team: args.from.team == "ops"',
  ];
  const view = viewOf(mailPlan(where, ['r: send.all(s, s.sent.all(r, r.ok))']).plan, { tools: MAIL_TOOLS });
  for (const line of [
    '**the agent chooses** `from.name`, `from.unit.floor` (may be left out) (at least 0 and at most 9), `lines[].gift` (0 to 3 of them), `lines[].price` (0 to 3 of them), `lines[].quantity` (0 to 3 of them), `lines[].sku` (0 to 3 of them), `note` (may be left out) and `subject`',
    '  - `to[]` (1 to 3 of them): `a@x.org` or `b@x.org`',
    '  - `cc[]` (may be left out, 1 to 2 of them): `a@x.org`',
    '  - `from.team` (may be left out): `ops`',
    '- **what the agent reports of `send`** is believed: `sent[].ok`',
    '- `r`: for every `send` action `s`: for every element of `s.response.sent` `r`: `r.ok`',
    '`from` `{ name: string(64), team?: string(10), unit?: { floor: int(0..9) } }`',
    '`cc` `[string(254, email), 1..2]` (may be left out)',
    '`warning` `string(100)` (may be left out) at `/warning`',
    '  - only if (it is false that (`args.cc` is there)) or (for every element of `args.cc` `c`: `c` is the text `a@x.org`)',
  ]) {
    t.true(view.includes(line), `${line}\n${view}`);
  }
});

test('a rule about each element of a response that may be empty holds for nothing, and lint says so', (t) => {
  for (const [rules, expected] of [
    [['send.all(s, s.sent.all(r, r.ok))'], 1],
    [['send.all(s, !s.sent.exists(r, !r.ok))'], 1],
    [['send.all(s, size(s.sent) > 0 && s.sent.all(r, r.ok))'], 0],
    [['send.all(s, s.sent.all(r, r.ok))', 'send.all(s, s.to.all(t, s.sent.exists(r, r.to == t)))'], 0],
    [['send.all(s, s.to.all(t, t in allowed))'], 0],
  ] as const) {
    const { typed } = mailPlan(
      [],
      rules.map((rule, index) => `r${index}: ${JSON.stringify(rule)}`),
    );
    const found = findDangers(typed).filter(({ code }) => code === 'HOLDS_FOR_NOTHING');
    t.is(found.length, expected, rules.join());
    if (expected > 0) t.regex(found[0]?.message ?? '', /^holds although sent of send is empty/);
  }
});
