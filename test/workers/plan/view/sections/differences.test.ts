import test from 'ava';
import { planOf, toolsIn } from '../../../../models/plan-texts.ts';
import { viewOf } from '../../../../models/view.ts';

const TOOLS = toolsIn(`tools:
  ask@1.0.0: { args: { q: string(8) }, responds: { ok: bool } }
  ask@1.1.0:
    replay: pure
    args: { q: string(9) }
    responds: { ok: bool }
    post: { ok: response.ok }
  pay@1.0.0:
    effect: revenue_write
    args: { m: "decimal(2, 0..9.00)" }
    responds: { id: string(64) }
    identity: id
    amounts: args.m in EUR
    limits: { daily: 100.00 of m per day }
  pay@1.1.0:
    effect: revenue_write
    args: { m: "decimal(2, 0..9.00)" }
    responds: { id: string(64) }
    identity: id
`);

const BEFORE = `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
supersedes: plan_1
given: { cap: 5.00, wait: { type: duration, value: 90m } }
state: { n: 0, seen: "map(string(8), int, default 2)", open: { type: int, initial: 3 } }
tables:
  t: { key: a, columns: { a: string(8), b: string(8), c: int }, rows: [{ a: x, b: "1", c: 1 }, { a: y, b: "2", c: 2 }] }
  u: { key: a, columns: { a: string(8) }, rows: [{ a: x }] }
steps:
  ask: { tool: ask@1.0.0, times: 1 }
  pay: { tool: pay@1.0.0, times: 0..2, where: { low: args.m >= 0.00, high: args.m <= cap }, after: ask }
rules:
  few: count(pay) <= 3
`;
const context = { hash: 'a'.repeat(64), tables: [], sheets: [], lint: [] };

function differences(changes: readonly (readonly [from: string | RegExp, to: string])[], tools = TOOLS) {
  const after = changes.reduce((text, [from, to]) => {
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(String(from));
    return changed;
  }, BEFORE);
  const view = viewOf(planOf(after, TOOLS), { ...context, tools, predecessor: planOf(BEFORE, TOOLS) });
  const section = view.split('## Differences from the plan before\n\n')[1]?.split('\n\n## ')[0];
  return (section ?? '')
    .replaceAll(/[0-9a-f]{64}/g, '…')
    .split('\n')
    .filter((line) => line !== '');
}

const REPLACES = 'It replaces the plan `plan_1`.';

/** Changes of the text, and all lines that say what differs. */
const CASES: readonly (readonly [
  changes: readonly (readonly [string | RegExp, string])[],
  lines: readonly string[],
])[] = [
  [[], ['It replaces the plan `plan_1`. Nothing else differs.']],
  [[['cap: 5.00', 'cap: 5.00, more: true']], [REPLACES, '- the given value `more` is **new**: `bool` `true`']],
  [
    [['value: 90m', 'value: 2h']],
    [REPLACES, '- the given value `wait` changed, from: `duration` 1h30m — to: `duration` 2h'],
  ],
  [[['{ n: 0, ', '{ ']], [REPLACES, '- the state `n` is **gone**: `int` `0`']],
  [
    [['default 2', 'default 3']],
    [
      REPLACES,
      '- the state `seen` changed, from: `map(string(8), int, default 2)` — to: `map(string(8), int, default 3)`',
    ],
  ],
  [
    [
      ['initial: 3', 'initial: 4'],
      ['n: 0', 'n: 1'],
    ],
    [
      REPLACES,
      '- the state `n` changed, from: `int` `0` — to: `int` `1`',
      '- the state `open` changed, from: `int` `3` — to: `int` `4`',
    ],
  ],
  [
    [['{ a: y, b: "2", c: 2 }', '{ a: y, b: "3", c: 4 }, { a: z, b: "2", c: 2 }']],
    [
      REPLACES,
      '- the table `t` changed, from: 2 rows in the plan, by `a`, with `a` `string(8)`, `b` `string(8)` and `c` `int` — to: 3 rows in the plan, by `a`, with `a` `string(8)`, `b` `string(8)` and `c` `int`',
      '- in the table `t`, 2 rows differ:',
      '  - changed, from: `a` `y`, `b` `2`, `c` `2` — to: `a` `y`, `b` `3`, `c` `4`',
      '  - **new**: `a` `z`, `b` `2`, `c` `2`',
    ],
  ],
  [
    [['{ a: x, b: "1", c: 1 }, ', '']],
    [
      REPLACES,
      '- the table `t` changed, from: 2 rows in the plan, by `a`, with `a` `string(8)`, `b` `string(8)` and `c` `int` — to: 1 row in the plan, by `a`, with `a` `string(8)`, `b` `string(8)` and `c` `int`',
      '- in the table `t`, 1 row differs:',
      '  - **gone**: `a` `x`, `b` `1`, `c` `1`',
    ],
  ],
  [
    [['{ a: x, b: "1", c: 1 }, { a: y, b: "2", c: 2 }', '{ a: y, b: "2", c: 2 }, { a: x, b: "1", c: 1 }']],
    [
      REPLACES,
      '- the table `t` changed, from: 2 rows in the plan, by `a`, with `a` `string(8)`, `b` `string(8)` and `c` `int` — to: 2 rows in the plan, by `a`, with `a` `string(8)`, `b` `string(8)` and `c` `int`',
    ],
  ],
  [
    [['  u: ', '  v: { key: a, columns: { a: string(8) }, rows: [{ a: y }] }\n  u: ']],
    [REPLACES, '- the table `v` is **new**: 1 row in the plan, by `a`, with `a` `string(8)`'],
  ],
  [
    [
      ['  t: ', '  s: '],
      ['b: "1", c: 1 }', 'b: "1", c: 3 }'],
    ],
    [
      REPLACES,
      '- the table `s` is **new**: 2 rows in the plan, by `a`, with `a` `string(8)`, `b` `string(8)` and `c` `int`',
      '- the table `t` is **gone**: 2 rows in the plan, by `a`, with `a` `string(8)`, `b` `string(8)` and `c` `int`',
      '- in the table `s`, 1 row differs:',
      '  - changed, from: `a` `x`, `b` `1`, `c` `1` — to: `a` `x`, `b` `1`, `c` `3`',
    ],
  ],
  [
    [['  t: ', '  s: ']],
    [
      REPLACES,
      '- the table `s` is **new**: 2 rows in the plan, by `a`, with `a` `string(8)`, `b` `string(8)` and `c` `int`',
      '- the table `t` is **gone**: 2 rows in the plan, by `a`, with `a` `string(8)`, `b` `string(8)` and `c` `int`',
    ],
  ],
  [
    [
      [
        '  u: { key: a, columns: { a: string(8) }, rows: [{ a: x }] }',
        '  v: { key: a, columns: { a: string(8), d: int }, rows: [{ a: x, d: 1 }] }',
      ],
    ],
    [
      REPLACES,
      '- the table `u` is **gone**: 1 row in the plan, by `a`, with `a` `string(8)`',
      '- the table `v` is **new**: 1 row in the plan, by `a`, with `a` `string(8)` and `d` `int`',
    ],
  ],
  [
    [['key: a, columns: { a: string(8), b', 'key: [a, b], columns: { a: string(8), b']],
    [
      REPLACES,
      '- the table `t` changed, from: 2 rows in the plan, by `a`, with `a` `string(8)`, `b` `string(8)` and `c` `int` — to: 2 rows in the plan, by `a` and `b`, with `a` `string(8)`, `b` `string(8)` and `c` `int`',
    ],
  ],
  [
    [
      ['columns: { a: string(8), b: string(8), c: int }', 'columns: { a: string(8), b: string(8), c: int, d: bool }'],
      ['c: 1 }', 'c: 1, d: true }'],
      ['c: 2 }', 'c: 2, d: false }'],
    ],
    [
      REPLACES,
      '- the table `t` changed, from: 2 rows in the plan, by `a`, with `a` `string(8)`, `b` `string(8)` and `c` `int` — to: 2 rows in the plan, by `a`, with `a` `string(8)`, `b` `string(8)`, `c` `int` and `d` `bool`',
      '- in the table `t`, 2 rows differ:',
      '  - changed, from: `a` `x`, `b` `1`, `c` `1` — to: `a` `x`, `b` `1`, `c` `1`, `d` `true`',
      '  - changed, from: `a` `y`, `b` `2`, `c` `2` — to: `a` `y`, `b` `2`, `c` `2`, `d` `false`',
    ],
  ],
  [
    [['ask@1.0.0', 'ask@1.1.0']],
    [
      REPLACES,
      '- the tool `ask@1.0.0` is **gone**: `…`',
      '- the tool `ask@1.1.0` is **new**: `…`',
      '- the tool `ask` does something else:',
      '  - **no longer**: it reads only; its responses are believed as reported',
      '  - **no longer**: with `q` `string(8)`',
      '  - **new**: it reads only; the service runs it again itself',
      '  - **new**: with `q` `string(9)`',
      '  - **new**: the response must obey: `response.ok`',
      '- the step `ask` changed, from: exactly once, by `ask@1.0.0` — to: exactly once, by `ask@1.1.0`',
    ],
  ],
  [
    [['pay@1.0.0', 'pay@1.1.0']],
    [
      REPLACES,
      '- the tool `pay@1.0.0` is **gone**: `…`',
      '- the tool `pay@1.1.0` is **new**: `…`',
      '- the tool `pay` does something else:',
      '  - **no longer**: the operator allows at most `100.00` of `m` per day, over all plans',
      '  - **no longer**: amounts: `[{"currency":"EUR","of":["arg","m"],"unit":"1"}]`',
      '- the step `pay` changed, from: 0 to 2 times, by `pay@1.0.0` — to: 0 to 2 times, by `pay@1.1.0`',
    ],
  ],
  [
    [
      ['  ask: { tool', '  look: { tool'],
      ['after: ask', 'after: look'],
    ],
    [
      REPLACES,
      '- the step `ask` is **gone**: exactly once, by `ask@1.0.0`',
      '- the step `look` is **new**: exactly once, by `ask@1.0.0`',
      '- the order of `pay`, `ask` is **gone**: only after an action of `ask` has ended',
      '- the order of `pay`, `look` is **new**: only after an action of `look` has ended',
    ],
  ],
  [
    [['rules:', '  other: { tool: ask@1.0.0, times: 0..2, where: args.q == "z" }\nrules:']],
    [
      REPLACES,
      '- the step `other` is **new**: 0 to 2 times, by `ask@1.0.0`',
      '- **Step `other`**, 0 to 2 times, by the tool `ask@1.0.0`, which reads only; its responses are believed as reported',
      '  - with `q` `string(8)`',
      '  - it answers with `ok` `bool` at `/ok`',
      '  - only if `args.q` is the text `z`',
      '  - **no evidence is asked for**',
    ],
  ],
  [
    [
      [/ {2}pay: .*\n/, ''],
      ['few: count(pay) <= 3', 'few: count(ask) <= 3'],
    ],
    [
      REPLACES,
      '- the tool `pay@1.0.0` is **gone**: `…`',
      '- the step `pay` is **gone**: 0 to 2 times, by `pay@1.0.0`',
      '- the rule `few` changed, from: the number of `pay` actions is at most 3 — to: the number of `ask` actions is at most 3',
    ],
  ],
  [
    [
      [/ {2}pay: .*\n/, '  other: { tool: pay@1.0.0, times: 0..2, where: { low: args.m >= 0.00 } }\n'],
      ['few: count(pay)', 'few: count(other)'],
    ],
    [
      REPLACES,
      '- the step `other` is **new**: 0 to 2 times, by `pay@1.0.0`',
      '- the step `pay` is **gone**: 0 to 2 times, by `pay@1.0.0`',
      '- the condition of `other`, `high` is **gone**: `args.m` is at most `cap` (`5.00`)',
      '- the order of `other`, `ask` is **gone**: only after an action of `ask` has ended',
      '- the rule `few` changed, from: the number of `pay` actions is at most 3 — to: the number of `other` actions is at most 3',
    ],
  ],
  [
    [['after: ask', 'after: { ask: if_done }']],
    [
      REPLACES,
      '- the order of `pay`, `ask` changed, from: only after an action of `ask` has ended — to: never before an action of `ask`: if `ask` is done at all, it has ended first',
    ],
  ],
  [
    [
      [
        'times: 0..2, where: { low: args.m >= 0.00, high: args.m <= cap }',
        'times: 0..2, where: { low: args.m > 0.00, high: args.m <= cap, same: args.m != 1.00 }, effects: { n: state.n + 1, "seen[\\"a\\"]": "3" }',
      ],
    ],
    [
      REPLACES,
      '- the condition of `pay`, `low` changed, from: `args.m` is at least `0.00` — to: `args.m` is above `0.00`',
      '- the condition of `pay`, `same` is **new**: `args.m` is not `1.00`',
      '- the effect of `pay`, `n` is **new**: then `n` becomes `state.n` + 1, by the plan',
      '- the effect of `pay`, `seen` is **new**: then `seen` of the text `a` becomes 3, by the plan',
    ],
  ],
  [
    [['few: count(pay) <= 3', 'few: count(pay) <= 4\n  some: count(ask) >= 1']],
    [
      REPLACES,
      '- the rule `few` changed, from: the number of `pay` actions is at most 3 — to: the number of `pay` actions is at most 4',
      '- the rule `some` is **new**: the number of `ask` actions is at least 1',
    ],
  ],
  [
    [['supersedes: plan_1\n', '']],
    ['**It does not replace that plan**: if both are approved, both can run. Nothing else differs.'],
  ],
  [
    [
      ['supersedes: plan_1\n', ''],
      ['recorded: 20', 'recorded: 21'],
    ],
    [
      '**It does not replace that plan**: if both are approved, both can run.',
      '- the number of recorded actions was `20`, and is `21`',
    ],
  ],
];

for (const [changes, lines] of CASES) {
  test(`the differences are said, and nothing else: ${changes.map(([from, to]) => `${from} → ${to}`).join(', ')}`, (t) => {
    t.deepEqual(differences(changes), lines);
  });
}

test('parts may have the names of properties that every object has', (t) => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    const lines = [
      ...differences([['rules:', `  ${name}: { tool: ask@1.1.0, times: 1 }\nrules:\n  ${name}: count(pay) >= 0`]]),
      ...differences([['given: {', `given: { ${name}: 1,`]]),
    ];
    for (const line of [
      `- the given value \`${name}\` is **new**: \`int\` \`1\``,
      `- the step \`${name}\` is **new**: exactly once, by \`ask@1.1.0\``,
      `- the rule \`${name}\` is **new**: the number of \`pay\` actions is at least 0`,
    ]) {
      t.true(lines.includes(line), line);
    }
  }
});

test('each version of a tool is compared with itself', (t) => {
  const plan = planOf(BEFORE.replace('  pay:', '  newer: { tool: ask@1.1.0, times: 1 }\n  pay:'), TOOLS);
  const view = viewOf(plan, { ...context, tools: TOOLS, predecessor: plan });
  t.true(view.includes(`\n${REPLACES} Nothing else differs.\n`));
});

test('an older version is shown as the name of the tool, if that version is gone', (t) => {
  const tools = TOOLS.filter(({ version }) => version === '1.0.0');
  const lines = differences([['ask@1.0.0', 'ask@1.1.0']], tools);
  t.true(lines.includes('  - **new**: it is not described; '), lines.join('\n'));
});
