import test from 'ava';
import { planOf, toolsIn } from '../../../../models/plan-texts.ts';
import { viewOf } from '../../../../models/view.ts';

const TOOLS = toolsIn(`tools:
  exact-select@1.2.0: { replay: pure, args: { selection: string(8) }, responds: { hit: bool at /data/hit } }
  ask@1.0.0: { args: { q: string(8) }, responds: { ok: bool, sure: bool at /a/sure, other: int } }
  note@1.0.0:
    { effect: write, args: { text: string(8), by: time }, responds: { id: string(64) }, post: { some: response.id != "" },
      limits: { all: 9 acts per hour, each: 3 acts for each text per week },
      state: { notes: int }, effects: { notes: state.notes + 1 } }
  pay@1.0.0:
    { effect: revenue_write, replay: effects, args: { m: "decimal(2, 0..9.00)", to: string(8) },
      responds: { id: string(64), left: decimal(2), rate: decimal(2) }, identity: id, state: { pool: decimal(2) },
      effects: { pool: state.pool - args.m }, observe: { pool: left },
      amounts: args.m in EUR, limits: { daily: 100.00 of m per day } }
`);

const TEXT = `plan: All
expires: 2026-12-05T00:00:00Z
executions: 2
approvals: 2
recorded: RECORDED
supersedes: SUPERSEDES
given: { cap: 5.00, wait: { type: duration, value: 90m }, yes: true }
state: { pool: 80.00, notes: 0, count: { type: "int(-2..8)", initial: 0 }, low: { type: "int(0..3)", initial: 0 }, seen: "map(string(8), int(..9), default 2)", idle: 1, label: { type: string(8), initial: a }, total: { type: "int(..7)", initial: 1 } }
tables:
  one: { key: a, columns: { a: string(8), b: string(8) }, rows: [{ a: x, b: y }] }
tools:
  own@1.0.0: { args: { q: string(8) }, responds: { v: int at /v, w: int }, effects: { count: state.count + response.w } }
steps:
  ask: { tool: ask@1, times: 1, where: args.q == "a" }
  geo: { tool: exact-select@1, times: 0..1, where: args.selection == "s" }
  own: { tool: own@1.0.0, times: 0..2, where: args.q == "b", after: [ask, { geo: if_done }] }
  note:
    tool: note@1
    times: 0..3
    after: { own: 2 }
    overlaps: [own, note]
    where: { text: 'args.text in ["c", "d"]', by: 'args.by <= timestamp("2027-01-01T00:00:00Z")' }
    effects: { "seen[args.text]": "state.seen[args.text] + state.low", label: args.text }
    evidence:
      slip: { type: [image/png, text/plain], times: 0..2 }
      mail: { type: application/json, reads: { id: /id, n: int at /n }, where: mail.id == response.id && mail.n > 0 }
  pay: { tool: pay@1, times: 0..2, where: 'args.to == "e" && args.m <= cap', evidence: { r: { type: application/json, where: "true" } } }
rules:
  asked: ask.all(a, a.response.ok && a.response.sure)
  own: own.all(o, o.v >= 0) && geo.all(g, g.hit)
  paid: pay.all(p, p.left >= 0.00 && p.rate >= 0.00)
  people: approved_by("finance") || (yes && approved_by("board") && !approved_by("guests"))
  label: state.label != "z"
`;
const text = (recorded = 20, supersedes = 'plan_1') =>
  TEXT.replace('RECORDED', String(recorded)).replace(
    'supersedes: SUPERSEDES\n',
    supersedes === '' ? '' : `supersedes: ${supersedes}\n`,
  );

const lint = [
  { code: 'SOME', path: '', message: 'a\u200bb' },
  { code: 'SOME', path: '', message: 'a\u200bb' },
  { code: 'SOME', path: '/steps/0', message: 'a\u200bb' },
];
const view = (text: string) => viewOf(planOf(text, TOOLS), { tools: TOOLS, lint });

/** The view of the plan. A quotation mark is a backtick. */
const WORDS = `# Plan 'All'

Hash to approve: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'

Expires at '2026-12-05T00:00:00.000000Z', for 2 runs. 2 approvers must approve, each with another key. Rules ask about approvers of 'finance' and 'board'.

## Warnings

- 'SOME' at '/': 'a⟨U+200B⟩b'
- 'SOME' at '/steps/0': 'a⟨U+200B⟩b'
- 'EVIDENCE_WITHOUT_AMOUNT' at '/steps/4/evidence': 'no evidence of pay equals args.m'
- 'ARGUMENT_NOT_FOLDED' at '/steps/3': 'args.text of note is compared character by character (the limit each), so another spelling is another value: let the catalogue fold it, as in string(8, trimmed) or string(254, email)'
- 'HOLDS_FOR_NOTHING' at '/constraints/1': 'holds although geo was not done: write after: geo, or times: 1.. for it'
- 'HOLDS_FOR_NOTHING' at '/constraints/1': 'holds although own was not done: write after: own, or times: 1.. for it'

## Differences from the plan before

It replaces the plan 'plan_1', which is not available here.

## What money can move

- Step 'pay', at most 2 times:
  - 'm': in one action at most **5.00 EUR**, in a run at most **10.00 EUR** (2 times the most of one action)
  - 'to': 'e'

In all: at most **10.00 EUR** in one run. The approval covers 2 runs: at most **20.00 EUR** in all runs together, in at most 4 actions.

## What the agent may do

- 'ask', exactly once, by 'ask@1.0.0':
  - 'q': 'a'
- 'geo', at most once, by 'exact-select@1.2.0':
  - 'selection': 's'
- 'own', 0 to 2 times, by 'own@1.0.0', **described in this plan**, after 1 of 'ask', after all of 'geo' that are done:
  - 'q': 'b'
- 'note', 0 to 3 times, by 'note@1.0.0', after 2 of 'own', **at the same time as** actions of 'own' and 'note', although they share a state: **the agent chooses** 'by' (at most '2027-01-01T00:00:00.000000Z')
  - 'text': 'c' or 'd'
- 'pay', 0 to 2 times, by 'pay@1.0.0': **the agent chooses** 'm' (at least 0.00 and at most 5.00)
- **what the agent reports of 'ask'** is believed: 'ok' and 'sure' at '/a/sure'
- **what the agent reports of 'own'** is believed: 'w' and 'v'
- **what the agent reports of 'pay'** is believed: 'rate'

## Rules for the whole run

- 'asked': for every 'ask' action 'a': 'a.response.ok' and 'a.response.sure'
- 'own': (for every 'own' action 'o': 'o.response.v' is at least 0) and (for every 'geo' action 'g': 'g.response.hit')
- 'paid': for every 'pay' action 'p': ('p.response.left' is at least '0.00') and ('p.response.rate' is at least '0.00')
- 'people': (a key of the group 'finance' approved) or ('yes' ('true') and (a key of the group 'board' approved) and (it is false that (a key of the group 'guests' approved)))
- 'label': 'state.label' at the end is not the text 'z'
- the state 'count' begins as '0', and must stay at least **-2** and at most **8**
  - then 'count' becomes 'state.count' + 'response.w', by 'own', as this plan says
- the state 'low' begins as '0', and must stay at most **3**
- the state 'seen' begins as '2', and must stay at most **9**
  - then 'seen' of 'args.text' becomes ('seen' of 'args.text' before the act) + 'state.low', by 'note', as this plan says
- the state 'label' begins as 'a'
  - then 'label' becomes 'args.text', by 'note', as this plan says

## Details

### What is done

- **Step 'ask'**, exactly once, by the tool 'ask@1.0.0', which reads only; its responses are believed as reported
  - with 'q' 'string(8)'
  - it answers with 'ok' 'bool' at '/ok', 'other' 'int' at '/other' and 'sure' 'bool' at '/a/sure'
  - only if 'args.q' is the text 'a'
  - **no evidence is asked for**
- **Step 'geo'**, at most once, by the tool 'exact-select@1.2.0', which reads only; the service runs it again itself
  - with 'selection' 'string(8)'
  - it answers with 'hit' 'bool' at '/data/hit'
  - only if 'args.selection' is the text 's'
  - **no evidence is asked for**
- **Step 'own'**, 0 to 2 times, by the tool 'own@1.0.0', which reads only; its responses are believed as reported
  - with 'q' 'string(8)'
  - it answers with 'v' 'int' at '/v' and 'w' 'int' at '/w'
  - only if 'args.q' is the text 'b'
  - only after an action of 'ask' has ended
  - never before an action of 'geo': if 'geo' is done at all, it has ended first
  - then 'count' becomes 'state.count' + 'response.w', by the tool
  - **no evidence is asked for**
- **Step 'note'**, 0 to 3 times, by the tool 'note@1.0.0', which changes something outside; its responses are believed as reported
  - with 'by' 'time' and 'text' 'string(8)'
  - it answers with 'id' 'string(64)' at '/id'
  - only if 'args.text' is any of the text 'c' or the text 'd'
  - only if 'args.by' is at most '2027-01-01T00:00:00.000000Z'
  - only after 2 actions of 'own' have ended
  - **at the same time as** actions of 'own' and 'note', although they share a state
  - the response must obey: 'response.id' is not the text '  ' (empty)
  - then 'label' becomes 'args.text', by the plan (no tool observes it)
  - then 'seen' of 'args.text' becomes ('seen' of 'args.text' before the act) + 'state.low', by the plan (no tool observes it)
  - then 'notes' becomes 'state.notes' + 1, by the tool
  - the operator allows at most '9' acts per hour, over all plans
  - the operator allows at most '3' acts for each 'text' per week, over all plans
  - evidence 'slip' ('image/png' or 'text/plain'), 0 to 2 times for each action, **so it may be missing**
    - **nothing is checked in it**
  - evidence 'mail' ('application/json'), exactly once for each action
    - it reads 'id' 'string(64)' at '/id' and 'n' 'int' at '/n'
    - where 'evidence.id' is 'response.id'
    - where 'evidence.n' is above 0
- **Step 'pay'**, 0 to 2 times, by the tool 'pay@1.0.0', which **moves money**; its responses are compared with computed states
  - with 'm' 'decimal(2, 0.00..9.00)' and 'to' 'string(8)'
  - it answers with 'id' 'string(64)' at '/id', 'left' 'decimal(2)' at '/left' and 'rate' 'decimal(2)' at '/rate'
  - only if 'args.to' is the text 'e'
  - only if 'args.m' is at most 'cap' ('5.00')
  - then 'pool' becomes 'state.pool' − 'args.m', by the tool
  - the operator allows at most '100.00' of 'm' per day, over all plans
  - evidence 'r' ('application/json'), exactly once for each action
    - where true

### What is not checked

- 'ask', 'own' and 'note': responses are believed as the agent reports them. A proof allows at most 20 such actions.
- 'count', 'label', 'seen' and 'notes': these states follow what is reported. No tool confirms them.
- An act that failed, or whose outcome is unknown, is reported without a response. It counts towards every maximum, and towards no minimum.
- Rules hold within one run. Other runs and other plans may do the same again, within the limits of the operator.
- Evidence is submitted by the agent. Only what is compared above is checked in it.

### Given values and states

- 'cap' is '5.00', 'decimal(2)'
- 'wait' is 1h30m, 'duration'
- 'yes' is 'true', 'bool'
- the state 'pool' is 'decimal(2)', and begins as '80.00'
- the state 'notes' is 'int', and begins as '0'
- the state 'count' is 'int(-2..8)', and begins as '0'
- the state 'low' is 'int(0..3)', and begins as '0'
- the state 'seen' is 'map(string(8), int(..9), default 2)'
- the state 'idle' is 'int', and begins as '1'
- the state 'label' is 'string(8)', and begins as 'a'
- the state 'total' is 'int(..7)', and begins as '1'

### Tables

- 'one': 1 row, by 'a', written in the plan
  - columns: 'a' 'string(8)' and 'b' 'string(8)'
  - 'a' 'x', 'b' 'y'
`;

test('every part of a plan has its line, under the heading to which it belongs', (t) => {
  t.deepEqual(view(text()).split('\n'), WORDS.replaceAll("'", '`').split('\n'));
});

test('a plan that asks that every act is done says so, and so does one with a rule that reads outcomes', (t) => {
  const linesOf = (changed: string) => {
    const lines = view(changed).split('\n');
    return lines.filter((line) => / outcomes?( |\.)/.test(line));
  };
  t.deepEqual(linesOf(`${text()}outcomes: done\n`), [
    '- A run with an act that failed, or whose outcome is unknown, gets no proof.',
  ]);
  const rule = '  said: own.all(p, p.outcome == "done")\n';
  t.deepEqual(linesOf(text().replace(/^rules:\n/m, (head) => head + rule)).slice(-1), [
    '- `said`: the rule reads outcomes. Whether an act counts for it is the word of the agent.',
  ]);
});

test('a plan under which acts may be reserved says for how long', (t) => {
  const line = ' An act may be reserved for `10m` before it is done: its part of the limits, and a run.';
  t.true(
    view(`${text()}reserve: 10m\n`)
      .split('\n')
      .some((each) => each.endsWith(line)),
  );
});

test('a plan that allows no recorded actions, and replaces no other one, says so', (t) => {
  const changed = WORDS.replaceAll("'", '`')
    .replace(/## Differences.*?\n\n(?=## )/s, '')
    .replace('A proof allows at most 20 such actions.', 'A run with such an action gets no proof.');
  t.deepEqual(view(text(0, '')).split('\n'), changed.split('\n'));
});
