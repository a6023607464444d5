import test from 'ava';
import { planOf, toolsIn } from '../../../models/plan-texts.ts';
import { dangersOf, viewOf } from '../../../models/view.ts';

interface Case {
  /** The type of the address. */
  readonly to?: string;
  readonly effect?: string;
  readonly limits?: string;
  readonly where?: string;
  readonly rules?: readonly string[];
  /** An address of the table `out`, whose column is not folded. */
  readonly out?: string;
  /** An effect of the step on the state `last`, and what its tool promises. */
  readonly last?: string;
  readonly post?: string;
  /** What evidence of the step must meet. */
  readonly evidence?: string;
}

const FOLDED = '"string(254, email)"';

function lintOf(one: Case) {
  const { to = 'string(254)', effect = 'write', limits = '{}', where = 'true', rules = [], out = 'x' } = one;
  const { last = 'state.last', post = 'true', evidence = 'true' } = one;
  const tools = toolsIn(`tools:
  mail.send@1.0.0:
    effect: ${effect}
    args: { to: ${to}, kind: string(8) }
    responds: { id: string(64) }${effect === 'revenue_write' ? '\n    identity: id' : ''}
    post: { p: ${JSON.stringify(post)} }
    limits: ${limits}
  note@1.0.0: { args: { person: string(64) } }
`);
  const plan = planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
given: { boss: "Boss@example.org", flag: true }
state: { last: { type: string(254), initial: x }, sent: "map(string(254), int(0..), default 0)" }
tables:
  people: { key: email, columns: { email: ${FOLDED}, other: string(254) }, rows: [{ email: ben@example.org, other: "Ben@example.org" }] }
  out: { key: email, columns: { email: string(254) }, rows: [{ email: ${JSON.stringify(out)} }] }
steps:
  send: { tool: mail.send@1, times: 0..10, where: ${JSON.stringify(where)}, effects: { last: ${JSON.stringify(last)} }, evidence: { r: { type: application/json, reads: { n: string(254) at /n }, where: ${JSON.stringify(evidence)} } } }
  note: { tool: note@1, times: 0..10 }
rules:${rules.length === 0 ? ' {}' : rules.map((rule, index) => `\n  r${index}: ${JSON.stringify(rule)}`).join('')}
`,
    tools,
  );
  const context = { tools, tables: [], sheets: [] };
  const found = dangersOf(plan, context).filter(({ code }) => code.endsWith('NOT_FOLDED'));
  return { found, view: viewOf(plan, { ...context, hash: 'a'.repeat(64), lint: [] }) };
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
  ['a text that is only excluded', { where: 'args.to != "a"' }],
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
  [
    'an opt-out of an act that moves money',
    { where: '!(args.to in out)', effect: 'revenue_write' },
    'ARGUMENT_NOT_FOLDED',
    'the table out',
  ],
  ['an opt-out in an effect', { last: 'args.to in out ? "a" : state.last' }, 'ARGUMENT_NOT_FOLDED', 'the table out'],
  ['a text in a promise', { post: 'args.to != "Eve@x"', to: FOLDED }, 'VALUE_NOT_FOLDED', 'eve@x'],
  ['a text in evidence', { evidence: 'args.to != "Eve@x"', to: FOLDED }, 'VALUE_NOT_FOLDED', 'eve@x'],
  ['one of two texts', { where: 'args.to != (flag ? "eve@x" : "Bob@x")', to: FOLDED }, 'VALUE_NOT_FOLDED', 'bob@x'],
  [
    'the first of two texts',
    { where: 'args.to != (flag ? "Eve@x" : "bob@x")', to: FOLDED },
    'VALUE_NOT_FOLDED',
    'eve@x',
  ],
  ['a text on the left', { where: '"Eve@x" != args.to', to: FOLDED }, 'VALUE_NOT_FOLDED', 'eve@x'],
  ['a text twice', { where: 'args.to != "Eve@x" && args.to != "Eve@x"', to: FOLDED }, 'VALUE_NOT_FOLDED', 'eve@x'],
  [
    'a text below',
    { rules: ['send.all(s, send.all(q, s.to != "Eve@x"))'], to: FOLDED },
    'VALUE_NOT_FOLDED',
    'args.to of send',
  ],
  ['a given truth value', { where: 'flag != (args.to != boss)', to: FOLDED }, 'VALUE_NOT_FOLDED', 'boss@example.org'],
  ['a folded text', { where: 'args.to != "eve@x"', to: FOLDED }],
  ['a text of one row', { where: 'args.to == people["ben@example.org"].other' }],
  ['a key that is folded', { where: 'args.to in people', to: FOLDED }],
  [
    'two arguments',
    { rules: ['send.all(s, send.all(q, s.to != q.kind))'], to: FOLDED },
    'ARGUMENT_NOT_FOLDED',
    'args.kind of send is compared character by character (args.to of send)',
  ],
  ['a step that only reads', { rules: ['unique(note, n, n.person)'] }],
  [
    'another limit',
    { limits: '{ each: 3 acts for each kind per day, all: 9 acts per day }', to: FOLDED },
    'ARGUMENT_NOT_FOLDED',
    'args.kind of send is compared character by character (the limit each), so',
  ],
  [
    'a limit and a table',
    { where: '!(args.to in out)', limits: '{ each: 3 acts for each to per day }' },
    'ARGUMENT_NOT_FOLDED',
    '(the table out, the limit each), so another spelling is another value: let the catalogue fold it, as in string(254, trimmed)',
  ],
  [
    'a limit of a tied text',
    { where: 'args.to == "a"', limits: '{ each: 3 acts for each to per day }' },
    'ARGUMENT_NOT_FOLDED',
    '(the limit each)',
  ],
  [
    'keys of a map that rules read',
    { rules: ['send.all(s, state.sent[s.to] < 2)'] },
    'ARGUMENT_NOT_FOLDED',
    'keys of sent',
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
    const where = /of row/.test(message) ? /^\/tables\/(out|people)$/ : /^\/steps\/0$/;
    for (const { path } of found) t.regex(path, where, what);
    if (code !== undefined) t.true(view.includes(code), what);
  }
});
