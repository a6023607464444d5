import test from 'ava';
import { ask, documentsOf } from '../../../models/ask-solver.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

const SIZE = 1000;
const TOOLS = toolsIn(`tools:
  pay@1.0.0:
    effect: revenue_write
    replay: effects
    args: { m: "decimal(2, 0.00..)", express: bool, fee: "decimal(2, 0.00..)", insured: bool, premium: "decimal(2, 0.00..)", gift: bool, wrap: "decimal(2, 0.00..)" }
    responds: { id: string(64), left: decimal(2) }
    identity: id
    state: { t: decimal(2) }
    effects: { t: "state.t - args.m - (args.express ? args.fee : 0.00) - (args.insured ? args.premium : 0.00) - (args.gift ? args.wrap : 0.00)" }
    observe: { t: left }
    amounts: args.m in EUR
`);
const PLAN = `plan: L
expires: 2026-12-05T00:00:00Z
recorded: 1000
state: { t: 100000.00 }
steps:
  p: { tool: pay@1, times: 0..1000, where: args.m <= 10.00 }
rules: {}
`;
const instant = (ms: number) => new Date(Date.parse('2026-12-01T00:00:00Z') + ms).toISOString().replace('Z', '000Z');

test('a run of 1,000 actions is replayed in which many arguments do not matter', (t) => {
  const idle = { express: false, fee: '0.00', insured: false, premium: '0.00', gift: false, wrap: '0.00' };
  const actions = Array.from({ length: SIZE }, (_, index) => ({
    step_id: 'p',
    tool: 'pay',
    tool_version: '1.0.0',
    args: { m: '0.50', ...idle },
    response: { id: `i${index}`, left: (100_000 - (index + 1) / 2).toFixed(2) },
    started_at: instant(index * 2000),
    ended_at: instant(index * 2000 + 900),
  }));
  const answer = ask({
    kind: 'verify',
    ...documentsOf(PLAN, TOOLS),
    actions: JSON.stringify(actions),
    artifacts: [],
    runContext: {
      approvedAt: instant(-10_000),
      receivedAt: instant(6_000_000),
      proposedIntents: 'h',
      recordedIntents: 'h',
      approvals: [{ at: instant(-10_000), group: 'g' }],
    },
  });
  t.is(answer.verdicts.replay.verdict, 'satisfied', JSON.stringify(answer.verdicts.replay.reasons));
  // The fee, the premium and the wrapping may be anything, so nobody computed what was paid.
  t.like(answer.assurance, { modelled: 0, recorded: SIZE });
});
