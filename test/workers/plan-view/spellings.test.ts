import test from 'ava';
import { findDangers } from '../../../workers/plan-view/lint/find-dangers.ts';
import { viewPlan } from '../../../workers/plan-view/view-plan.ts';
import { planOf, toolsIn } from '../../models/plan-texts.ts';

interface Case {
  /** The type of the address. */
  readonly to?: string;
  readonly effect?: string;
  readonly limits?: string;
  readonly where?: string;
  readonly rules?: readonly string[];
  /** An address of the table `out`, whose column is not folded. */
  readonly out?: string;
}

const FOLDED = '"string(254, email)"';

function lintOf({ to = 'string(254)', effect = 'write', limits = '{}', where = 'true', rules = [], out = 'x' }: Case) {
  const tools = toolsIn(`tools:
  mail.send@1.0.0:
    effect: ${effect}
    args: { to: ${to}, kind: string(8) }
    responds: { id: string(64) }
    limits: ${limits}
  note@1.0.0: { args: { person: string(64) } }
`);
  const plan = planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
given: { boss: "Boss@example.org" }
state: { sent: "map(string(254), int(0..), default 0)" }
tables:
  people: { key: email, columns: { email: ${FOLDED}, other: string(254) }, rows: [{ email: ben@example.org, other: "Ben@example.org" }] }
  out: { key: email, columns: { email: string(254) }, rows: [{ email: ${JSON.stringify(out)} }] }
steps:
  send: { tool: mail.send@1, times: 0..10, where: ${JSON.stringify(where)} }
  note: { tool: note@1, times: 0..10 }
rules:${rules.length === 0 ? ' {}' : rules.map((rule, index) => `\n  r${index}: ${JSON.stringify(rule)}`).join('')}
`,
    tools,
  );
  const context = { tools, tables: [], sheets: [] };
  const found = findDangers(plan, context).filter(({ code }) => code.endsWith('NOT_FOLDED'));
  return { found, view: viewPlan(plan, { ...context, hash: 'a'.repeat(64), lint: [] }) };
}

/** What a plan compares, and what lint says about it: the code, and a part of the message. */
const CASES: readonly (readonly [what: string, plan: Case, code?: string, says?: string])[] = [
  ['an opt-out', { where: '!(args.to in out)' }, 'ARGUMENT_NOT_FOLDED', 'the table out'],
  ['a folded opt-out', { where: '!(args.to in out)', to: FOLDED }],
  ['a tool that only reads', { where: '!(args.to in out)', effect: 'none' }],
  ['an opt-out as a rule', { rules: ['send.all(s, !(s.to in out))'] }, 'ARGUMENT_NOT_FOLDED', 'the table out'],
  ['a table that is searched', { where: '!out.exists(r, r.email == args.to)' }, 'ARGUMENT_NOT_FOLDED', 'the table out'],
  ['unique', { rules: ['unique(send, s, s.to)'] }, 'ARGUMENT_NOT_FOLDED', 'unique'],
  ['unique among two', { rules: ['unique(send, s, [s.kind, s.to])'], to: FOLDED }, 'ARGUMENT_NOT_FOLDED', 'args.kind'],
  ['a count by a key', { where: 'state.sent[args.to] < 2' }, 'ARGUMENT_NOT_FOLDED', 'keys of sent'],
  [
    'actions that are compared',
    { rules: ['send.all(s, count(note, n, n.person == s.to) < 2)'] },
    'ARGUMENT_NOT_FOLDED',
  ],
  ['an operator’s limit', { limits: '{ each: 3 acts for each to per day }' }, 'ARGUMENT_NOT_FOLDED', 'the limit each'],
  ['a folded limit', { limits: '{ each: 3 acts for each to per day }', to: FOLDED }],
  ['a text that one list decides', { where: 'args.to in people', rules: ['unique(send, s, s.to)'] }],
  [
    'a text of two lists',
    { where: 'args.to in people && !(args.to in out)' },
    'ARGUMENT_NOT_FOLDED',
    'the table people',
  ],
  ['a text that is not compared', { where: 'args.to == "a"' }],
  [
    'a row that nothing equals',
    { where: '!(args.to in out)', to: FOLDED, out: 'Ben@example.org' },
    'VALUE_NOT_FOLDED',
    'email of row 1 is "Ben@example.org", with which args.to of send (email) is never equal: write "ben@example.org"',
  ],
  [
    'a cell that nothing equals',
    { where: 'args.kind in people && people[args.kind].other != args.to', to: FOLDED },
    'VALUE_NOT_FOLDED',
    'other of row 1',
  ],
  [
    'a given text that nothing equals',
    { where: 'args.to != boss', to: FOLDED },
    'VALUE_NOT_FOLDED',
    'boss@example.org',
  ],
  ['a text that nothing equals', { where: 'args.to != "Eve@x"', to: FOLDED }, 'VALUE_NOT_FOLDED', 'eve@x'],
];

test('lint and the view name comparisons that another spelling evades', (t) => {
  for (const [what, plan, code, says = ''] of CASES) {
    const { found, view } = lintOf(plan);
    t.deepEqual(
      found.map((each) => each.code),
      code === undefined ? [] : [code],
      what,
    );
    const message = found[0]?.message ?? '';
    t.true(message.includes(says), `${what}: ${message}`);
    if (code !== undefined) t.true(view.includes(code), what);
  }
});
