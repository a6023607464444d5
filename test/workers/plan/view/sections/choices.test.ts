import test from 'ava';
import { planOf, toolsIn } from '../../../../models/plan-texts.ts';
import { viewOf } from '../../../../models/view.ts';

const TOOLS = toolsIn(`tools:
  do@1.0.0: { effect: write, args: { at: time, n: int, m: "decimal(2, 0..)", to: string(8) }, responds: { id: string(64), got: int, more: int } }
  set@1.0.0: { effect: write, args: { kind: "enum(new, old)", loud: bool, n: int }, responds: { id: string(64) } }
  exact-select@1.2.0: { replay: pure, args: { selection: string(9) }, responds: { got: int } }
  take@1.0.0: { effect: write, replay: effects, args: { q: string(8) }, responds: { left: int, got: int }, state: { pool: int }, effects: { pool: state.pool - 1 }, observe: { pool: left } }
  pay@1.0.0: { effect: revenue_write, args: { to: string(8) }, responds: { id: string(64) }, identity: id, amounts: [] }
`);
const END = 'timestamp("2027-01-01T00:00:00Z")';
const SAID = '`2027-01-01T00:00:00.000000Z`';

type Case = Partial<Record<'where' | 'rule' | 'effects' | 'evidence' | 'tool', string>>;

function linesOf({ where = 'true', rule = 'true', effects = '{}', evidence = '{}', tool = 'do' }: Case) {
  const plan = planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
state: { pool: 9, last: 0 }
steps:
  first: { tool: exact-select@1, times: 0..1 }
  act: { tool: ${tool}@1, times: 0..2, where: ${JSON.stringify(where)}, effects: ${effects}, evidence: ${evidence} }
rules: { r: ${JSON.stringify(rule)} }
`,
    TOOLS,
  );
  const view = viewOf(plan, { tools: TOOLS });
  return (view.split('## What the agent may do\n\n')[1]?.split('\n\n')[0] ?? '').split('\n');
}

const FREE = '- `act`, 0 to 2 times, by `do@1.0.0`: **the agent chooses** ';

const REST = '`m` (at least 0.00), `n` and `to`';
/** Conditions, and how the choice of the agent is said. */
const CHOICES: readonly (readonly [where: string, choice: string])[] = [
  ...['true', `args.at != ${END}`, `started_at < ${END}`].map((where) => [where, `\`at\`, ${REST}`] as const),
  ...Object.entries({
    ...{ 'args.at < X': 'below', 'args.at <= X': 'at most', 'args.at > X': 'above', 'args.at >= X': 'at least' },
    ...{ 'X < args.at': 'above', 'X <= args.at': 'at least', 'X > args.at': 'below', 'X >= args.at': 'at most' },
  }).map(([where, word]) => [where.replace('X', END), `\`at\` (${word} ${SAID}), ${REST}`] as const),
  ['args.n < 7', '`at`, `m` (at least 0.00), `n` (at most 6) and `to`'],
  ['args.n >= -7', '`at`, `m` (at least 0.00), `n` (at least -7) and `to`'],
  ['args.m <= 7.00 && args.m >= 1.00', '`at`, `m` (at least 1.00 and at most 7.00), `n` and `to`'],
  ['args.to == "a" && args.n == 1', '`at` and `m` (at least 0.00)\n  - `n`: `1`\n  - `to`: `a`'],
];

test('what the agent chooses is said with its bounds, and with what it is compared', (t) => {
  for (const [where, choice] of CHOICES) t.is(linesOf({ where }).slice(1).join('\n'), `${FREE}${choice}`, where);
  const set = linesOf({ tool: 'set', rule: 'act.all(a, a.n <= 3)' })[1];
  t.is(set, `${FREE.replace('do@', 'set@')}\`kind\`, \`loud\` and \`n\` (at most 3)`);
  // A request carries data away, also one that only reads.
  const reading = linesOf({ tool: 'exact-select' })[1];
  t.is(reading, '- `act`, 0 to 2 times, by `exact-select@1.2.0`: **the agent chooses** `selection`');
  const paying = linesOf({ tool: 'pay', where: 'args.to == "a"' })[1];
  t.is(paying, '- `act`, 0 to 2 times, by `pay@1.0.0`: arguments as above');
});

const evidence = (where: string, times = '1') =>
  `{ r: { type: application/json, times: ${times}, reads: { n: int at /n, id: /id }, where: ${JSON.stringify(where)} } }`;
const READS = 'act.all(a, a.got > 0)';

/** What reads a response of the step, and the fields that are said to be believed. */
const BELIEVED: readonly (readonly [plan: Case, fields: string])[] = [
  [{}, ''],
  [{ rule: READS }, '`got`'],
  [{ rule: 'act.exists(a, a.got > 0 && a.more > 0)' }, '`got` and `more`'],
  [{ rule: 'sum(act, a, a.got) <= 3' }, '`got`'],
  [{ rule: 'sum(act, a, a.args.n, a.got > 1) <= 3' }, '`got`'],
  [{ rule: 'count(act, a, a.got > 1) <= 3' }, '`got`'],
  [{ rule: 'unique(act, a, a.got)' }, '`got`'],
  [{ rule: 'first.all(f, act.all(a, a.n > f.got))' }, ''],
  [{ rule: 'act.all(a, first.all(f, a.n > f.got))' }, ''],
  [{ rule: 'act.all(a, a.n > 0)' }, ''],
  [{ rule: 'first.all(f, act.exists(a, f.selection == a.response.id))' }, '`id`'],
  [{ effects: '{ last: state.last + response.got }' }, '`got`'],
  [{ effects: '{ last: state.last + 1 }' }, ''],
  [{ rule: READS, evidence: evidence('r.n == response.got') }, ''],
  [{ rule: READS, evidence: evidence('r.id == response.id && response.got == r.n') }, ''],
  [{ rule: READS, evidence: evidence('r.n == response.got', '0..1') }, '`got`'],
  [{ rule: READS, evidence: evidence('r.n == response.more') }, '`got`'],
  [{ rule: READS, evidence: evidence('r.n == args.n') }, '`got`'],
  [{ rule: READS, evidence: evidence('r.n == response.got || r.n == 0') }, '`got`'],
  [{ rule: READS, tool: 'exact-select' }, ''],
  [{ rule: READS, tool: 'take' }, '`got`'],
  [{ rule: 'act.all(a, a.left > 0)', tool: 'take' }, ''],
];

test('what conditions, rules and states believe of a response is said, unless something confirms it', (t) => {
  for (const [plan, fields] of BELIEVED) {
    const said = linesOf(plan).filter((line) => line.includes('is believed'));
    const expected = fields === '' ? [] : [`- **what the agent reports of \`act\`** is believed: ${fields}`];
    t.deepEqual(said, expected, JSON.stringify(plan));
  }
});
