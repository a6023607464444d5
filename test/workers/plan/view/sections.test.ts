import { createHash } from 'node:crypto';
import test from 'ava';
import { readWholePlan } from '../../../../scripts/cli/tollhouse/plans/plan-input.ts';
import type { PlanDocument } from '../../../../workers/exact/plan-schema.ts';
import type { SheetDocument } from '../../../../workers/exact/sheet-schema.ts';
import { hashPlan } from '../../../../workers/plan/view/view-plan.ts';
import { setAt } from '../../../kit/set-at.ts';
import { APPROVED_TABLE, EXAMPLE_NAMES, examplePath, planOf, planText, TOOLS } from '../../../models/plan-texts.ts';
import { viewOf } from '../../../models/view.ts';

const CONTEXT = { hash: 'a'.repeat(64), tools: TOOLS, tables: [APPROVED_TABLE], sheets: [], lint: [] };
const PLAN = planOf(planText(['once: unique(pay, p, p.invoice)', 'sums: sum(pay, p, p.amount) <= cap']));

function linesOf(plan: PlanDocument, context: Partial<Parameters<typeof viewOf>[1]> = {}): readonly string[] {
  return viewOf(plan, { ...CONTEXT, ...context }).split('\n');
}

function changed(...changes: readonly (readonly [path: readonly (string | number)[], value: unknown])[]): PlanDocument {
  const plan = structuredClone(PLAN);
  for (const [path, value] of changes) setAt(plan, path, value);
  return plan;
}

const SHEET: SheetDocument = {
  sheet_format: 1,
  name: 'cap',
  version: '1.0.0',
  title: 'No more than a cap',
  variables: { amount: { type: 'decimal', scale: 2 }, cap: { type: 'decimal', scale: 2 } },
  constraints: [
    { id: 'within', expr: ['<=', ['var', 'amount'], ['var', 'cap']] },
    { id: 'positive', expr: ['>', ['var', 'amount'], ['dec', '0.00']] },
  ],
};
const USE = {
  name: 'cap',
  version: '1.0.0',
  sha256: '0'.repeat(64),
  scope: 'each:pay',
  bind: { amount: ['arg', 'amount'], cap: ['var', 'cap'] },
};

test('a view has every rule of a sheet, what its values are, and what it is for', (t) => {
  const lines = linesOf(changed([['sheets'], [USE]]), { sheets: [SHEET] });
  const from = lines.indexOf(`- the sheet \`cap@1.0.0\` (SHA-256 \`${USE.sha256}\`) for each action of \`pay\`:`);
  t.deepEqual(lines.slice(from + 1, from + 5), [
    '  - its `amount` is `args.amount`',
    '  - its `cap` is `cap` (`25.00`)',
    '  - `amount` is at most `cap`',
    '  - `amount` is above `0.00`',
  ]);
  const unknown = linesOf(changed([['sheets'], [{ ...USE, scope: 'plan' }]]));
  t.true(unknown.some((line) => line.endsWith(' for the run:')));
  t.true(unknown.includes('  - **its rules are not available here**'));
});

const FINANCE = ['approved_by', 'finance'];
const PAY = PLAN.steps.findIndex(({ step_id }) => step_id === 'pay');
const MAIL = PLAN.steps.findIndex(({ step_id }) => step_id === 'mail');
const rule = (expr: unknown) => [{ id: 'r', expr }];
const toolOf = (changes: object) => ({
  ...TOOLS.find(({ name }) => name === 'look'),
  name: 'own',
  ...changes,
});

/** Every place in which a plan can depend on an approver or on a reported time. */
const PLACES: readonly (readonly [
  where: string,
  path: readonly (string | number)[],
  value: (expr: unknown) => unknown,
])[] = [
  ['a rule', ['constraints'], rule],
  ['a condition', ['steps', PAY, 'where'], rule],
  ['an effect', ['steps', MAIL, 'effects', 'left'], (expr) => ['ite', expr, ['dec', '1.00'], ['dec', '2.00']]],
  [
    'an effect on a map',
    ['steps', MAIL, 'effects', 'sent'],
    (expr) => [{ key: ['arg', 'to'], value: ['ite', expr, 1, 2] }],
  ],
  ['the key of an effect', ['steps', MAIL, 'effects', 'sent'], (expr) => [{ key: ['ite', expr, 1, 2], value: 1 }]],
  ['a binding of a sheet', ['sheets'], (expr) => [{ ...USE, bind: { amount: ['ite', expr, 1, 2] } }]],
  ['an effect that is no choice', ['steps', MAIL, 'effects', 'left'], (expr) => expr],
  ['a whole binding of a sheet', ['sheets'], (expr) => [{ ...USE, bind: { amount: expr } }]],
  ['a condition of a response', ['tools', 0], (expr) => toolOf({ post: rule(expr) })],
  ['an effect of a tool', ['tools', 0], (expr) => toolOf({ effects: { left: ['ite', expr, 1, 2] } })],
];

const hasLine = (lines: readonly string[], text: string) => lines.some((line) => line.includes(text));
const TIMES = 'Times of actions are reported by the agent';

for (const [where, path, value] of PLACES) {
  test(`a view says whom ${where} asks about, and that a time in it is only reported`, (t) => {
    const about = 'Rules ask about approvers of `finance`.';
    t.true(hasLine(linesOf(changed([path, value(FINANCE)])), about));
    t.true(hasLine(linesOf(changed([path, value(['<', ['started'], ['run', 'approved_at']])])), TIMES));
    t.true(hasLine(linesOf(changed([path, value(['<', ['ended'], ['run', 'approved_at']])])), TIMES));
    t.false(hasLine(linesOf(changed([path, value(['bool', true])])), about));
    t.false(hasLine(linesOf(changed([path, value(['bool', true])])), TIMES));
  });
}

test('a view says that a time with which evidence is compared is only reported', (t) => {
  const bind = rule(['<', ['ended'], ['ev', 'at']]);
  t.true(hasLine(linesOf(changed([['steps', PAY, 'evidence', 0, 'binds'], bind])), TIMES));
});

/** A change of a part of the plan before, and the beginning of the line that names it. */
const CHANGES: readonly (readonly [path: readonly (string | number)[], value: unknown, line: string])[] = [
  [['title'], 'B', '- the title was `A plan`, and is `B`'],
  [['expires_at'], '2027-01-01T00:00:00.000000Z', '- the expiry was `2026-12-05T00:00:00.000000Z`, and is `2027'],
  [['max_executions'], 4, '- the number of runs was `1`, and is `4`'],
  [['approvals'], 2, '- the number of approvals was `1`, and is `2`'],
  [['variables', 'cap'], undefined, '- the given value `cap` is **gone**: `decimal(2)` `25.00`'],
  [['tables', 'approved', 'sha256'], '0'.repeat(64), '- the table `approved` changed, from: 2 rows, SHA-256'],
  [['tools', 0, 'sha256'], '0'.repeat(64), '- the tool `'],
  [['constraints'], [], '- the rule `once` is **gone**: no two `pay` actions'],
  [['steps', PAY, 'max'], 9, '- the step `pay` changed, from: 0 to 10 times, by'],
  [['steps', PAY, 'min'], 1, '- the step `pay` changed, from: 0 to 10 times, by'],
  [
    ['steps', PAY, 'overlaps'],
    ['pay', 'look'],
    '- the overlap of `pay`, `look` is **new**: **at the same time as** actions of `look`, although they share a state',
  ],
  [['steps', MAIL, 'effects'], {}, '- the effect of `mail`, `sent` is **gone**'],
  [
    ['steps', PAY, 'evidence'],
    [],
    '- the evidence of `pay`, `receipt` is **gone**: exactly once, where `evidence.id` is `response.id`',
  ],
  [['steps', PAY, 'evidence', 0, 'min'], 0, '- the evidence of `pay`, `receipt` changed, from: exactly once, where'],
  [['steps', PAY, 'evidence', 0, 'binds'], [], '- the evidence of `pay`, `receipt` changed, from: exactly once, where'],
  [
    ['steps', PAY, 'evidence', 0, 'max_bytes'],
    9,
    '- the evidence of `pay`, `receipt` changed, from: exactly once, where',
  ],
  [
    ['steps', PAY, 'evidence', 0, 'reads', 'id', 'at'],
    '/other',
    '- the evidence of `pay`, `receipt` changed, from: exactly once, where `evidence.id` is `response.id`, it reads `id` `string(64)` at `/id`, `application/json` of at most 65536 bytes — to: exactly once, where `evidence.id` is `response.id`, it reads `id` `string(64)` at `/other`',
  ],
  [['sheets'], [USE], '- the sheet `cap@1.0.0 each:pay 1` is **new**'],
];

for (const [path, value, line] of CHANGES) {
  test(`a change of /${path.join('/')} to ${JSON.stringify(value)} is among the differences from the plan before`, (t) => {
    const lines = linesOf(changed([path, value]), { predecessor: PLAN });
    t.true(
      lines.some((one) => one.startsWith(line)),
      lines.slice(lines.indexOf('## Differences from the plan before')).join('\n'),
    );
  });
}

const ROW = (number: number) => ({ a: `P${number}`, b: String(number), c: true });
const tabled = (rows: readonly object[]) => changed([['tables', 'pairs', 'inline'], rows]);

test('every row of a table in the plan is shown, and every row that differs from the plan before', (t) => {
  const rows = Array.from({ length: 60 }, (_, index) => ROW(index));
  const last = { a: 'P59', b: '59', c: false };
  const lines = linesOf(tabled([...rows.slice(1, -1), last, ROW(60)]), { predecessor: tabled(rows) });
  for (let number = 1; number <= 58; number += 1)
    t.true(lines.includes(`  - \`a\` \`P${number}\`, \`b\` \`${number}\`, \`c\` \`true\``));
  const from = lines.indexOf('- in the table `pairs`, 3 rows differ:');
  t.deepEqual(lines.slice(from + 1, from + 4), [
    '  - **gone**: `a` `P0`, `b` `0`, `c` `true`',
    '  - changed, from: `a` `P59`, `b` `59`, `c` `true` — to: `a` `P59`, `b` `59`, `c` `false`',
    '  - **new**: `a` `P60`, `b` `60`, `c` `true`',
  ]);
});

test('the changed rows of a stored table are named, if both tables are here', (t) => {
  const textOf = (amounts: readonly string[]) =>
    amounts.map((amount, index) => `{"invoice":"I${index}","amount":"${amount}","payee":"P"}\n`).join('');
  const amounts = Array.from({ length: 50 }, (_, index) => `${index}.00`);
  const stored = (text: string) => {
    const sha256 = createHash('sha256').update(text).digest('hex');
    const plan = changed([['tables', 'approved', 'rows'], 50], [['tables', 'approved', 'sha256'], sha256]);
    return { plan, table: { text, sha256 } };
  };
  const [old, now] = [stored(textOf(amounts)), stored(textOf(amounts.with(3, '9000.00')))];
  const lines = linesOf(now.plan, { predecessor: old.plan, tables: [old.table, now.table] });
  t.true(
    lines.includes(
      '  - changed, from: `invoice` `I3`, `amount` `3.00`, `payee` `P` — to: `invoice` `I3`, `amount` `9000.00`, `payee` `P`',
    ),
  );
  const unknown = linesOf(now.plan, { predecessor: old.plan, tables: [now.table] });
  t.true(unknown.includes('- **which rows of `approved` changed is not known here**'));
});

for (const example of EXAMPLE_NAMES) {
  test(`the view of ${example} says in at most 200 words what its approver must know`, (t) => {
    const { plan, document, ...input } = readWholePlan(examplePath(`${example}.yaml`), {
      tools: examplePath('tools.yaml'),
    });
    const view = viewOf(plan, { ...input, hash: hashPlan(document), lint: [] });
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
