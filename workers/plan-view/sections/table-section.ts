import type { PlanDocument } from '../../exact/plan-schema.ts';
import { descending, describeAmount, toAmount, ZERO } from '../bounds/amount.ts';
import { columnTotal } from '../bounds/bound-number.ts';
import { code, listed, plural } from '../markdown/escape.ts';
import { fieldsOf, type PlanParts, type Row } from '../parts/plan-parts.ts';
import { typeInWords } from '../words/type-words.ts';

/** Rows of a stored table that are shown. Those of a table that is written in the plan are shown all. */
const SHOWN = 20;

/** The tables of a plan: columns, number of rows, hash, totals and rows, the largest ones of a long table. */
export function tableLines(parts: PlanParts): readonly string[] {
  return Object.entries(parts.plan.tables).flatMap(([name, table]) => {
    const rows = parts.rows.get(name);
    const columns = Object.entries(table.columns).map(([column, type]) => `${code(column)} ${typeInWords(type)}`);
    const count = 'inline' in table ? table.inline.length : table.rows;
    const content = 'inline' in table ? 'written in the plan' : `SHA-256 ${code(table.sha256)}`;
    return [
      `- ${code(name)}: ${plural(count, 'row')}, by ${listed(table.key.map(code))}, ${content}`,
      `  - columns: ${listed(columns)}`,
      ...(rows === undefined ? ['  - **its rows are not available here**'] : rowLines(table, rows)),
    ];
  });
}

function rowLines(table: PlanDocument['tables'][string], rows: readonly Row[]): readonly string[] {
  const totals = Object.entries(table.columns).flatMap(([column, type]) => {
    if (!isNumber(type)) return [];
    const sum = columnTotal(rows, column);
    return sum === undefined ? [] : [`  - total of ${code(column)}: ${describeAmount(sum)}`];
  });
  const columns = Object.keys(table.columns);
  if ('inline' in table || rows.length <= SHOWN) return [...totals, ...rows.map((row) => `  - ${cells(row, columns)}`)];
  const column = Object.entries(table.columns).find(([, type]) => isNumber(type))?.[0];
  const size = (row: Row) => (column === undefined ? ZERO : (toAmount(row[column]) ?? ZERO));
  const largest = rows.toSorted((one, other) => descending(size(one), size(other))).slice(0, SHOWN);
  return [
    ...totals,
    ...largest.map((row) => `  - ${cells(row, columns)}`),
    `  - … and ${plural(rows.length - SHOWN, 'more row')}${column === undefined ? '' : `, with the same or less in ${code(column)}`}: all are in ${code(`GET /api/v1/tables/${table.sha256}`)}`,
  ];
}

const isNumber = (type: unknown): boolean => ['int', 'decimal'].includes(String(fieldsOf(type).get('type')));

export const cells = (row: Row, columns: readonly string[]): string =>
  columns.map((column) => `${code(column)} ${code(String(row[column]))}`).join(', ');
