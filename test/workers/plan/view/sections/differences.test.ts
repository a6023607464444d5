import { createHash } from 'node:crypto';
import test from 'ava';
import { compilePlan } from '../../../../../workers/plan/text/compile-plan.ts';
import { toolsIn } from '../../../../models/plan-texts.ts';
import { SPEND_CAP } from '../../../../models/sheets.ts';
import { viewOf } from '../../../../models/view.ts';

const CATALOGUE = `tools:
  ask@1.0.0: { args: { q: string(8) }, responds: { ok: bool } }
  ask@1.1.0: { effect: write, args: { q: string(9) }, responds: { ok: bool }, post: { ok: response.ok } }
  pay@1.0.0: { PAYS, amounts: args.m in EUR, limits: { daily: 100.00 of m per day } }
  pay@1.1.0: { PAYS }
`.replaceAll(
  'PAYS',
  'effect: revenue_write, args: { m: "decimal(2, 0..9.00)" }, responds: { id: string(64) }, identity: id',
);
const TOOLS = toolsIn(CATALOGUE);
const OTHER_TOOLS = toolsIn(CATALOGUE.replace('100.00 of m', '90.00 of m'));

const PAY = `  pay: { tool: pay@1.0.0, times: 0..2, where: { low: args.m >= 0.00, high: args.m <= cap }, after: ask, evidence: { r: { type: application/json, reads: { id: /id }, where: r.id == response.id } } }
`;
const BEFORE = `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
supersedes: plan_1
given: { cap: 5.00, wait: { type: duration, value: 90m } }
state: { n: 0, seen: "map(string(8), int, default 2)", open: { type: int, initial: 3 } }
tables:
  t: { key: a, columns: { a: string(8), b: string(90), c: int }, rows: [{ a: x, b: "1", c: 1 }, { a: y, b: "2", c: 2 }] }
  u: { key: a, columns: { a: string(8) }, rows: [{ a: x }] }
  f: { file: before.jsonl, key: a, columns: { a: string(8), b: string(8), c: int } }
steps:
  ask: { tool: ask@1.0.0, times: 1 }
${PAY}rules:
  few: count(pay) <= 3
`;

/** 1,100 rows, of which the last one has another number. */
const rows = (b: string, c: number, key = 'a') =>
  Array.from({ length: 1_100 }, (_, n) => JSON.stringify({ [key]: `k${n}`, b, c: `${n === 1_099 ? c : 1}` })).join(
    '\n',
  );
const FILES = new Map([
  ['before.jsonl', '{"a":"x","b":"1","c":"1"}\n{"a":"y","b":"2","c":"2"}\n'],
  ['after.jsonl', '{"a":"x","b":"1","c":"1"}\n{"a":"y","b":"2","c":"9000"}\n'],
  ['many.jsonl', rows('old', 1)],
  ['others.jsonl', rows('new', 9_000)],
]);
const TABLES = [...FILES.values()].map((text) => ({ text, sha256: createHash('sha256').update(text).digest('hex') }));

type Changes = readonly (readonly [from: string, to: string])[];

/** The lines about two plans of which each is changed. */
function differences(
  changes: Changes,
  { before = [], tools = TOOLS, toolsBefore = TOOLS, known = [...tools, ...toolsBefore], tables = TABLES } = {} as {
    before?: Changes;
    tools?: typeof TOOLS;
    toolsBefore?: typeof TOOLS;
    /** What is known of the tools and tables of both plans. */
    known?: typeof TOOLS;
    tables?: typeof TABLES;
  },
): readonly string[] {
  const compile = (all: Changes, catalogue: typeof TOOLS) => {
    const text = all.reduce((old, [from, to]) => {
      if (!old.includes(from)) throw new Error(from);
      return old.replace(from, () => to);
    }, BEFORE);
    const { plan, faults } = compilePlan(text, { tools: catalogue, sheets: [SPEND_CAP], tables: FILES });
    if (plan === undefined) throw new Error(JSON.stringify(faults));
    return plan;
  };
  const predecessor = compile(before, toolsBefore);
  const view = viewOf(compile(changes, tools), { tools: known, tables, sheets: [SPEND_CAP], predecessor });
  return (view.split('## Differences from the plan before\n\n')[1]?.split('\n\n## ')[0] ?? '')
    .replaceAll(/[0-9a-f]{64}/g, '…')
    .split('\n')
    .filter((line) => line !== '');
}

const REPLACES = 'It replaces the plan `plan_1`.';

/**
 * Changes of the text, and all lines that say what differs. "⏎" ends a line of the text, a quotation mark is a backtick, and
 * T is how a table like "t" is described, PAY the step "pay".
 */
const CASES = `
plan: P ⇒ plan: Q
expires: 2026 ⇒ expires: 2027
recorded: 20 ⇒ recorded: 21⏎executions: 4⏎reserve: 90s⏎approvals: 2
cap: 5.00 ⇒ cap: 5.00, more: true
value: 90m ⇒ value: 2h
{ n: 0,  ⇒ {
default 2 ⇒ default 3
initial: 3 ⇒ initial: 4
- the title was 'P', and is 'Q'
- the expiry was '2026-12-05T00:00:00.000000Z', and is '2027-12-05T00:00:00.000000Z'
- the number of runs was '1', and is '4'
- the number of recorded actions was '20', and is '21'
- how long an act may be reserved was 'no time', and is '1m30s'
- the number of approvals was '1', and is '2'
- the given value 'more' is **new**: 'bool' 'true'
- the given value 'wait' changed, from: 'duration' 1h30m — to: 'duration' 2h
- the state 'n' is **gone**: 'int' '0'
- the state 'open' changed, from: 'int' '3' — to: 'int' '4'
- the state 'seen' changed, from: 'map(string(8), int, default 2)' — to: 'map(string(8), int, default 3)'

{ a: y, b: "2", c: 2 } ⇒ { a: y, b: "3", c: 4 }, { a: z, b: "2", c: 2 }
before.jsonl ⇒ after.jsonl
  u:  ⇒   v: { key: a, columns: { a: string(8) }, rows: [{ a: y }] }⏎  u: 
- the table 'f' changed, from: 2 rows, SHA-256 '…', by 'a', with 'a' 'string(8)', 'b' 'string(8)' and 'c' 'int' — to: 2 rows, SHA-256 '…', by 'a', with 'a' 'string(8)', 'b' 'string(8)' and 'c' 'int'
- the table 't' changed, from: 2 rows in the plan, T — to: 3 rows in the plan, T
- the table 'v' is **new**: 1 row in the plan, by 'a', with 'a' 'string(8)'
- in the table 't', 2 rows differ:
  - changed, from: 'a' 'y', 'b' '2', 'c' '2' — to: 'a' 'y', 'b' '3', 'c' '4'
  - **new**: 'a' 'z', 'b' '2', 'c' '2'
- in the table 'f', 1 row differs:
  - changed, from: 'a' 'y', 'b' '2', 'c' '2' — to: 'a' 'y', 'b' '2', 'c' '9000'

{ a: x, b: "1", c: 1 }, { a: y, b: "2", c: 2 } ⇒ { a: y, b: "2", c: 2 }, { a: x, b: "1", c: 1 }
- the table 't' changed, from: 2 rows in the plan, T — to: 2 rows in the plan, T

  t:  ⇒   s: 
b: "1", c: 1 } ⇒ b: "1", c: 3 }
- the table 's' is **new**: 2 rows in the plan, T
- the table 't' is **gone**: 2 rows in the plan, T
- in the table 's', 1 row differs:
  - changed, from: 'a' 'x', 'b' '1', 'c' '1' — to: 'a' 'x', 'b' '1', 'c' '3'

u: { key: a, columns: { a: string(8) }, rows: [{ a: x } ⇒ u: { key: a, columns: { a: string(8), w: duration }, rows: [{ a: x, w: 90m }
- the table 'u' changed, from: 1 row in the plan, by 'a', with 'a' 'string(8)' — to: 1 row in the plan, by 'a', with 'a' 'string(8)' and 'w' 'duration'
- in the table 'u', 1 row differs:
  - changed, from: 'a' 'x' — to: 'a' 'x', 'w' 1h30m

  u: { key: a, columns: { a: string(8) }, rows: [{ a: x }] } ⇒   v: { key: a, columns: { a: string(8), d: int }, rows: [{ a: x, d: 1 }] }
- the table 'u' is **gone**: 1 row in the plan, by 'a', with 'a' 'string(8)'
- the table 'v' is **new**: 1 row in the plan, by 'a', with 'a' 'string(8)' and 'd' 'int'

key: a, columns: { a: string(8), b ⇒ key: [a, b], columns: { a: string(8), b
{ a: y, b: "2", c: 2 } ⇒ { a: x, b: "2", c: 2 }
- the table 't' changed, from: 2 rows in the plan, T — to: 2 rows in the plan, by 'a' and 'b', with 'a' 'string(8)', 'b' 'string(90)' and 'c' 'int'
- in the table 't', 2 rows differ:
  - **gone**: 'a' 'y', 'b' '2', 'c' '2'
  - **new**: 'a' 'x', 'b' '2', 'c' '2'

b: string(90), c: int } ⇒ b: string(90), c: int, d: bool }
c: 1 } ⇒ c: 1, d: true }
c: 2 } ⇒ c: 2, d: false }
- the table 't' changed, from: 2 rows in the plan, T — to: 2 rows in the plan, by 'a', with 'a' 'string(8)', 'b' 'string(90)', 'c' 'int' and 'd' 'bool'
- in the table 't', 2 rows differ:
  - changed, from: 'a' 'x', 'b' '1', 'c' '1' — to: 'a' 'x', 'b' '1', 'c' '1', 'd' 'true'
  - changed, from: 'a' 'y', 'b' '2', 'c' '2' — to: 'a' 'y', 'b' '2', 'c' '2', 'd' 'false'

ask@1.0.0 ⇒ ask@1.1.0
pay@1.0.0 ⇒ pay@1.1.0
- the tool 'ask@1.0.0' is **gone**: '…'
- the tool 'ask@1.1.0' is **new**: '…'
- the tool 'pay@1.0.0' is **gone**: '…'
- the tool 'pay@1.1.0' is **new**: '…'
- the tool 'ask' does something else:
  - **no longer**: it reads only; its responses are believed as reported
  - **no longer**: with 'q' 'string(8)'
  - **new**: it changes something outside; its responses are believed as reported
  - **new**: with 'q' 'string(9)'
  - **new**: the response must obey: 'response.ok'
- the tool 'pay' does something else:
  - **no longer**: the operator allows at most '100.00' of 'm' per day, over all plans
  - **no longer**: amounts: '[{"currency":"EUR","of":["arg","m"],"unit":"1"}]'
- the step 'ask' changed, from: exactly once, by 'ask@1.0.0' — to: exactly once, by 'ask@1.1.0'
- the step 'pay' changed, from: 0 to 2 times, by 'pay@1.0.0' — to: 0 to 2 times, by 'pay@1.1.0'

  ask: { tool ⇒   look: { tool
after: ask ⇒ after: look
- the step 'ask' is **gone**: exactly once, by 'ask@1.0.0'
- the step 'look' is **new**: exactly once, by 'ask@1.0.0'
- the order of 'pay', 'ask' is **gone**: only after an action of 'ask' has ended
- the order of 'pay', 'look' is **new**: only after an action of 'look' has ended

rules: ⇒   other: { tool: ask@1.0.0, times: 0..2, where: args.q == "z" }⏎rules:
- the step 'other' is **new**: 0 to 2 times, by 'ask@1.0.0'
- **Step 'other'**, 0 to 2 times, by the tool 'ask@1.0.0', which reads only; its responses are believed as reported
  - with 'q' 'string(8)'
  - it answers with 'ok' 'bool' at '/ok'
  - only if 'args.q' is the text 'z'
  - **no evidence is asked for**

PAY ⇒ 
few: count(pay) <= 3 ⇒ few: count(ask) <= 3
- the tool 'pay@1.0.0' is **gone**: '…'
- the step 'pay' is **gone**: 0 to 2 times, by 'pay@1.0.0'
- the rule 'few' changed, from: the number of 'pay' actions is at most 3 — to: the number of 'ask' actions is at most 3

PAY ⇒   other: { tool: pay@1.0.0, times: 0..2, where: { low: args.m >= 0.00 } }⏎
few: count(pay) ⇒ few: count(other)
- the step 'other' is **new**: 0 to 2 times, by 'pay@1.0.0'
- the step 'pay' is **gone**: 0 to 2 times, by 'pay@1.0.0'
- the condition of 'other', 'high' is **gone**: 'args.m' is at most 'cap' ('5.00')
- the order of 'other', 'ask' is **gone**: only after an action of 'ask' has ended
- the evidence of 'other', 'r' is **gone**: exactly once, where 'evidence.id' is 'response.id', it reads 'id' 'string(64)' at '/id', 'application/json' of at most 65536 bytes
- the rule 'few' changed, from: the number of 'pay' actions is at most 3 — to: the number of 'other' actions is at most 3

times: 0..2 ⇒ times: 1..3
after: ask ⇒ after: { ask: if_done }, overlaps: [pay]
few: count(pay) <= 3 ⇒ few: count(pay) <= 4⏎  some: count(ask) >= 1
- the step 'pay' changed, from: 0 to 2 times, by 'pay@1.0.0' — to: 1 to 3 times, by 'pay@1.0.0'
- the order of 'pay', 'ask' changed, from: only after an action of 'ask' has ended — to: never before an action of 'ask': if 'ask' is done at all, it has ended first
- the overlap of 'pay', 'pay' is **new**: **at the same time as** actions of 'pay', although they share a state
- the rule 'few' changed, from: the number of 'pay' actions is at most 3 — to: the number of 'pay' actions is at most 4
- the rule 'some' is **new**: the number of 'ask' actions is at least 1

low: args.m >= 0.00, high: args.m <= cap } ⇒ low: args.m > 0.00, high: args.m <= cap, same: args.m != 1.00 }, effects: { n: state.n + 1, "seen[\\"a\\"]": "3" }
{ id: /id }, where: r.id == response.id ⇒ { id: /other }, times: 0..1, max_bytes: 9
rules: ⇒ sheets: [{ sheet: spend-cap@1.0.0, for: plan, bind: { cap: cap, spent: "sum(pay, p, p.m)" } }]⏎runs: { all: count(pay) <= 9 }⏎rules:
- the condition of 'pay', 'low' changed, from: 'args.m' is at least '0.00' — to: 'args.m' is above '0.00'
- the condition of 'pay', 'same' is **new**: 'args.m' is not '1.00'
- the effect of 'pay', 'n' is **new**: then 'n' becomes 'state.n' + 1, by the plan
- the effect of 'pay', 'seen' is **new**: then 'seen' of the text 'a' becomes 3, by the plan
- the evidence of 'pay', 'r' changed, from: exactly once, where 'evidence.id' is 'response.id', it reads 'id' 'string(64)' at '/id', 'application/json' of at most 65536 bytes — to: at most once, unchecked, it reads 'id' 'string(64)' at '/other', 'application/json' of at most 9 bytes
- the rule over all runs 'all' is **new**: the number of 'pay' actions is at most 9
- the sheet 'spend-cap@1.0.0 plan 1' is **new**: '{"bind":{"cap":["var","cap"],"spent":["sum","pay","p",["arg","p","m"]]},"name":"spend-cap","scope":"plan","sha256":"…","version":"1.0.0"}'
`;
const T = "by 'a', with 'a' 'string(8)', 'b' 'string(90)' and 'c' 'int'";

for (const block of CASES.trim().split('\n\n')) {
  const lines = block.split('\n');
  const changes = lines.flatMap((line) => {
    const [from, to] = line.split(' ⇒ ');
    return from === undefined || to === undefined
      ? []
      : [[from.replace('PAY', PAY), to.replaceAll('⏎', '\n')] as const];
  });
  const said = lines.slice(changes.length).map((line) => line.replaceAll(', T', `, ${T}`).replaceAll("'", '`'));
  test(`the differences are said, and nothing else: ${lines.slice(0, changes.length).join(', ')}`, (t) => {
    t.deepEqual(differences(changes), [REPLACES, ...said]);
  });
}

test('a plan that differs in nothing, or does not replace the other one, says so', (t) => {
  t.deepEqual(differences([]), [`${REPLACES} Nothing else differs.`]);
  const alone = '**It does not replace that plan**: if both are approved, both can run.';
  t.deepEqual(differences([['supersedes: plan_1\n', '']]), [`${alone} Nothing else differs.`]);
  t.deepEqual(differences([['recorded: 20\nsupersedes: plan_1', 'recorded: 21']]), [
    alone,
    '- the number of recorded actions was `20`, and is `21`',
  ]);
});

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

test('each version of a tool is compared with itself, also if its description is another one or not known', (t) => {
  const both: Changes = [[PAY, `  newer: { tool: ask@1.1.0, times: 1 }\n${PAY}`]];
  t.deepEqual(differences(both, { before: both }), [`${REPLACES} Nothing else differs.`]);
  const [, , ...lines] = differences([], { toolsBefore: OTHER_TOOLS });
  t.deepEqual(lines, [
    '- the tool `pay` does something else:',
    '  - **no longer**: the operator allows at most `90.00` of `m` per day, over all plans',
    '  - **new**: the operator allows at most `100.00` of `m` per day, over all plans',
  ]);
  const unknown = differences([], { toolsBefore: OTHER_TOOLS, known: TOOLS });
  t.is(unknown[3], '  - **no longer**: it is not described; ');
});

test('of many changed rows, the rarest kinds of changes come first, and the others are counted by what differs', (t) => {
  const before: Changes = [['before.jsonl', 'many.jsonl']];
  const lines = differences([['before.jsonl', 'others.jsonl']], { before }).slice(2);
  t.is(lines[0], '- in the table `f`, 1100 rows differ:');
  t.regex(lines[1] ?? '', /changed, from: .*`k1099`.*`1` — to: .*`9000`/);
  t.is(lines.at(-1), '  - **and 100 rows not shown**, that differ in `b`');
  const unknown = differences([['before.jsonl', 'others.jsonl']], { before, tables: TABLES.slice(3) });
  t.is(unknown[2], '- **which rows of `f` changed is not known here**');
});

const LONG = `"${'x'.repeat(250)}", "${'y'.repeat(250)}"`;
/** Parts of the text, what is in their place with X, and what X was and is. */
const LITTLE = `
b: "1" ⇒ b: "X" ⇒ Borealis ⇒ BoreaIis
b: "1" ⇒ b: "X" ⇒ A\u030acme ⇒ \u00c5cme
times: 1 } ⇒ times: 1, where: 'args.q in ["a", "b", "c"X]' } ⇒  ⇒ , "Mallory"
times: 1 } ⇒ times: 1, where: 'args.q in [${LONG}, "X"]' } ⇒ a ⇒ b
after: ask ⇒ after: ask, effects: { n: 'name in [${LONG}] ? state.n + X : 0' } ⇒ 0 ⇒ 1`;

test('what changed in a long part, or between texts that look alike, is seen', (t) => {
  for (const row of LITTLE.trim().split('\n')) {
    const [part = '', as = '', old = '', now = ''] = row.split(' ⇒ ');
    const having = (text: string): Changes => [
      [part, as.replace('X', text)],
      ['cap: 5.00', 'cap: 5.00, name: x'],
    ];
    const lines = differences(having(now), { before: having(old) });
    const line = lines.findLast((one) => one.includes('changed, from')) ?? '';
    const [from = '', to = ''] = line.replaceAll(/SHA-256 `?…`?/g, '').split(' — to: ');
    t.true(to !== '' && !from.endsWith(to), `${row}: ${lines.join('\n')}`);
  }
});
