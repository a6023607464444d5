import type { PlanDocument } from '../../exact/plan-schema.ts';
import { describeAmount } from '../bounds/amount.ts';
import { columnTotal } from '../bounds/bound-number.ts';
import { code, listed, plural } from '../markdown/escape.ts';
import type { PlanParts, Row } from '../parts/plan-parts.ts';
import { fieldsOf } from '../parts/plan-parts.ts';
import { typeInWords } from '../words/type-words.ts';

const SHOWN = 5;

/** The tables of a plan: columns, number of rows, hash, totals and the first rows. */
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
    if (fieldsOf(type).get('type') !== 'decimal') return [];
    const sum = columnTotal(rows, column);
    return sum === undefined ? [] : [`  - total of ${code(column)}: ${describeAmount(sum)}`];
  });
  const shown = rows.slice(0, SHOWN).map((row) => `  - ${cells(row, Object.keys(table.columns))}`);
  const left = rows.length - shown.length;
  return [...totals, ...shown, ...(left > 0 ? [`  - … and ${plural(left, 'more row')}`] : [])];
}

const cells = (row: Row, columns: readonly string[]): string =>
  columns.map((column) => `${code(column)} ${code(String(row[column]))}`).join(', ');
