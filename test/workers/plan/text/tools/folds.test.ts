import test from 'ava';
import { readPlan } from '../../../../../workers/plan/read/read-plan.ts';
import { readCatalogueTool } from '../../../../../workers/plan/read/read-tool.ts';
import { compilePlan } from '../../../../../workers/plan/text/compile-plan.ts';
import { compileTools } from '../../../../../workers/plan/text/tools/compile-tools.ts';
import { refuses } from '../../../verdict/thrown.ts';

const toolWith = ({ to = 'string(64)', id = 'string(64)', state = 'string(64)' }) =>
  compileTools(`tools:
  mail.send@1.0.0:
    effect: write
    args: { to: "${to}" }
    responds: { id: "${id}" }
    state: { last: "${state}" }
`);

const planWith = ({ row = 'a@b.org', given = 'string(64)' }) =>
  compilePlan(
    `plan: P
expires: 2026-12-05T00:00:00Z
given: { name: { type: "${given}", value: x } }
tables: { out: { key: email, columns: { email: "string(64, email)" }, rows: [{ email: "${row}" }] } }
tools: { look@1.0.0: { args: { to: "string(64, trimmed)" } } }
steps: { look: { tool: look@1.0.0, times: 1, where: "!(args.to in out) && name == name" } }
rules: {}
`,
    { tools: [], tables: new Map() },
  );

const OUT = { type: 'string', max: 64, fold: 'email' };

test('an argument and a column may have a fold, which the engine reads too', (t) => {
  const { tools } = toolWith({ to: 'string(64, email)' });
  t.deepEqual(tools?.[0]?.args, { to: OUT });
  t.deepEqual(readCatalogueTool(tools?.[0]).args.get('to'), OUT);
  t.throws(() => readCatalogueTool({ ...tools?.[0], args: { to: { ...OUT, fold: 'dots' } } }), {
    message: 'is not one of trimmed, email',
  });
  t.deepEqual(readPlan(planWith({}).plan).tables.get('out')?.columns.get('email'), OUT);
});

test('a row that is not folded is a fault, in the text and in the plan', (t) => {
  const [fault] = planWith({ row: 'A@b.org' }).faults ?? [];
  t.is(fault?.code, 'NOT_FOLDED');
  t.true(fault?.message.includes('write "a@b.org"'), fault?.message);
  const out = { key: ['email'], columns: { email: OUT }, inline: [{ email: 'A@b.org' }] };
  refuses(t, () => readPlan({ ...planWith({}).plan, tables: { out } }), 'NOT_FOLDED', '/tables/out/inline/0/email');
});

test('what is reported, computed or given has no fold', (t) => {
  t.is(toolWith({ id: 'string(64, trimmed)' }).faults?.[0]?.code, 'MALFORMED_TYPE');
  t.is(toolWith({ state: 'string(64, trimmed)' }).faults?.[0]?.code, 'MALFORMED_TYPE');
  t.is(planWith({ given: 'string(64, trimmed)' }).faults?.[0]?.code, 'MALFORMED_TYPE');
  t.is(toolWith({ to: 'string(64, lower)' }).faults?.[0]?.code, 'MALFORMED_TYPE');
  const responds = { id: { type: 'string', max: 64, at: '/id', fold: 'trimmed' } };
  t.like(
    t.throws(() => readCatalogueTool({ ...toolWith({}).tools?.[0], responds })),
    { path: '/responds/id/fold' },
  );
});
