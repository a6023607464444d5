import { globSync, readFileSync } from 'node:fs';
import test from 'ava';
import { Compile } from 'typebox/schema';
import { ReportedAction } from '../../workers/exact/action-schema.ts';
import { compilePlan } from '../../workers/plan/text/compile-plan.ts';
import { checkPlan } from '../../workers/verdict/check/check-plan.ts';
import { DEFAULT_RLIMIT } from '../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../models/open-z3.ts';
import { readExample, textsOf, toolsIn } from '../models/plan-texts.ts';

const FOLDER = new URL('../../docs/verified-execution/', import.meta.url);
const RECIPES = readFileSync(new URL('recipes.md', FOLDER), 'utf8');
const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const tools = toolsIn(readExample('tools.yaml'));
const blocks = (language: string) =>
  [...RECIPES.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text);

for (const text of blocks('yaml')) {
  test(`the recipe "${/^plan: (.*)/.exec(text)?.[1]}" compiles, and some run obeys it`, (t) => {
    const { plan, faults } = compilePlan(text, { tools, sheets: [], tables: new Map() });
    t.is(faults, undefined, JSON.stringify(faults));
    const { judgement, lint } = checkPlan(plan, by, { tools: textsOf(tools), tables: [] });
    t.is(judgement.verdict, 'satisfied');
    t.false(lint.some(({ code }) => code === 'UNUSED'));
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
