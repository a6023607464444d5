import test from 'ava';
import { ask, documentsOf } from '../../../models/ask-solver.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

const TOOLS = toolsIn(`tools:
  act@1.0.0: { effect: write, args: { n: int }, responds: { id: string(64) } }
`);
const APPROVED = { approvals: [{ at: '2026-11-27T09:00:00.000000Z', group: 'g' }] };

interface Ordered {
  readonly holds?: string;
  readonly order?: string;
  readonly state?: string;
  readonly effects?: string;
  readonly rule?: string;
}

/** A hold takes at least an hour, and a release comes within `minutes` of its start. */
function documents(minutes: number, { holds = '1', order = '', state = '', effects = '', rule }: Ordered) {
  const rules = [
    'hold.all(p, p.ended_at - p.started_at >= duration("1h"))',
    `release.all(q, hold.all(p, q.started_at - p.started_at <= duration("${minutes}m")))`,
    'release.all(q, hold.all(p, p.started_at <= q.started_at))',
    ...(rule === undefined ? [] : [rule]),
  ];
  return documentsOf(
    `plan: Hold, and release
expires: 2026-12-02T00:00:00Z
recorded: 9
${state}steps:
  hold: { tool: act@1, times: ${holds}${effects} }
  release: { tool: act@1, times: 1${order}${effects} }
rules: { ${rules.map((each, index) => `r${index}: '${each}'`).join(', ')} }
`,
    TOOLS,
  );
}

function isPossible(minutes: number, ordered: Ordered): boolean {
  return ask({ kind: 'propose', ...documents(minutes, ordered) }).judgement.verdict === 'satisfied';
}

function mayHold(minutes: number, ordered: Ordered): boolean {
  const action = JSON.stringify({ step_id: 'hold', tool: 'act', tool_version: '1.0.0', args: { n: '1' } });
  const now = '2026-11-27T10:00:00.000000Z';
  const asked = { kind: 'preflight', done: '[]', action, now, runContext: APPROVED } as const;
  return ask({ ...asked, ...documents(minutes, ordered) }).constraints.verdict === 'satisfied';
}

const SHARED = { state: 'state: { g: 0 }\n', effects: ', effects: { g: state.g + 1 }' };
for (const [how, ordered] of [
  ['waits for it', { order: ', after: hold' }],
  ['waits for all of them', { holds: '2', order: ', after: { hold: if_done }' }],
  ['waits for two of them', { holds: '2..3', order: ', after: { hold: 2 }' }],
  ['has a rule about it', { rule: 'release.all(q, hold.exists(p, before(p, q)))' }],
  ['changes the same state', SHARED],
] as const) {
  test(`an action that ${how} starts when an earlier one has ended, also while neither is done`, (t) => {
    t.false(isPossible(59, ordered));
    t.true(isPossible(60, ordered));
    t.false(mayHold(59, ordered));
    t.true(mayHold(60, ordered));
  });
}

for (const [how, ordered] of [
  ['does not wait', {}],
  ['may overlap', { ...SHARED, order: ', overlaps: hold' }],
  [
    'waits for one of two',
    { holds: '1..2', order: ', after: hold', rule: 'release.exists(q, hold.exists(p, !before(p, q)))' },
  ],
  ['must not come after it', { rule: 'release.all(q, !hold.exists(p, before(p, q)))' }],
] as const) {
  test(`an action that ${how} may start before an earlier one has ended`, (t) => {
    const minutes = how === 'waits for one of two' ? 90 : 30;
    t.true(isPossible(minutes, ordered));
    t.true(mayHold(minutes, ordered));
  });
}
