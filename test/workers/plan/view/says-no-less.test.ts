import test from 'ava';
import type { SheetDocument } from '../../../../workers/exact/sheet-schema.ts';
import { inWords } from '../../../../workers/plan/view/words/expression-words.ts';
import { planOf, toolsIn } from '../../../models/plan-texts.ts';
import { SPEND_CAP, useOf } from '../../../models/sheets.ts';
import { viewOf } from '../../../models/view.ts';

const PAYS = 'effect: revenue_write, identity: id';
const TOOLS = toolsIn(
  `tools:
  ask@1.0.0: { args: { q: string(8) }, responds: { total: decimal(2) } }
  pay@1.0.0: { ${PAYS}, args: { m: "decimal(2, 0..)", to: string(8), ref: string(8) }, RESPONDS }, EUROS }
  fill@1.0.0:
    { ${PAYS}, args: { liters: "int(0..)", kind: string(8) },
      RESPONDS, liters: "decimal(2, 0..5.00)", kind: int(0..3) }, amounts: [response.liters in EUR, response.kind in EUR] }
  draw@1.0.0:
    { ${PAYS}, replay: effects, args: { m: "decimal(2, 0..)" }, RESPONDS, left: decimal(2) }, EUROS,
      state: { pool: decimal(2) }, effects: { pool: response.left }, observe: { pool: left } }
`
    .replaceAll('RESPONDS', 'responds: { id: string(8)')
    .replaceAll('EUROS', 'amounts: args.m in EUR'),
);

const CAP: SheetDocument = { ...SPEND_CAP, sheet_format: 1 };

function linesOf(text: string, uses: readonly ReturnType<typeof useOf>[] = []): readonly string[] {
  const plan = planOf(`plan: P\nexpires: 2026-12-05T00:00:00Z\nrecorded: 7\n${text}`, TOOLS);
  return viewOf({ ...plan, sheets: [...uses] }, { tools: TOOLS, sheets: [CAP] }).split('\n');
}

/** Plans whose runs are more than a reader would believe without these lines, in which ' is a backtick. */
const PLANS = `
steps: { fill: { tool: fill@1, times: 0..2, where: 'args.liters in [1, 900] && args.kind in ["a", "b"]' } }
⇒   - 'kind': 'a' or 'b'
⇒   - 'liters': '1' or '900'

state: { pool: 80.00 }
steps: { draw: { tool: draw@1, times: 0..2 } }
rules: { enough: state.pool >= 50.00 }
⇒ - **what the agent reports of 'draw'** is believed: 'left'
⇒ - 'draw': what no computed state confirms is believed as the agent reports it. A proof allows at most 7 such actions.

tables: { none: { key: to, columns: { to: string(8) }, rows: [] } }
steps: { pay: { tool: pay@1, times: 0..3, where: args.to in none } }
rules: { once: "unique(pay, p, [p.to, p.ref])" }
⇒ - Step 'pay', at most 0 times, responses as the agent reports them:

executions: 2
steps: { pay: { tool: pay@1, times: 0..3 } }
runs: { budget: "sum(pay, p, p.m) <= 9.00" }
⇒ - 'budget': all 'pay' actions together: 'm' is at most '9.00'
⇒ - Rules hold within one run, and those over all runs within this plan. Other plans may do the same again, within the limits of the operator.

given: { w: { type: duration, value: 90m } }
state: { wait: { type: duration, initial: 90m }, each: "map(string(8), duration, default 90m)" }
steps: { ask: { tool: ask@1, times: 0..2, where: "state.each[args.q] < w" } }
rules: { short: state.wait < w }
⇒ - the state 'wait' begins as 1h30m
⇒ - the state 'each' begins as 1h30m
⇒ - 'w' is 1h30m, 'duration'
⇒ - the state 'wait' is 'duration', and begins as 1h30m
`;

for (const block of PLANS.trim().split('\n\n')) {
  const [text = '', ...expected] = block.split('\n⇒ ');
  test(`a view says what is possible: ${expected[0]}`, (t) => {
    const lines = linesOf(`${text}\n`);
    for (const line of expected) t.true(lines.includes(line.replaceAll("'", '`')), lines.join('\n'));
  });
}

test('a view says what a sheet believes of the response of each action', (t) => {
  const text = 'steps: { ask: { tool: ask@1, times: 0..2, where: args.q == "a" } }';
  const use = useOf(SPEND_CAP, 'each:ask', { spent: ['resp', 'total'], cap: ['dec', '5.00'] });
  const lines = linesOf(text, [use]);
  t.true(lines.includes('- **what the agent reports of `ask`** is believed: `total`'), lines.join('\n'));
});

test('division by a number below zero rounds up, as it is judged', (t) => {
  const rounded = (divisor: unknown) => /rounded (up|down)/.exec(inWords(['div', 7, divisor], { variables: {} }))?.[1];
  for (const up of [-3, ['int', '-3'], ['*', -1, 3], ['*', 1, ['int', '-3']]]) t.is(rounded(up), 'up');
  for (const down of [3, ['int', '3'], ['*', -1, -3], ['*', 1, 3]]) t.is(rounded(down), 'down');
});
