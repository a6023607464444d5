import { compilePlan } from '../../../../../workers/plan/text/compile-plan.ts';
import { TOOLS } from '../../../../models/plan-texts.ts';

/** A plan with the table that a file has. */
export const compileFile = (file: string, columns = 'id: string(8), n: int, d: decimal(2), b: bool, at: time') =>
  compilePlan(
    `plan: P
expires: 2026-12-05T00:00:00Z
tables: { list: { file: list.jsonl, key: id, columns: { ${columns} } } }
steps: { look: { tool: look@1, times: 1 } }
`,
    { tools: TOOLS, tables: new Map([['list.jsonl', file]]) },
  );

const ROW = { id: 'A', n: '-3', d: '1.50', b: false, at: '2026-12-01T08:00:00.000000Z' };
/** A row of the file. */
export const line = (change: object = {}) => JSON.stringify({ ...ROW, ...change });

/** A file, and the fault that its plan has. */
export const FILE_FAULTS: readonly (readonly [file: string, fault: RegExp])[] = [
  [`${line()}\n\n`, /^MALFORMED_TABLE list\.jsonl, line 2: this is not a JSON object on one line/],
  [`\ufeff${line()}`, /line 1: this is not a JSON object on one line: .* leave out the byte order mark/],
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
