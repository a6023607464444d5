import test from 'ava';
import { planOf, toolsIn } from '../../../models/plan-texts.ts';
import { partsOf, rowsOf } from '../../../models/trees.ts';
import { dangersOf } from '../../../models/view.ts';

/**
 * Parts of the plan: `to` is the type of the address, `out` an address of a table whose column is not folded, `last` an
 * effect of the step on a state, `post` what its tool promises, and `evidence` what evidence of it must meet.
 */
type Case = Partial<
  Record<'to' | 'effect' | 'limits' | 'where' | 'rule' | 'runs' | 'out' | 'last' | 'post' | 'evidence', string>
>;

const FOLDED = '"string(254, email)"';

function lintOf(one: Case) {
  const {
    to = 'string(254)',
    effect = 'write',
    limits = '{}',
    where = 'true',
    rule = 'true',
    runs = 'true',
    out = 'x',
  } = one;
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
rules: { r: ${JSON.stringify(rule)} }
runs: { all: ${JSON.stringify(runs)} }
`,
    tools,
  );
  return dangersOf(plan, { tools }).filter(({ code }) => code.endsWith('NOT_FOLDED'));
}

/** What a plan compares, and what lint says about it: the code without `_NOT_FOLDED`, and a part of the message. */
const CASES = `
where: !(args.to in out) ⇒ ARGUMENT the table out
where: !(args.to in out); to: FOLDED ⇒
where: !(args.to in out); effect: none ⇒
rule: send.all(s, !(s.to in out)) ⇒ ARGUMENT the table out
where: !out.exists(r, r.email == args.to) ⇒ ARGUMENT the table out
rule: unique(send, s, s.to) ⇒ ARGUMENT unique
runs: unique(send, s, s.to) ⇒ ARGUMENT unique
rule: unique(send, s, [s.kind, s.to]); to: FOLDED ⇒ ARGUMENT args.kind
where: state.sent[args.to] < 2 ⇒ ARGUMENT keys of sent
rule: send.all(s, count(note, n, n.person == s.to) < 2) ⇒ ARGUMENT
limits: { each: 3 acts for each to per day } ⇒ ARGUMENT the limit each
limits: { each: 3 acts for each to per day }; to: FOLDED ⇒
where: args.to in people; rule: unique(send, s, s.to) ⇒
where: args.to in people && !(args.to in out) ⇒ ARGUMENT the table people
where: args.to == "a" ⇒
where: args.to != "a" ⇒
where: !(args.to in out); to: FOLDED; out: Ben@example.org\
 ⇒ VALUE email of row 1 is "Ben@example.org", with which args.to of send (email) is never equal: write\
 "ben@example.org"
where: args.kind in people && people[args.kind].other != args.to; to: FOLDED ⇒ VALUE other of row 1
where: args.to != boss; to: FOLDED ⇒ VALUE boss@example.org
where: !(args.to in out); effect: revenue_write ⇒ ARGUMENT the table out
last: args.to in out ? "a" : state.last ⇒ ARGUMENT the table out
post: args.to != "Eve@x"; to: FOLDED ⇒ VALUE eve@x
evidence: args.to != "Eve@x"; to: FOLDED ⇒ VALUE eve@x
where: args.to != (flag ? "eve@x" : "Bob@x"); to: FOLDED ⇒ VALUE bob@x
where: args.to != (flag ? "Eve@x" : "bob@x"); to: FOLDED ⇒ VALUE eve@x
where: "Eve@x" != args.to; to: FOLDED ⇒ VALUE eve@x
where: args.to != "Eve@x" && args.to != "Eve@x"; to: FOLDED ⇒ VALUE eve@x
rule: send.all(s, send.all(q, s.to != "Eve@x")); to: FOLDED ⇒ VALUE args.to of send
where: flag != (args.to != boss); to: FOLDED ⇒ VALUE boss@example.org
where: args.to != "eve@x"; to: FOLDED ⇒
where: args.to == people["ben@example.org"].other ⇒
where: args.to in people; to: FOLDED ⇒
rule: send.all(s, send.all(q, s.to != q.kind)); to: FOLDED\
 ⇒ ARGUMENT args.kind of send is compared character by character (args.to of send)
rule: unique(note, n, n.person) ⇒
limits: { each: 3 acts for each kind per day, all: 9 acts per day }; to: FOLDED\
 ⇒ ARGUMENT args.kind of send is compared character by character (the limit each), so
where: !(args.to in out); limits: { each: 3 acts for each to per day }\
 ⇒ ARGUMENT (the table out, the limit each), so another spelling is another value: let the catalogue fold it, as in\
 string(254, trimmed)
where: args.to == "a"; limits: { each: 3 acts for each to per day } ⇒ ARGUMENT (the limit each)
rule: send.all(s, state.sent[s.to] < 2) ⇒ ARGUMENT keys of sent
where: args.to != "Eve@x"; to: FOLDED ⇒ VALUE eve@x
`;

test('lint names comparisons that another spelling evades', (t) => {
  for (const [text, expected] of rowsOf(CASES.replaceAll('FOLDED', FOLDED))) {
    const [, code, says = ''] = /^(\w+) ?(.*)$/.exec(expected) ?? [];
    const found = lintOf(partsOf(text));
    t.deepEqual(
      found.map((each) => each.code),
      code === undefined ? [] : [`${code}_NOT_FOLDED`],
      text,
    );
    const message = found[0]?.message ?? '';
    t.true(message.includes(says), `${text}: ${message}`);
    const where = /of row/.test(message) ? /^\/tables\/(out|people)$/ : /^\/steps\/0$/;
    for (const { path } of found) t.regex(path, where, text);
  }
});
