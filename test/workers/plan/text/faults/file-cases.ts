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
  [`${line()}\n\n`, /^MALFORMED_TABLE list\.jsonl is malformed in line 2: not JSON: it ends early, at character 1$/],
  [`\ufeff${line()}`, /in line 1: not JSON: leave out the byte order mark/],
  ['[1]', /^MALFORMED_TABLE list\.jsonl is malformed in line 1: is not an object$/],
  ['null', /in line 1: is not an object$/],
  ['3', /in line 1: is not an object$/],
  [line({ idd: 'x' }), /in line 1: idd is not a column of the table$/],
  [JSON.stringify({ id: 'A' }), /in line 1: n is missing$/],
  [line({ b: 'true' }), /in line 1: b is neither true nor false$/],
  [line({ id: 3 }), /in line 1: id is not a string$/],
  [line({ d: 1.5 }), /in line 1: d is not a number in a string$/],
  [line({ n: true }), /in line 1: n is not a number$/],
  [line({ d: '1.5' }), /in line 1: d does not have exactly 2 decimals$/],
  [line({ at: '2026-12-01T08:00:00Z' }), /in line 1: at is not a time such as 2026-12-05T00:00:00\.000000Z$/],
  [line({ d: '1.505' }), /in line 1: d does not have exactly 2 decimals$/],
  [line({ n: 1.5 }), /in line 1: n has more than 0 decimals$/],
  [`${line()}\n${line({ id: 'B' })}\n${line()}`, /^DUPLICATE_KEY list\.jsonl has in line 3 the key of an earlier row$/],
];
