import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { listedValues } from '../../../../workers/plan/bounds/listed-values.ts';
import { maxActions } from '../../../../workers/plan/bounds/run-bounds.ts';
import { looseArguments } from '../../../../workers/plan/lint/free-arguments.ts';
import { valueInWords } from '../../../../workers/plan/view/words/amount.ts';
import { APPROVED_TABLE, planOf, toolsIn } from '../../../models/plan-texts.ts';
import { typed } from '../../../models/view.ts';

const TOOLS = toolsIn(`tools:
  do@1.0.0: { effect: write, args: { who: string(8), n: int, m: decimal(2), kind: "enum(new, old)", ok: bool, at: time, wait: duration, x: string(8) }, responds: { id: string(64), got: string(8) } }
  ask@1.0.0: { args: { q: string(8), r: string(8) }, responds: { answer: string(8) } }
  flip@1.0.0: { effect: write, args: { q: string(8) }, responds: { id: string(64) } }
`);

function planWith(where: string, rules: readonly string[] = [], times = '0..50') {
  const plan = planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
given: { name: Ann, flag: true, most: 3, day: { type: duration, value: 24h } }
state: { still: { type: string(8), initial: Sam }, moved: { type: string(8), initial: Max }, held: "map(string(8), string(8), default x)" }
tables:
  t: { key: [who, code], columns: { who: string(8), code: string(8), boss: string(8) }, rows: [{ who: a, code: x, boss: Al }, { who: a, code: y, boss: Bo }, { who: b, code: x, boss: Al }] }
  approved: { file: approved.jsonl, key: invoice, columns: { invoice: string(64), amount: decimal(2), payee: string(64) } }
steps:
  do: { tool: do@1, times: ${times}, where: ${JSON.stringify(where)}, effects: { moved: args.x } }
  ask: { tool: ask@1, times: 0..9 }
  flip: { tool: flip@1, times: 0..9 }
rules:${rules.length === 0 ? ' {}' : rules.map((rule, index) => `\n  r${index}: ${JSON.stringify(rule)}`).join('')}
`,
    TOOLS,
  );
  const read = typed(plan, { tools: TOOLS, tables: [APPROVED_TABLE] });
  return { plan: read, step: defined(read.steps[0]) };
}

/** The values of an argument in words, or "free" if nothing ties it, or "tied". */
function valuesOf(where: string, rules: readonly string[] = [], argument = 'who'): string {
  const { plan, step } = planWith(where, rules);
  const isLoose = looseArguments(step, plan).includes(argument);
  const type = defined(step.tool.args.get(argument));
  const values = listedValues(step, argument, plan);
  const words = Array.from(values ?? [], (value) => valueInWords(value, type));
  return `${isLoose ? 'free' : 'tied'}${values === undefined ? '' : `: ${words.join(' ')}`}`;
}

const CASES: readonly (readonly [where: string, values: string, rules?: readonly string[], argument?: string])[] = [
  ['true', 'free'],
  ['args.who == "a"', 'tied: `a`'],
  ['"a" == args.who', 'tied: `a`'],
  ['args.who != "a"', 'free'],
  ['args.who == args.x', 'free'],
  ['args.who == name', 'tied: `Ann`'],
  ['args.who == state.still', 'tied: `Sam`'],
  ['args.who == state.moved', 'free'],
  ['args.who == state.held["a"]', 'tied'],
  ['args.who in ["a", "b", "a"]', 'tied: `a` `b`'],
  ['args.who == "a" || args.x == "b"', 'free'],
  ['args.who == (flag ? "a" : name)', 'tied: `a` `Ann`'],
  ['args.who == (flag ? "a" : args.x)', 'free'],
  ['args.who in ["a", "b", "c"] && args.who in ["b", "c"] && args.who in ["a", "b", "d"]', 'tied: `b`'],
  ['flag ? args.who == "a" : args.who == "b"', 'tied'],
  ['flag ? args.who == "a" : args.who != "b"', 'free'],
  ['!(args.who == "a")', 'free'],
  // Rows.
  ['[args.who, args.x] in t', 'tied: `a` `b`'],
  ['[args.x, args.who] in t', 'tied: `x` `y`'],
  ['!([args.who, args.x] in t)', 'free'],
  ['args.who == t[[args.x, "x"]].boss', 'tied: `Al` `Bo`'],
  ['args.kind == new && t[[args.who, "x"]].boss == name'.replace('new', '"new"'), 'tied: `a` `b`'],
  ['t[[args.x, args.who]].boss != name', 'tied: `x` `y`'],
  ['args.m <= 2.00 && (flag ? t[[args.who, "x"]].boss : name) == name', 'free'],
  ['t.exists(r, args.who == r.who)', 'tied: `a` `b`'],
  ['t.exists(r, r.boss == args.who && r.code == args.x)', 'tied: `Al` `Bo`'],
  ['t.exists(r, r.boss != args.who)', 'free'],
  ['t.exists(r, r.who == "a")', 'free'],
  ['t.exists(r, args.who == "z")', 'tied'],
  ['t.exists(r, t.exists(q, args.who == q.who))', 'tied'],
  ['t.all(r, args.who == r.who)', 'free'],
  // Others that may set what is asked.
  ['true', 'free', ['do.all(d, ask.exists(a, a.q == d.who))']],
  ['true', 'tied', ['do.all(d, ask.exists(a, a.q == d.who))', 'ask.all(a, a.q == "z")']],
  ['true', 'free', ['do.all(d, ask.exists(a, a.answer == d.who))', 'ask.all(a, a.q == "z")']],
  ['true', 'tied', ['do.all(d, ask.exists(a, a.answer == d.who))', 'ask.all(a, a.q == "z" && a.r == "z")']],
  ['true', 'free', ['do.all(d, ask.exists(a, a.q == d.who))', 'ask.all(a, flip.exists(f, f.q == a.q))']],
  [
    'true',
    'tied',
    ['do.all(d, ask.exists(a, a.q == d.who))', 'ask.all(a, flip.exists(f, f.q == a.q))', 'flip.all(f, f.q == "z")'],
  ],
  ['true', 'free', ['do.all(d, do.exists(e, e.args.x == d.args.who))', 'do.all(d, d.x == "z")']],
  ['true', 'free', ['do.all(d, do.exists(e, e.args.who == d.args.who))']],
  ['true', 'free', ['do.all(d, d.args.who == d.response.got)']],
  ['true', 'free', ['do.all(d, flip.exists(f, f.q == d.who))', 'flip.all(f, do.exists(d, d.args.who == f.q))']],
  ['true', 'free', ['do.exists(d, d.who == "a")']],
  ['true', 'tied: `a`', ['do.all(d, d.who == "a")']],
  ['true', 'tied: `Sam`', ['do.all(d, d.who == state.still)']],
  ['true', 'free', ['do.all(d, d.who == state.moved)']],
  ['true', 'free', ['do.all(d, t.exists(r, ask.exists(a, a.q == r.who)))']],
  ['true', 'tied', ['do.all(d, t.exists(r, ask.exists(a, a.q == "z" && r.boss == d.who)))']],
  [
    'true',
    'tied: `a`',
    ['do.all(d, d.who == "a" || d.who == name)', 'do.all(d, d.who == state.still || d.who == "a")'],
  ],
  ['true', 'free', ['do.all(d, ask.exists(a, a.q == d.who) || d.who == "a")']],
  // Numbers, truth values and times.
  ['args.n == most - 1', 'tied', [], 'n'],
  ['args.n == max(most, args.n)', 'free', [], 'n'],
  ['args.at == approved_at + day', 'tied', [], 'at'],
  ['args.at == started_at + day', 'free', [], 'at'],
  ['!!args.ok', 'tied: `true`', [], 'ok'],
  ['args.n == most', 'tied: `3`', [], 'n'],
  ['args.n == min(most, 4)', 'tied', [], 'n'],
  ['args.n == (flag ? 1 : 2) * 3', 'tied', [], 'n'],
  ['args.n == (flag ? 1 : 2) * (most + 1)', 'tied', [], 'n'],
  ['args.n == (flag ? 1 : 2) * args.n', 'free', [], 'n'],
  ['args.n <= 7', 'free', [], 'n'],
  ['args.n == count(t)', 'free', [], 'n'],
  ['args.m == 7.50', 'tied: `7.50`', [], 'm'],
  ['args.kind == "old"', 'tied: `old`', [], 'kind'],
  ['args.ok', 'tied: `true`', [], 'ok'],
  ['!args.ok', 'tied: `false`', [], 'ok'],
  ['args.ok || !args.ok', 'tied: `true` `false`', [], 'ok'],
  ['args.at == timestamp("2026-12-01T00:00:00Z")', 'tied: `2026-12-01T00:00:00.000000Z`', [], 'at'],
  ['args.wait == duration("90m")', 'tied: 1h30m', [], 'wait'],
  ['args.wait == day', 'tied: 24h', [], 'wait'],
  // A table that is a file.
  ['args.who in approved', 'tied: `A1` `B2`'],
];

test('the values of an argument are those that conditions leave, and it is free where the agent chooses', (t) => {
  for (const [where, expected, rules, argument] of CASES) {
    t.is(valuesOf(where, rules, argument), expected, `${where} ${rules?.join(' ') ?? ''}`);
  }
});

const TWO = 'args.who in ["a", "b"] && args.n in [1, 2, 3]';
/** Rules, how often a step may be done, and how often it can be. */
const COUNTS: readonly (readonly [rules: readonly string[], times: string, most: number])[] = [
  [[], '0..50', 50],
  [['count(do) <= 3'], '0..50', 3],
  [['unique(do, d, d.who)'], '0..50', 2],
  [['unique(do, d, d.who)'], '4..50', 4],
  [['unique(do, d, [d.who, d.n])'], '0..50', 6],
  [['unique(do, d, [d.who, d.n])', 'unique(do, d, d.n)'], '0..50', 3],
  [['unique(do, d, [d.who, d.x])'], '0..50', 50],
  [['unique(do, d, [d.who, d.got])'], '0..50', 50],
  [['unique(do, d, d.who, d.ok)'], '0..50', 50],
  [['unique(do, d, [d.ok, d.kind])'], '0..50', 4],
  [['unique(do, d, d.m)'], '0..50', 50],
  [['unique(do, d, d.m)', 'do.all(d, d.m >= 1.00 && d.m <= 1.19)'], '0..50', 20],
  [['unique(ask, a, a.q)'], '0..50', 50],
  [['flag || unique(do, d, d.who)'], '0..50', 50],
];

test('a step is done as often as its acts can differ, where they must', (t) => {
  for (const [rules, times, most] of COUNTS) {
    const { plan, step } = planWith(TWO, rules, times);
    t.is(maxActions(step, plan), most, `${rules.join(' ')} ${times}`);
  }
});
