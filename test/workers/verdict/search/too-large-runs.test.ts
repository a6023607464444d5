import test from 'ava';
import { ask, documentsOf } from '../../../models/ask-solver.ts';
import { toolsIn } from '../../../models/plan-texts.ts';

const TOOLS = toolsIn('tools: { note@1.0.0: { effect: write, args: { n: int }, responds: { id: string(64) } } }\n');
const HALF = 100;
const instant = (ms: number) => new Date(Date.parse('2026-12-01T00:00:00Z') + ms).toISOString().replace('Z', '000Z');

/** A rule over all triples of 100 actions, whose times are compared. */
const PLAN = `plan: L
expires: 2026-12-05T00:00:00Z
recorded: 1000
steps:
  ask: { tool: note@1, times: 0..500 }
  act: { tool: note@1, times: 0..500 }
rules:
  wait: 'act.all(x, ask.exists(y, ask.exists(z, z.n <= y.n && y.n <= x.n && x.started_at - y.ended_at >= duration("1s"))))'
`;

test('preflight refuses the action with which a run becomes too large for a verification, and names the rule', (t) => {
  const documents = documentsOf(PLAN, TOOLS);
  const approvals = [{ at: instant(-10_000), group: 'g' }];
  const intents = Array.from({ length: 2 * HALF }, (_, index) => ({
    step_id: index < HALF ? 'ask' : 'act',
    tool: 'note',
    tool_version: '1.0.0',
    args: { n: `${index % 5}` },
  }));
  const actions = intents.map((intent, index) => ({
    ...intent,
    response: { id: `i${index}` },
    started_at: instant(index * 2000),
    ended_at: instant(index * 2000 + 900),
  }));
  const preflight = ask({
    kind: 'preflight',
    ...documents,
    runContext: { approvals },
    done: JSON.stringify(actions.slice(0, -1)),
    action: JSON.stringify(intents.at(-1)),
    now: instant((2 * HALF - 1) * 2000),
  });
  t.like(preflight.constraints, { verdict: 'indeterminate', reasons: [{ path: '/constraints/wait' }] });
  const runContext = {
    approvedAt: instant(-10_000),
    receivedAt: instant(6_000_000),
    proposedIntents: 'h',
    recordedIntents: 'h',
    approvals,
  };
  const verified = ask({
    kind: 'verify',
    ...documents,
    actions: JSON.stringify(actions),
    artifacts: [],
    runContext,
  });
  t.like(verified.verdicts.constraints, { verdict: 'indeterminate', reasons: [{ path: '/constraints/wait' }] });
});
