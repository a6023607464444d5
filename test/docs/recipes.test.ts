import { globSync, readFileSync } from 'node:fs';
import test from 'ava';
import { Compile } from 'typebox/schema';
import { openSolver } from '../../services/verification/offline/solver.ts';
import { ReportedAction } from '../../workers/exact/action-schema.ts';
import { defined } from '../../workers/exact/defined.ts';
import { compilePlan } from '../../workers/plan/text/compile-plan.ts';
import { checkPlan } from '../../workers/verdict/check/check-plan.ts';
import { DEFAULT_RLIMIT } from '../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../models/open-z3.ts';
import { examplePath, readExample, textsOf, toolsIn } from '../models/plan-texts.ts';
import { openFiles } from '../scripts/cli/tollhouse/files.ts';
import { runCommand } from '../scripts/cli/tollhouse/run-command.ts';

const FOLDER = new URL('../../docs/verified-execution/', import.meta.url);
const RECIPES = readFileSync(new URL('recipes.md', FOLDER), 'utf8');
const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const tools = toolsIn(readExample('tools.yaml'));
const blocks = (language: string) =>
  [...RECIPES.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);

// While it is open, `plan test` uses it.
const offline = await openSolver();
const { keep, remove } = openFiles();
test.after.always(async () => {
  await offline.close();
  remove();
});
const runs = new Map(
  readFileSync(new URL('recipes.runs.yaml', import.meta.url), 'utf8')
    .split(/^# /m)
    .map((part) => [part.slice(0, part.indexOf('\n')), part]),
);

for (const [index, text] of blocks('yaml').entries()) {
  const title = defined(/^plan: (.*)/.exec(text)?.[1]);
  test(`the recipe "${title}" compiles, some run obeys it, and none that breaks its sense`, async (t) => {
    const { plan, faults } = compilePlan(text, { tools, sheets: [], tables: new Map() });
    t.is(faults, undefined, JSON.stringify(faults));
    const { judgement, lint } = checkPlan(plan, by, { tools: textsOf(tools), tables: [] });
    t.is(judgement.verdict, 'satisfied');
    t.false(lint.some(({ code }) => ['UNUSED', 'HOLDS_FOR_NOTHING', 'EXISTS_NOT_JOINED'].includes(code)));
    const file = keep(`${index}.yaml`, text);
    keep(`${index}.runs.yaml`, `# ${defined(runs.get(title))}`);
    const tested = await runCommand({}, ['plan', 'test', file, '--tools', examplePath('tools.yaml')]);
    t.is(tested.errors, '', tested.output);
    t.true(tested.output.split('\n').filter((line) => /^ok .*: violated$/.test(line)).length >= 3);
  });
}

test('no plan in the documents has expired when it is tried', (t) => {
  const expiries = globSync('**/*.{md,yaml,json}', { cwd: FOLDER }).flatMap((file) =>
    [...readFileSync(new URL(file, FOLDER), 'utf8').matchAll(/\bexpires(?:_at)?\b[^\n]{0,25}?(20[0-9]{2})-/g)].map(
      ([, year]) => `${file} ${year}`,
    ),
  );
  t.true(expiries.length >= 14);
  t.deepEqual(
    expiries.filter((each) => !each.endsWith(' 2099')),
    [],
  );
});

test('the action of a recipe has the shape that is recorded', (t) => {
  const [action = ''] = blocks('json');
  t.true(Compile(ReportedAction).Check(JSON.parse(action)));
});
