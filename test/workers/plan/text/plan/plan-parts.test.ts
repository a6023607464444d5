import test from 'ava';
import { compileText, planOf, planText, TOOLS } from '../../../../models/plan-texts.ts';
import { SPEND_CAP, useOf } from '../../../../models/sheets.ts';
import { rowsOf, tree } from '../../../../models/trees.ts';
import { BOX_PLAN, compileBoxes } from '../faults/plan-cases.ts';
import { compileUse, PLAN_USE } from '../faults/sheet-cases.ts';

const BASE = planText([]);

/** The plan with parts of its text replaced: ` & ` is between changes, and ⏎ ends a line. */
const having = (changes: string) =>
  planOf(
    changes
      .replaceAll('⏎', '\n')
      .split(' & ')
      .reduce((text, change) => {
        const [from = '', to = ''] = change.split(' → ');
        if (!text.includes(from)) throw new Error(from);
        return text.replace(from, () => to);
      }, BASE),
  );

test('what a plan does not say is in its canonical form', (t) => {
  const plan = having('recorded: 20⏎ →  & where: args.amount > 0.00⏎     → ');
  const [, pay] = plan.steps;
  t.like(plan, {
    ...{ expires_at: '2026-12-05T00:00:00.000000Z', max_recorded: 0, max_executions: 1, approvals: 1 },
    ...{ supersedes: null, reserve: undefined },
    state: { left: { type: 'decimal', scale: 2, initial: '80.00' } },
  });
  t.like(plan.tables, { pairs: { inline: [{ a: 'x', b: '1', c: true }] }, approved: { rows: 2 } });
  t.like(pay, { where: [], after: [], overlaps: undefined });
  t.like(pay?.evidence[0], { media_types: ['application/json'], max_bytes: 65_536, min: 1, max: 1 });
});

const NAME = 'a'.repeat(64);
const rows = Array.from({ length: 256 }, (_, index) => `{ a: x, b: ${index}, c: true }`);
const keys = [1, 2, 3, 4].map((key) => `'sent["${key}"]': ${key}`);
const types = Array.from({ length: 7 }, (_, index) => `a/${index}`);
const longest = `0${'a'.repeat(60)}.+-/9${'z'.repeat(60)}.+-`;
const steps = Array.from({ length: 61 }, (_, index) => `  s${index}: { tool: look@1, times: 1, after: [look, pay] }⏎`);

/** Changes that are accepted, and what a part of the plan then is: JSON, or a tree of an expression. */
const ACCEPTED = `
plan: A plan → plan: ${'p'.repeat(200)} ⇒ title = "${'p'.repeat(200)}"
recorded: 20 → recorded: 0 ⇒ max_recorded = 0
recorded: 20 → recorded: 1000 ⇒ max_recorded = 1000
recorded: 20 → executions: 1000 ⇒ max_executions = 1000
recorded: 20 → approvals: 8 ⇒ approvals = 8
recorded: 20 → reserve: 1h ⇒ reserve = 3600
recorded: 20 → reserve: 1500ms500ms ⇒ reserve = 2
recorded: 20 → supersedes: ${'a'.repeat(58)}Z_.:-9 ⇒ supersedes = "${'a'.repeat(58)}Z_.:-9"
left: 80.00 → left: 80.00, ${NAME}: 1 ⇒ state.${NAME} = {"type":"int","initial":"1"}
left: 80.00 → left: 80.00, _: true ⇒ state._ = {"type":"bool","initial":true}
left: 80.00 → left: 80 ⇒ state.left.initial = "80.00"
left: 80.00 → left: { type: decimal(2), initial: 3 } ⇒ state.left = {"type":"decimal","scale":2,"initial":"3.00"}
left: 80.00 → left: 80.00, free: mapped ⇒ state.free = {"type":"string","max":1024,"initial":"mapped"}
rows: [{ a: x, b: 1, c: true }] → rows: [${rows}] ⇒ tables.pairs.inline.length = 256
rows: [{ a: x, b: 1, c: true }] → rows: [] ⇒ tables.pairs.inline = []
{ a: x, b: 1, c: true } → { a: x, b: 1, c: true }, { b: 2, c: false, a: y } ⇒ tables.pairs.inline.1 = \
{"a":"y","b":"2","c":false}
key: [a, b] → key: a ⇒ tables.pairs.key = ["a"]
key: [a, b] → key: [a, b, c] ⇒ tables.pairs.key = ["a","b","c"]
key: [a, b], columns: { a: string(8) → key: [a, b, c, d], columns: { d: int, a: string(8)\
 & { a: x, b: 1, c: true } →  ⇒ tables.pairs.key.length = 4
  mail: { → ${steps.join('')}  mail: { ⇒ steps.length = 64
times: 0..10 → times: 7 ⇒ steps.1.min = 7
times: 0..10 → times: 7 ⇒ steps.1.max = 7
times: 0..10 → times: 0 .. 990 ⇒ steps.1.max = 990
times: 0..10 → times: 3..3 ⇒ steps.1.min = 3
times: 0..10 → times: 0..10⏎    after: look ⇒ steps.1.after = [{"step":"look","at_least":1}]
times: 0..5 } → times: 2..5 } & times: 0..10 → times: 1⏎    after: look ⇒ steps.1.after = [{"step":"look","at_least":2}]
times: 0..10 → times: 0..10⏎    after: { look: 5, mail: if_done } ⇒ steps.1.after = \
[{"step":"look","at_least":5},{"step":"mail","at_least":0}]
times: 0..10 → times: 0..10⏎    after: [{ look: 1 }, mail] ⇒ steps.1.after = \
[{"step":"look","at_least":1},{"step":"mail","at_least":1}]
times: 0..10 → times: 0..10⏎    overlaps: look ⇒ steps.1.overlaps = ["look"]
times: 0..10 → times: 0..10⏎    overlaps: [mail, pay] ⇒ steps.1.overlaps = ["mail","pay"]
args.amount > 0.00 → { b: true, a: false } ⇒ steps.1.where = \
[{"id":"b","expr":["bool",true]},{"id":"a","expr":["bool",false]}]
args.amount > 0.00 → approvals / 2 > 0 ⇒ steps.1.where.0.expr = [> [div [run approvals] 2] 0]
args.amount > 0.00 → ended_at > approved_at ⇒ steps.1.where.0.expr = [> [ended] [run approved_at]]
{ "sent[args.to]": "state.sent[args.to] + 1" } → { ${keys} } ⇒ steps.2.effects.sent.length = 4
"sent[args.to]" → ' sent [ args.to ] ' ⇒ steps.2.effects.sent.0.key = [arg to]
"sent[args.to]" → "sent[args.to]" ⇒ steps.2.effects.sent.0.value = [+ [at state sent [arg to]] 1]
application/json → application/json, max_bytes: 1 ⇒ steps.1.evidence.0.max_bytes = 1
application/json → application/json, max_bytes: 2097152 ⇒ steps.1.evidence.0.max_bytes = 2097152
application/json → application/json, times: 0..20 ⇒ steps.1.evidence.0.max = 20
application/json → application/json, times: 0..20 ⇒ steps.1.evidence.0.min = 0
application/json → [${types}, ${longest}] ⇒ steps.1.evidence.0.media_types.7 = "${longest}"
{ id: /id } → { id: string(3) } ⇒ steps.1.evidence.0.reads = {"id":{"type":"string","max":3,"at":"/id"}}
{ id: /id } → { id: string(3)  at   /a at b } ⇒ steps.1.evidence.0.reads.id.at = "/a at b"
{ id: /id } → { id: string(3) at /${'a'.repeat(255)} } ⇒ steps.1.evidence.0.reads.id.at.length = 256
{ id: /id } → { id: string(3) at "" } ⇒ steps.1.evidence.0.reads.id.at = ""
{ id: /id } → { id: /a~0~1//b, amount: /x } ⇒ steps.1.evidence.0.reads = \
{"id":{"type":"string","max":64,"at":"/a~0~1//b"},"amount":{"type":"decimal","scale":2,"at":"/x"}}
`;

test('each part of a plan is accepted up to its bounds, and is written in canonical form', (t) => {
  for (const [changes, expected] of rowsOf(ACCEPTED)) {
    const [path = '', text = ''] = expected.split(' = ');
    const value = path.split('.').reduce((part: unknown, name) => Object(part)[name], having(changes));
    t.deepEqual(value, /^\[[a-z+>]/.test(text) ? tree(text) : JSON.parse(text), changes);
  }
});

const INLINE = `tools:
  rates.get@1.0.0:
    replay: effects
    args: { of: string(3) }
    responds: { rate: "decimal(2, 0..)", id: string(8) }
    effects: { left: state.left }
    observe: { rate: rate }
    identity: id
    post: response.rate > 0.00
`;
test('a plan may describe tools that read, which observe its states', (t) => {
  const text = BASE.replace('rules:', `${INLINE}rules:`)
    .replace('tool: look@1,', 'tool: rates.get@1,')
    .replace('left: 80.00,', 'left: 80.00, rate: 0.00,');
  const plan = planOf(text);
  t.is(plan.steps[0]?.tool, 'rates.get@1.0.0');
  t.deepEqual(plan.tools[2], {
    ...{ name: 'rates.get', version: '1.0.0', effect: 'none', replay: 'effects', identity: 'id' },
    args: { of: { type: 'string', max: 3 } },
    responds: {
      rate: { type: 'decimal', scale: 2, min: '0.00', at: '/rate' },
      id: { type: 'string', max: 8, at: '/id' },
    },
    effects: { left: ['state', 'left'] },
    observe: { rate: 'rate' },
    post: [{ id: 'post', expr: ['>', ['resp', 'rate'], ['dec', '0.00']] }],
  });
  t.deepEqual(planOf(text.replace('replay: effects', 'replay: effects\n    effect: none')), plan);
});

test('a factor alone is written out, and a given value that is used otherwise is kept', (t) => {
  const variables = (rule: string) => Object.keys(planOf(planText([`r: ${rule}`])).variables);
  t.false(variables('count(pay) * most < 9').includes('most'));
  t.true(variables('count(pay) * most < most').includes('most'));
  t.true(variables('count(pay) < 3').includes('most'));
});

test('a description of the catalogue whose types cannot be read is named', (t) => {
  const [look, ...others] = TOOLS;
  for (const [part, fault] of [
    [{ args: { a: { type: 'money' } } }, '/args/a/type is not a type of the language'],
    [{ responds: { a: {} } }, '/responds/a/type is not a type of the language'],
    [{ state: { a: 3 } }, '/state/a is not an object'],
  ] as const) {
    const tools = [...others, { ...look, ...part } as (typeof TOOLS)[number]];
    t.like(compileText(BASE, tools).faults, [
      { code: 'UNKNOWN_TOOL', message: `the catalogue describes look@1.0.0 wrongly: its ${fault}` },
    ]);
  }
});

test('a step has the highest version that it asks for', (t) => {
  for (const [ref, version] of Object.entries({
    ...{ 'a@2': '2.10.1', 'a@2.9': '2.9.9', 'a@2.10': '2.10.1', 'a@20': '20.0.0', 'a@0': '0.0.1', 'a@1.9.0': '1.9.0' },
    'a@2.10.0': '2.10.0',
  })) {
    const { plan } = compileBoxes(BOX_PLAN.replace('box.fill@1', ref));
    t.deepEqual([plan?.steps[0]?.tool, plan?.tools.length], [`a@${version}`, 1]);
  }
});

test('a sheet is bound to a whole run, or to each action of a step', (t) => {
  t.deepEqual(compileUse(`{ ${PLAN_USE} }`).plan?.sheets, [
    useOf(SPEND_CAP, 'plan', { cap: ['var', 'cap'], spent: ['sum', 'pay', 'p', ['arg', 'p', 'amount']] }),
  ]);
  const each = compileUse(
    '{ sheet: spend-cap@1.0.0, for: each  pay, bind: { cap: response.left, spent: args.amount } }',
  );
  t.deepEqual(each.plan?.sheets, [useOf(SPEND_CAP, 'each:pay', { cap: ['resp', 'left'], spent: ['arg', 'amount'] })]);
});
