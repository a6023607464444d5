import { readFileSync } from 'node:fs';
import test from 'ava';
import { hashPlan } from '../../../../workers/plan/view/view-plan.ts';
import { checkPlan } from '../../../../workers/verdict/check/check-plan.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { compileExample, EXAMPLE_NAMES, planOf, readExample, textsOf, toolsIn } from '../../../models/plan-texts.ts';
import { dangersOf, viewOf } from '../../../models/view.ts';

const TOOLS = toolsIn(readExample('tools.yaml'));
const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

for (const name of EXAMPLE_NAMES) {
  test(`the example ${name} has no danger that lint knows, and its view says in at most 200 words what matters`, (t) => {
    const { plan, tables } = compileExample(name, TOOLS);
    t.deepEqual(dangersOf(plan, { tools: TOOLS, tables }), []);
    const { lint, judgement } = checkPlan(plan, by, { tools: textsOf(TOOLS), tables });
    t.deepEqual([judgement.verdict, lint], ['satisfied', []]);
    const view = viewOf(plan, { tools: TOOLS, tables, hash: hashPlan(plan) });
    const [first = '', details = ''] = view.split('\n## Details\n');
    t.true(first.split(/\s+/).length <= 200, first);
    t.deepEqual(
      [...first.matchAll(/^## (.*)/gm)].map(([, heading]) => heading),
      ['Warnings', 'What money can move', 'What the agent may do', 'Rules for the whole run'],
    );
    t.regex(details, /^### What is done\n/m);
    t.notRegex(view, /at most 0 such/);
  });
}

test('the recipe of percentages gives no warning of an unused value', (t) => {
  const recipes = readFileSync(new URL('../../../../docs/verified-execution/recipes.md', import.meta.url), 'utf8');
  const recipe = recipes.split('## Percentages')[1]?.split('```yaml\n')[1]?.split('```')[0] ?? '';
  const { lint } = checkPlan(planOf(recipe, TOOLS), by, { tools: textsOf(TOOLS), tables: [] });
  t.false(lint.some(({ code }) => code === 'UNUSED'));
});
