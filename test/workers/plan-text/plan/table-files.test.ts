import test from 'ava';
import { MAX_TABLE_BYTES, MAX_TABLE_ROWS } from '../../../../workers/exact/plan-schema.ts';
import { compilePlan } from '../../../../workers/plan-text/compile-plan.ts';
import { TOOLS } from '../../../models/plan-texts.ts';

const compile = (file: string, columns = 'id: string(8), n: int, d: decimal(2), b: bool, at: time') =>
  compilePlan(
    `plan: P
expires: 2026-12-05T00:00:00Z
tables: { list: { file: list.jsonl, key: id, columns: { ${columns} } } }
steps: { look: { tool: look@1, times: 1 } }
`,
    { tools: TOOLS, tables: new Map([['list.jsonl', file]]) },
  );
const faultsOf = (file: string, columns?: string) =>
  compile(file, columns).faults?.map(({ code, message }) => `${code} ${message}`);

const ROW = { id: 'A', n: '-3', d: '1.50', b: false, at: '2026-12-01T08:00:00.000000Z' };
const line = (change: object = {}) => JSON.stringify({ ...ROW, ...change });

test('the rows of a file are counted, with or without a line break at its end', (t) => {
  for (const [file, rows] of [
    ['', 0],
    [line(), 1],
    [`${line()}\n`, 1],
    [`${line()}\n${line({ id: 'B', n: 7, b: true })}\n`, 2],
  ] as const) {
    t.like(compile(file).plan?.tables['list'], { rows });
  }
});

/** A file, and the fault that its plan has. */
const FAULTS: readonly (readonly [file: string, fault: RegExp])[] = [
  [`${line()}\n\n`, /^MALFORMED_TABLE list\.jsonl, line 2: this is not a JSON object on one line/],
  ['[1]', /^MALFORMED_TABLE list\.jsonl, line 1: this is not an object$/],
  ['null', /this is not an object$/],
  ['3', /this is not an object$/],
  [line({ idd: 'x' }), /line 1: "idd" is not a column\. Did you mean id\?$/],
  [JSON.stringify({ id: 'A' }), /line 1: n is missing$/],
  [line({ b: 'true' }), /line 1: b: write true or false$/],
  [line({ id: 3 }), /line 1: id: write the value in quotes: "3"$/],
  [line({ d: 1.5 }), /line 1: d: write the value in quotes: "1\.5"$/],
  [line({ n: true }), /line 1: n: write the value in quotes: "true"$/],
  [line({ d: '1.5' }), /line 1: d: write "1\.50", with all its digits$/],
  [line({ at: '2026-12-01T08:00:00Z' }), /line 1: at: write "2026-12-01T08:00:00\.000000Z"/],
  [line({ d: '1.505' }), /line 1: d: "1\.505" has 3 decimals/],
  [line({ n: 1.5 }), /line 1: n: "1\.5" has 1 decimals/],
  [
    `${line()}\n${line({ id: 'B' })}\n${line()}`,
    /^DUPLICATE_KEY list\.jsonl, line 3: the key .*A.* occurs in an earlier row$/,
  ],
];

test('a row that is not of its columns is named with its line', (t) => {
  for (const [file, fault] of FAULTS) {
    const faults = faultsOf(file);
    t.is(faults?.length, 1, file);
    t.regex(String(faults?.[0]), fault);
  }
});

test('five rows of a file are named, and no more', (t) => {
  t.is(faultsOf('x\n'.repeat(9))?.length, 5);
  t.is(faultsOf(`${line()}\n${'x\n'.repeat(4)}`)?.length, 4);
});

test('a file has a limited number of rows and bytes', (t) => {
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `{"id":"${index}"}\n`).join('');
  t.is(faultsOf(lines(MAX_TABLE_ROWS), 'id: string(8)'), undefined);
  t.deepEqual(faultsOf(lines(MAX_TABLE_ROWS + 1), 'id: string(8)'), ['TOO_LARGE list.jsonl has more than 100000 rows']);
  const padded = (bytes: number) => `${' '.repeat(bytes - '{"id":"é"}'.length - 1)}{"id":"é"}`;
  t.is(faultsOf(padded(MAX_TABLE_BYTES), 'id: string(8)'), undefined);
  t.deepEqual(faultsOf(padded(MAX_TABLE_BYTES + 1), 'id: string(8)'), [
    'TOO_LARGE list.jsonl has more than 16777216 bytes',
  ]);
});
