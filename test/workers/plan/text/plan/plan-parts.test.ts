import test from 'ava';
import { compilePlan } from '../../../../../workers/plan/text/compile-plan.ts';
import { compileText, planOf, planText, TOOLS, toolsIn } from '../../../../models/plan-texts.ts';

const BASE = planText([]);
const row = (b: number) => `{ a: x, b: ${b}, c: true }`;
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index)).join(', ');

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((part: unknown, name) => Object(part)[name], value);
}

/** A change of the plan that is accepted, and what a part of the plan then is. */
const ACCEPTED: readonly (readonly [from: string, to: string, path: string, value: unknown])[] = [
  ['plan: A plan', `plan: ${'a'.repeat(200)}`, 'title', 'a'.repeat(200)],
  ['expires: 2026-12-05T00:00:00Z', 'expires: 2026-12-05T00:00:00Z', 'expires_at', '2026-12-05T00:00:00.000000Z'],
  ['recorded: 20\n', '', 'max_recorded', 0],
  ['recorded: 20', 'recorded: 0', 'max_recorded', 0],
  ['recorded: 20', 'recorded: 1000', 'max_recorded', 1000],
  ['recorded: 20', 'recorded: 20', 'max_executions', 1],
  ['recorded: 20', 'executions: 1', 'max_executions', 1],
  ['recorded: 20', 'executions: 1000', 'max_executions', 1000],
  ['recorded: 20', 'recorded: 20', 'approvals', 1],
  ['recorded: 20', 'approvals: 2', 'approvals', 2],
  ['recorded: 20', 'approvals: 8', 'approvals', 8],
  ['recorded: 20', 'recorded: 20', 'supersedes', null],
  ['recorded: 20', `supersedes: ${'a'.repeat(58)}Z_.:-9`, 'supersedes', `${'a'.repeat(58)}Z_.:-9`],
  ['left: 80.00', `left: 80.00, ${'a'.repeat(64)}: 1`, `state.${'a'.repeat(64)}`, { type: 'int', initial: '1' }],
  ['left: 80.00', 'left: 80.00, _: true', 'state._', { type: 'bool', initial: true }],
  ['left: 80.00', 'left: 80', 'state.left', { type: 'decimal', scale: 2, initial: '80.00' }],
  [
    'left: 80.00',
    'left: { type: decimal(2), initial: 3 }',
    'state.left',
    { type: 'decimal', scale: 2, initial: '3.00' },
  ],
  ['left: 80.00', 'left: 80.00, free: mapped', 'state.free', { type: 'string', max: 1024, initial: 'mapped' }],
  [`rows: [${row(1)}]`, `rows: [${rows(256)}]`, 'tables.pairs.inline.length', 256],
  [`rows: [${row(1)}]`, 'rows: []', 'tables.pairs.inline', []],
  [`rows: [${row(1)}]`, `rows: [${row(1)}]`, 'tables.pairs.inline', [{ a: 'x', b: '1', c: true }]],
  [
    `rows: [${row(1)}]`,
    'rows: [{ c: false, b: 2, a: y }, { a: y, b: 1, c: false }]',
    'tables.pairs.inline.1',
    { a: 'y', b: '1', c: false },
  ],
  ['key: [a, b]', 'key: a', 'tables.pairs.key', ['a']],
  ['key: [a, b]', 'key: [a, b, c]', 'tables.pairs.key', ['a', 'b', 'c']],
  [
    `key: [a, b], columns: { a: string(8), b: int, c: bool }, rows: [${row(1)}]`,
    'key: [a, b, c, d], columns: { a: int, b: int, c: int, d: int }, rows: []',
    'tables.pairs.key.length',
    4,
  ],
  ['key: invoice', 'key: invoice', 'tables.approved.rows', 2],
  ['times: 0..10', 'times: 7', 'steps.1.min', 7],
  ['times: 0..10', 'times: 7', 'steps.1.max', 7],
  ['times: 0..10', 'times: 0 .. 990', 'steps.1.max', 990],
  ['times: 0..10', 'times: 3..3', 'steps.1.min', 3],
  ['times: 0..10', 'times: 0..10\n    after: look', 'steps.1.after', [{ step: 'look', at_least: 1 }]],
  ['times: 0..5 }', 'times: 2..5 }', 'steps.1.after', []],
  [
    'times: 0..10',
    'times: 0..10\n    after: { look: 5, mail: if_done }',
    'steps.1.after',
    [
      { step: 'look', at_least: 5 },
      { step: 'mail', at_least: 0 },
    ],
  ],
  [
    'times: 0..10',
    'times: 0..10\n    after: [{ look: 1 }, mail]',
    'steps.1.after',
    [
      { step: 'look', at_least: 1 },
      { step: 'mail', at_least: 1 },
    ],
  ],
  ['times: 0..10', 'times: 0..10\n    overlaps: look', 'steps.1.overlaps', ['look']],
  ['times: 0..10', 'times: 0..10\n    overlaps: [mail, pay]', 'steps.1.overlaps', ['mail', 'pay']],
  ['times: 0..10', 'times: 0..10', 'steps.1.overlaps', undefined],
  [
    'where: args.amount > 0.00',
    'where: { b: true, a: false }',
    'steps.1.where',
    [
      { id: 'b', expr: ['bool', true] },
      { id: 'a', expr: ['bool', false] },
    ],
  ],
  [
    'where: args.amount > 0.00',
    'where: approvals / 2 > 0 && ended_at > approved_at',
    'steps.1.where',
    [
      { id: 'where.1', expr: ['>', ['div', ['run', 'approvals'], 2], 0] },
      { id: 'where.2', expr: ['>', ['ended'], ['run', 'approved_at']] },
    ],
  ],
  ['    where: args.amount > 0.00\n', '', 'steps.1.where', []],
  [
    '{ "sent[args.to]": "state.sent[args.to] + 1" }',
    `{ ${[1, 2, 3, 4].map((key) => `'sent["${key}"]': ${key}`).join(', ')} }`,
    'steps.2.effects.sent.length',
    4,
  ],
  [
    '{ "sent[args.to]": "state.sent[args.to] + 1" }',
    `{ ' sent [ args.to ] ': 2 }`,
    'steps.2.effects',
    { sent: [{ key: ['arg', 'to'], value: 2 }] },
  ],
  ['left: 80.00', 'left: 80.00', 'steps.1.evidence.0.media_types', ['application/json']],
  ['left: 80.00', 'left: 80.00', 'steps.1.evidence.0.max_bytes', 65_536],
  ['left: 80.00', 'left: 80.00', 'steps.1.evidence.0.min', 1],
  ['left: 80.00', 'left: 80.00', 'steps.1.evidence.0.max', 1],
  ['type: application/json', 'type: application/json, max_bytes: 1', 'steps.1.evidence.0.max_bytes', 1],
  ['type: application/json', 'type: application/json, max_bytes: 2097152', 'steps.1.evidence.0.max_bytes', 2_097_152],
  ['type: application/json', 'type: application/json, times: 0..20', 'steps.1.evidence.0.max', 20],
  ['type: application/json', 'type: application/json, times: 0..20', 'steps.1.evidence.0.min', 0],
  [
    'type: application/json',
    `type: [${Array.from({ length: 8 }, (_, index) => `a/${index}`).join(', ')}]`,
    'steps.1.evidence.0.media_types.7',
    'a/7',
  ],
  [
    'type: application/json',
    `type: 0${'a'.repeat(60)}.+-/9${'z'.repeat(60)}.+-`,
    'steps.1.evidence.0.media_types.length',
    1,
  ],
  [
    'reads: { id: /id }',
    'reads: { id: string(3) }',
    'steps.1.evidence.0.reads',
    { id: { type: 'string', max: 3, at: '/id' } },
  ],
  ['reads: { id: /id }', 'reads: { id: string(3)  at   /a at b }', 'steps.1.evidence.0.reads.id.at', '/a at b'],
  [
    'reads: { id: /id }',
    `reads: { id: { type: string(3), at: /${'a'.repeat(255)} } }`,
    'steps.1.evidence.0.reads.id.at.length',
    256,
  ],
  ['reads: { id: /id }', 'reads: { id: { type: string(3) } }', 'steps.1.evidence.0.reads.id.at', '/id'],
  ['reads: { id: /id }', 'reads: { id: { type: string(3), at: "" } }', 'steps.1.evidence.0.reads.id.at', ''],
  [
    'reads: { id: /id }',
    'reads: { id: /a~0~1//b, amount: /x }',
    'steps.1.evidence.0.reads',
    { id: { type: 'string', max: 64, at: '/a~0~1//b' }, amount: { type: 'decimal', scale: 2, at: '/x' } },
  ],
];

test('each part of a plan is accepted up to its bounds, and is written in canonical form', (t) => {
  for (const [from, to, path, value] of ACCEPTED) {
    const { plan, faults } = compileText(BASE.replace(from, () => to));
    t.deepEqual(at(plan, path), value, `${to} ${path} ${JSON.stringify(faults)}`);
    t.is(faults, undefined, to);
  }
});

test('a step comes after as many actions of another as that one has at least', (t) => {
  const { steps } = planOf(
    BASE.replace('times: 0..5 }', 'times: 2..5 }').replace('times: 0..10', 'times: 1\n    after: look'),
  );
  t.deepEqual(steps[1]?.after, [{ step: 'look', at_least: 2 }]);
});

const stepsOf = (steps: Readonly<Record<string, string>>) =>
  compileText(
    `plan: P\nexpires: 2026-12-05T00:00:00Z\nsteps:\n${Object.entries(steps)
      .map(([name, more]) => `  ${name}: { tool: look@1, times: 0..5${more} }\n`)
      .join('')}`,
  );
const orderOf = (after: Readonly<Record<string, string>>) =>
  stepsOf(Object.fromEntries(Object.entries(after).map(([name, other]) => [name, other && `, after: ${other}`])));

test('steps that wait for each other are named, at the first of them in the circle', (t) => {
  t.is(orderOf({ a: 'b', b: 'c', c: '' }).faults, undefined);
  t.is(orderOf({ a: '[b, c]', b: 'c', c: '' }).faults, undefined);
  for (const [order, message, line] of [
    [{ a: 'b', b: 'a' }, 'these steps wait for each other: a after b after a', 4],
    [{ a: 'b', b: 'c', c: 'b' }, 'these steps wait for each other: b after c after b', 5],
    [{ a: '', b: 'c', c: 'd', d: 'b' }, 'these steps wait for each other: b after c after d after b', 5],
  ] as const) {
    const { faults } = orderOf(order);
    t.like(faults, [{ code: 'CYCLIC_ORDER', message, line }]);
    t.is(faults?.length, 1);
  }
});

test('a plan has 1 to 64 steps, and no more parts than its document may have', (t) => {
  t.like(stepsOf({}).faults, [{ code: 'WRONG_FORM', line: 3 }]);
  t.like(compileText('plan: P\nexpires: 2026-12-05T00:00:00Z\nsteps: {}\n').faults, [
    { code: 'MISSING_PART', line: 3, column: 8, message: 'the plan has no step: add one under steps' },
  ]);
  t.like(compileText('plan: P\nexpires: 2026-12-05T00:00:00Z\n').faults, [{ code: 'MISSING_PART', line: 1 }]);
  const many = (count: number) =>
    stepsOf(Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}`, ''])));
  t.is(many(64).faults, undefined);
  t.like(many(65).faults, [{ code: 'TOO_MANY', line: 4, message: 'steps must not have more than 64 items' }]);
});

test('a plan with 1,000 actions is accepted', (t) => {
  t.is(compileText(BASE.replace('times: 0..10', 'times: 0..990')).faults, undefined);
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
  t.deepEqual(
    plan?.tools.slice(0, 2).map(({ name }) => name),
    ['bank.pay', 'mail.send'],
  );
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
    compilePlan(
      `plan: P\nexpires: 2026-12-05T00:00:00Z\nstate: { ${state} }\nsteps: { fill: { tool: box.fill@1, times: 1 } }\n`,
      { tools, tables: new Map() },
    ).faults?.map(({ code, message }) => `${code} ${message}`);
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

test('a step has the highest version that it asks for', (t) => {
  const versions = ['1.9.0', '2.9.9', '2.10.1', '2.10.0', '20.0.0', '0.0.1'];
  const tools = toolsIn(`tools:\n${versions.map((version) => `  a@${version}: {}\n`).join('')}`);
  const toolOf = (ref: string) =>
    compilePlan(`plan: P\nexpires: 2026-12-05T00:00:00Z\nsteps: { s: { tool: ${ref}, times: 1 } }\n`, {
      tools,
      tables: new Map(),
    });
  for (const [ref, tool] of [
    ['a@2', 'a@2.10.1'],
    ['a@2.9', 'a@2.9.9'],
    ['a@2.10', 'a@2.10.1'],
    ['a@2.10.0', 'a@2.10.0'],
    ['a@20', 'a@20.0.0'],
    ['a@0', 'a@0.0.1'],
    ['a@1.9.0', 'a@1.9.0'],
  ] as const) {
    t.is(toolOf(ref).plan?.steps[0]?.tool, tool);
    t.is(toolOf(ref).plan?.tools.length, 1);
  }
  for (const [ref, message] of [
    ['a@3', 'a has no version 3. Known: 1.9.0, 2.9.9, 2.10.1, 2.10.0, 20.0.0, 0.0.1.'],
    ['a@2.1', 'a has no version 2.1. Known: 1.9.0, 2.9.9, 2.10.1, 2.10.0, 20.0.0, 0.0.1.'],
    ['a', '"a" does not name a tool with its version: write, for example, a@1'],
    ['b', '"b" does not name a tool with its version: write, for example, bank.transfer@2'],
  ] as const) {
    t.like(toolOf(ref).faults, [{ code: 'UNKNOWN_TOOL', message }]);
  }
});
