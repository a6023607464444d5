import { readFileSync } from 'node:fs';
import test from 'ava';
import { readWholePlan } from '../../scripts/cli/tollhouse/plans/plan-input.ts';
import { defined } from '../../workers/exact/defined.ts';
import { compilePlan } from '../../workers/plan/text/compile-plan.ts';
import { compileRuns } from '../../workers/plan/text/runs/compile-runs.ts';
import { DEFAULT_RLIMIT } from '../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../models/open-z3.ts';
import { EXAMPLE_NAMES, examplePath, readExample, textsOf, toolsIn } from '../models/plan-texts.ts';
import { preflightLater } from '../models/preflight-later.ts';

const TOOLS = readExample('tools.yaml');
const RECIPES = readFileSync(new URL('../../docs/verified-execution/recipes.md', import.meta.url), 'utf8');
const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

for (const example of EXAMPLE_NAMES) {
  const text = readExample(`${example}.yaml`);
  if (!/started_at|ended_at/.test(text)) continue;
  test(`${example}: an action that is too early is told when it passes, and not too late`, (t) => {
    const { plan, tools, tables } = readWholePlan(examplePath(`${example}.yaml`), { tools: examplePath('tools.yaml') });
    let named = 0;
    for (const { approvals, actions } of defined(compileRuns(readExample(`${example}.runs.yaml`), plan, tools).runs)) {
      for (const [index, { response: _, started_at: __, ended_at: ___, ...action }] of actions.entries()) {
        const done = actions.slice(0, index);
        const now = defined(done.at(-1)?.ended_at ?? approvals.at(-1)?.at);
        const documents = { plan, tools: textsOf(tools), tables, runContext: { approvals } };
        const { passesFrom } = preflightLater({ ...documents, done, action, now }, by);
        t.not(passesFrom, null);
        if (typeof passesFrom === 'string') named += 1;
      }
    }
    t.is(named, example === 'campaign' ? 3 : 0);
  });
}

test('recipes: mail outside of the office hours is told when they begin', (t) => {
  const [, text = ''] = /^```yaml\n(plan: Send mail in office hours\n.*?)^```$/ms.exec(RECIPES) ?? [];
  const tools = toolsIn(TOOLS);
  const { plan, faults } = compilePlan(text, { tools, sheets: [], tables: new Map() });
  t.is(faults, undefined, JSON.stringify(faults));
  const [now, opens] = ['2099-11-30T17:00:00.000001Z', '2099-12-01T07:00:00.000000Z'];
  const documents = { plan, tools: textsOf(tools), runContext: { approvals: [{ at: now, group: 'office' }] } };
  const tool = tools.find(({ name }) => name === 'mail.send_template');
  const args = { to: 'ann@example.org', template: 'news' };
  const action = { step_id: 'send', tool: tool?.name, tool_version: tool?.version, args };
  t.is(preflightLater({ ...documents, done: [], action, now }, by).passesFrom, opens);
});
