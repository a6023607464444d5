import { createHash } from 'node:crypto';
import test from 'ava';
import { compilePlan } from '../../../../../workers/plan/text/compile-plan.ts';
import { toolsIn } from '../../../../models/plan-texts.ts';
import { rowsOf } from '../../../../models/trees.ts';
import { viewOf } from '../../../../models/view.ts';

const TOOLS = toolsIn(
  'tools:\n  ask@1.0.0: { args: { q: string(8), r: string(8), s: string(8) }, responds: { ok: bool } }\n',
);
const SHA = 'SHA-256 `…`';

/** A view of a plan with a table `t`, as YAML, of a file if it has none of its own rows. */
function view(table: string, { rows = [], where = 'true' }: { rows?: readonly object[]; where?: string } = {}) {
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const yaml = `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
tables: { t: ${table} }
steps: { ask: { tool: ask@1, times: 0..9, where: ${JSON.stringify(where)} } }
`;
  const { plan, faults } = compilePlan(yaml, { tools: TOOLS, tables: new Map([['t.jsonl', text]]) });
  if (plan === undefined) throw new Error(JSON.stringify(faults));
  const tables = [
    { text: 'x', sha256: '0'.repeat(64) },
    { text, sha256: createHash('sha256').update(text).digest('hex') },
  ];
  return viewOf(plan, { tools: TOOLS, tables }).replaceAll(/[0-9a-f]{64}/g, '…');
}
const linesOf = (...args: Parameters<typeof view>) =>
  (view(...args).split('### Tables\n\n')[1] ?? '').trimEnd().split('\n');

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ k: `k${index}`, n: String((index * 7) % count), m: '-1.50' }));
const FILE = '{ file: t.jsonl, key: k, columns: { k: string(8), n: int, m: decimal(2) } }';
const line = ({ k, n, m }: { k: string; n: string; m: string }) => `  - \`k\` \`${k}\`, \`n\` \`${n}\`, \`m\` \`${m}\``;

test('a stored table is shown whole up to 20 rows, and beyond by its largest rows', (t) => {
  for (const count of [0, 1, 2, 20]) {
    t.deepEqual(linesOf(FILE, { rows: numbered(count) }), [
      `- \`t\`: ${count} row${count === 1 ? '' : 's'}, by \`k\`, ${SHA}`,
      '  - columns: `k` `string(8)`, `n` `int` and `m` `decimal(2)`',
      `  - total of \`n\`: ${(count * (count - 1)) / 2}`,
      `  - total of \`m\`: ${count === 0 ? '' : '-'}${(count * 1.5).toFixed(2)}`,
      ...numbered(count).map(line),
    ]);
  }
  for (const count of [21, 23]) {
    const rows = numbered(count);
    const lines = linesOf(FILE, { rows });
    t.deepEqual(
      lines.slice(4, 24),
      rows
        .toSorted((one, other) => Number(other.n) - Number(one.n))
        .slice(0, 20)
        .map(line),
    );
    t.deepEqual(lines.slice(24), [
      `  - … and ${count - 20} more row${count === 21 ? '' : 's'}, with the same or less in \`n\`: all are in \`GET /api/v1/tables/…\``,
    ]);
  }
});

test('a long table without numbers is shown by its first rows', (t) => {
  const rows = Array.from({ length: 22 }, (_, index) => ({ k: `k${index}`, w: `${99 - index}` }));
  const lines = linesOf('{ file: t.jsonl, key: [k, w], columns: { k: string(8), w: string(8) } }', { rows });
  t.deepEqual(lines, [
    `- \`t\`: 22 rows, by \`k\` and \`w\`, ${SHA}`,
    '  - columns: `k` `string(8)` and `w` `string(8)`',
    ...rows.slice(0, 20).map(({ k, w }) => `  - \`k\` \`${k}\`, \`w\` \`${w}\``),
    '  - … and 2 more rows: all are in `GET /api/v1/tables/…`',
  ]);
});

const PEOPLE = (count: number) =>
  `{ key: [k, l], columns: { k: string(8), l: string(8), v: string(8) }, rows: [${Array.from({ length: count }, (_, index) => `{ k: k${index}, l: l0, v: v${index} }`).join(', ')}] }`;

test('every row of a table in the plan is shown', (t) => {
  const lines = Array.from({ length: 60 }, (_, index) => `  - \`k\` \`k${index}\`, \`l\` \`l0\`, \`v\` \`v${index}\``);
  t.deepEqual(linesOf(PEOPLE(60)).slice(2), lines);
});

const NONE = ['q', 'r', 's'].map((name) => `t.exists(r, args.${name} == "z")`).join(' && ');
/** How many rows the table has, conditions, and what is said of the arguments, in which ' is a backtick. */
const TIED = `
1: args.q == "a" ⇒ 'q': 'a'
2: args.q == t[[args.r, args.s]].v ⇒ 'q': by 'r' and 's' in 't': 'v0' or 'v1' | 'r': 'k0' or 'k1' | 's': 'l0'
2: args.q == t[[args.r, "l0"]].v ⇒ 'q': 'v0' or 'v1' | 'r': 'k0' or 'k1'
1: t[[args.r, args.s]].v == args.q && args.q != "x" ⇒ 'q': by 'r' and 's' in 't': 'v0' | 'r': 'k0' | 's': 'l0'
2: args.q == t[["k0", "l0"]].v ⇒ 'q': 'v0' or 'v1'
5: [args.q, args.r] in t ⇒ 'q': 'k0', 'k1', 'k2', 'k3' or 'k4' | 'r': 'l0'
6: [args.q, args.r] in t ⇒ 'q': one of 6 values | 'r': 'l0'
0: [args.q, args.r] in t ⇒ 'q': nothing | 'r': nothing
1: ${NONE} ⇒
`;

test('the values to which conditions tie the arguments are listed, if they are few', (t) => {
  for (const [given, said] of rowsOf(TIED)) {
    const [, count, where = ''] = /^(\d): (.*)$/.exec(given) ?? [];
    const shown = view(PEOPLE(Number(count)), { where });
    const [head = '', ...listed] = (shown.split('## What the agent may do\n\n')[1]?.split('\n\n')[0] ?? '').split('\n');
    t.is(listed.join('\n'), said && `  - ${said.replaceAll("'", '`').replaceAll(' | ', '\n  - ')}`, where);
    // What is not listed is left out for a step that only reads.
    if (said === '') t.true(head.endsWith(' by `ask@1.0.0`'), head);
  }
});
