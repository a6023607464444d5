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

interface Case {
  readonly where?: string;
  readonly rules?: readonly string[];
  readonly effects?: string;
  readonly evidence?: string;
  readonly tool?: string;
}

function linesOf({ where = 'true', rules = [], effects = '{}', evidence = '{}', tool = 'do' }: Case) {
  const plan = planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
state: { pool: 9, last: 0 }
steps:
  first: { tool: exact-select@1, times: 0..1 }
  act: { tool: ${tool}@1, times: 0..2, where: ${JSON.stringify(where)}, effects: ${effects}, evidence: ${evidence} }
rules:${rules.length === 0 ? ' {}' : rules.map((rule, index) => `\n  r${index}: ${JSON.stringify(rule)}`).join('')}
`,
    TOOLS,
  );
  const view = viewOf(plan, { tools: TOOLS });
  return (view.split('## What the agent may do\n\n')[1]?.split('\n\n')[0] ?? '').split('\n');
}

const FREE = '- `act`, 0 to 2 times, by `do@1.0.0`: **the agent chooses** ';

/** Conditions, and how the choice of the agent is said. */
const CHOICES: readonly (readonly [where: string, choice: string])[] = [
  ['true', '`at`, `m` (at least 0.00), `n` and `to`'],
  ...(
    [
      ['args.at < X', 'below'],
      ['args.at <= X', 'at most'],
      ['args.at > X', 'above'],
      ['args.at >= X', 'at least'],
      ['X < args.at', 'above'],
      ['X <= args.at', 'at least'],
      ['X > args.at', 'below'],
      ['X >= args.at', 'at most'],
    ] as const
  ).map(
    ([where, word]) =>
      [where.replace('X', END), `\`at\` (${word} ${SAID}), \`m\` (at least 0.00), \`n\` and \`to\``] as const,
  ),
  [`args.at != ${END}`, '`at`, `m` (at least 0.00), `n` and `to`'],
  [`started_at < ${END}`, '`at`, `m` (at least 0.00), `n` and `to`'],
  ['args.n < 7', '`at`, `m` (at least 0.00), `n` (at most 6) and `to`'],
  ['args.n >= -7', '`at`, `m` (at least 0.00), `n` (at least -7) and `to`'],
  ['args.m <= 7.00 && args.m >= 1.00', '`at`, `m` (at least 1.00 and at most 7.00), `n` and `to`'],
  ['args.to == "a" && args.n == 1', '`at` and `m` (at least 0.00)\n  - `n`: `1`\n  - `to`: `a`'],
];

test('what the agent chooses is said with its bounds, and with what it is compared', (t) => {
  for (const [where, choice] of CHOICES) t.is(linesOf({ where }).slice(1).join('\n'), `${FREE}${choice}`, where);
  const set = linesOf({ tool: 'set', rules: ['act.all(a, a.n <= 3)'] })[1];
  t.is(set, `${FREE.replace('do@', 'set@')}\`kind\`, \`loud\` and \`n\` (at most 3)`);
  // A request carries data away, also one that only reads.
  const reading = linesOf({ tool: 'exact-select' })[1];
  t.is(reading, '- `act`, 0 to 2 times, by `exact-select@1.2.0`: **the agent chooses** `selection`');
  const paying = linesOf({ tool: 'pay', where: 'args.to == "a"' })[1];
  t.is(paying, '- `act`, 0 to 2 times, by `pay@1.0.0`: arguments as above');
});

const evidence = (where: string, times = '1') =>
  `{ r: { type: application/json, times: ${times}, reads: { n: int at /n, id: /id }, where: ${JSON.stringify(where)} } }`;
const READS = ['act.all(a, a.got > 0)'];

/** What reads a response of the step, and the fields that are said to be believed. */
const BELIEVED: readonly (readonly [plan: Case, fields: string])[] = [
  [{}, ''],
  [{ rules: READS }, '`got`'],
  [{ rules: ['act.exists(a, a.got > 0 && a.more > 0)'] }, '`got` and `more`'],
  [{ rules: ['sum(act, a, a.got) <= 3'] }, '`got`'],
  [{ rules: ['sum(act, a, a.args.n, a.got > 1) <= 3'] }, '`got`'],
  [{ rules: ['count(act, a, a.got > 1) <= 3'] }, '`got`'],
  [{ rules: ['unique(act, a, a.got)'] }, '`got`'],
  [{ rules: ['first.all(f, act.all(a, a.n > f.got))'] }, ''],
  [{ rules: ['act.all(a, first.all(f, a.n > f.got))'] }, ''],
  [{ rules: ['act.all(a, a.n > 0)'] }, ''],
  [{ rules: ['first.all(f, act.exists(a, f.selection == a.response.id))'] }, '`id`'],
  [{ effects: '{ last: state.last + response.got }' }, '`got`'],
  [{ effects: '{ last: state.last + 1 }' }, ''],
  [{ rules: READS, evidence: evidence('r.n == response.got') }, ''],
  [{ rules: READS, evidence: evidence('r.id == response.id && response.got == r.n') }, ''],
  [{ rules: READS, evidence: evidence('r.n == response.got', '0..1') }, '`got`'],
  [{ rules: READS, evidence: evidence('r.n == response.more') }, '`got`'],
  [{ rules: READS, evidence: evidence('r.n == args.n') }, '`got`'],
  [{ rules: READS, evidence: evidence('r.n == response.got || r.n == 0') }, '`got`'],
  [{ rules: READS, tool: 'exact-select' }, ''],
  [{ rules: READS, tool: 'take' }, '`got`'],
  [{ rules: ['act.all(a, a.left > 0)'], tool: 'take' }, ''],
];

test('what conditions, rules and states believe of a response is said, unless something confirms it', (t) => {
  for (const [plan, fields] of BELIEVED) {
    const said = linesOf(plan).filter((line) => line.includes('is believed'));
    const expected = fields === '' ? [] : [`- **what the agent reports of \`act\`** is believed: ${fields}`];
    t.deepEqual(said, expected, JSON.stringify(plan));
  }
});
