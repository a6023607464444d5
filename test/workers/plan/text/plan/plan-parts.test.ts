import test from 'ava';
import { compilePlan } from '../../../../../workers/plan/text/compile-plan.ts';
import { compileText, planOf, planText, TOOLS, toolsIn } from '../../../../models/plan-texts.ts';
import { rowsOf, tree } from '../../../../models/trees.ts';

const BASE = planText([]);
const HEAD = 'plan: P\nexpires: 2026-12-05T00:00:00Z\n';

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
    supersedes: null,
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

/** Changes that are accepted, and what a part of the plan then is: JSON, or a tree of an expression. */
const ACCEPTED = `
plan: A plan → plan: ${'p'.repeat(200)} ⇒ title = "${'p'.repeat(200)}"
recorded: 20 → recorded: 0 ⇒ max_recorded = 0
recorded: 20 → recorded: 1000 ⇒ max_recorded = 1000
recorded: 20 → executions: 1000 ⇒ max_executions = 1000
recorded: 20 → approvals: 8 ⇒ approvals = 8
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
{ id: /id } → { id: { type: string(3), at: /${'a'.repeat(255)} } } ⇒ steps.1.evidence.0.reads.id.at.length = 256
{ id: /id } → { id: { type: string(3) } } ⇒ steps.1.evidence.0.reads.id.at = "/id"
{ id: /id } → { id: { type: string(3), at: "" } } ⇒ steps.1.evidence.0.reads.id.at = ""
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

const stepsOf = (steps: Readonly<Record<string, string>>) => {
  const lines = Object.entries(steps).map(([name, more]) => `  ${name}: { tool: look@1, times: 0..5${more} }\n`);
  return compileText(`${HEAD}steps:\n${lines.join('')}`).faults;
};

test('steps that wait for each other are named, at the first of them in the circle', (t) => {
  const after = (name: string) => `, after: ${name}`;
  t.is(stepsOf({ a: after('[b, c]'), b: after('c'), c: '' }), undefined);
  for (const [order, circle, line] of [
    [{ a: after('b'), b: after('a') }, 'a after b after a', 4],
    [{ a: after('b'), b: after('c'), c: after('b') }, 'b after c after b', 5],
    [{ a: '', b: after('c'), c: after('d'), d: after('b') }, 'b after c after d after b', 5],
  ] as const) {
    const faults = stepsOf(order);
    t.like(faults, [{ code: 'CYCLIC_ORDER', message: `these steps wait for each other: ${circle}`, line }]);
    t.is(faults?.length, 1);
  }
});

test('a plan has 1 to 64 steps', (t) => {
  const many = (count: number) => stepsOf(Object.fromEntries(Array.from({ length: count }, (_, id) => [`s${id}`, ''])));
  t.like(many(0), [{ code: 'WRONG_FORM', line: 3 }]);
  t.like(compileText(`${HEAD}steps: {}\n`).faults, [
    { code: 'MISSING_PART', line: 3, column: 8, message: 'the plan has no step: add one under steps' },
  ]);
  t.like(compileText(HEAD).faults, [{ code: 'MISSING_PART', line: 1 }]);
  t.is(many(64), undefined);
  t.like(many(65), [{ code: 'TOO_MANY', line: 4, message: 'steps must not have more than 64 items' }]);
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
const withInline = (change: (text: string) => string) =>
  compileText(
    change(
      BASE.replace('rules:', `${INLINE}rules:`)
        .replace('tool: look@1,', 'tool: rates.get@1,')
        .replace('left: 80.00,', 'left: 80.00, rate: 0.00, other: 1,'),
    ),
  );

test('a plan may describe tools that read, which observe its states', (t) => {
  const { plan, faults } = withInline((text) => text);
  t.is(faults, undefined);
  t.is(plan?.steps[0]?.tool, 'rates.get@1.0.0');
  t.deepEqual(plan?.tools[2], {
    name: 'rates.get',
    version: '1.0.0',
    effect: 'none',
    replay: 'effects',
    args: { of: { type: 'string', max: 3 } },
    responds: {
      rate: { type: 'decimal', scale: 2, min: '0.00', at: '/rate' },
      id: { type: 'string', max: 8, at: '/id' },
    },
    effects: { left: ['state', 'left'] },
    observe: { rate: 'rate' },
    identity: 'id',
    post: [{ id: 'post', expr: ['>', ['resp', 'rate'], ['dec', '0.00']] }],
  });
  t.is(withInline((text) => text.replace('replay: effects', 'replay: effects\n    effect: none')).faults, undefined);
});

test('a step changes no state that a tool changes or observes', (t) => {
  const faultsOf = (name: string) =>
    withInline((text) =>
      text.replace('{ "sent[args.to]": "state.sent[args.to] + 1" }', `{ ${name}: state.${name} }`),
    ).faults?.map(({ code, message }) => `${code} ${message}`);
  t.is(faultsOf('other'), undefined);
  t.deepEqual(faultsOf('rate'), [
    'WRONG_REPLAY rates.get@1.0.0 observes rate, so only tools may change it: use another state',
  ]);
  t.deepEqual(faultsOf('left'), [
    'WRONG_REPLAY bank.pay@2.3.1 observes left, so only tools may change it: use another state',
  ]);
  const own = withInline((text) =>
    text.replace('tool: rates.get@1,', 'tool: rates.get@1, effects: { left: state.left },'),
  );
  t.like(own.faults, [{ code: 'WRONG_REPLAY', message: 'rates.get@1.0.0 changes left itself: remove this effect' }]);
});

test('a state that a tool has as a map is given as a map, with the types of the tool', (t) => {
  const tools = toolsIn(`tools:
  box.fill@1.0.0:
    effect: write
    state: { boxes: "map(string(8), int)", one: int }
    effects: { "boxes[\\"a\\"]": 1, "boxes[\\"b\\"]": 2 }
`);
  const faultsOf = (state: string) =>
    compilePlan(`${HEAD}state: { ${state} }\nsteps: { fill: { tool: box.fill@1, times: 1 } }\n`, {
      tools,
      tables: new Map(),
    }).faults?.map(({ code, message }) => `${code} ${message}`);
  t.is(faultsOf('boxes: "map(string(8), int, default 0)", one: 1'), undefined);
  t.deepEqual(faultsOf('boxes: 3, one: 1'), [
    'WRONG_STATE boxes is a map of a tool: write map(…, …, default …) as in map(string(8), int)',
  ]);
  t.deepEqual(faultsOf('boxes: "map(string(9), int, default 0)", one: 1'), [
    'WRONG_STATE box.fill needs boxes as map(string(8), int), and it is map(string(9), int, default 0) here',
  ]);
  t.deepEqual(faultsOf('boxes: "map(string(8), int, default 0)"'), [
    'MISSING_STATE box.fill needs the state one: add one: its initial value under state',
  ]);
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

const VERSIONS = '1.9.0, 2.9.9, 2.10.1, 2.10.0, 20.0.0, 0.0.1';

test('a step has the highest version that it asks for', (t) => {
  const tools = toolsIn(
    `tools:\n${VERSIONS.split(', ')
      .map((version) => `  a@${version}: {}\n`)
      .join('')}`,
  );
  for (const [ref, found] of Object.entries({
    ...{
      'a@2': '2.10.1',
      'a@2.9': '2.9.9',
      'a@2.10': '2.10.1',
      'a@2.10.0': '2.10.0',
      'a@20': '20.0.0',
      'a@0': '0.0.1',
    },
    'a@1.9.0': '1.9.0',
    'a@3': `a has no version 3. Known: ${VERSIONS}.`,
    'a@2.1': `a has no version 2.1. Known: ${VERSIONS}.`,
    a: '"a" does not name a tool with its version: write, for example, a@1',
    b: '"b" does not name a tool with its version: write, for example, bank.transfer@2',
  })) {
    const text = `${HEAD}steps: { s: { tool: ${ref}, times: 1 } }\n`;
    const { plan, faults } = compilePlan(text, { tools, tables: new Map() });
    if (plan === undefined) t.like(faults, [{ code: 'UNKNOWN_TOOL', message: found }]);
    else t.deepEqual([plan.steps[0]?.tool, plan.tools.length], [`a@${found}`, 1]);
  }
});
