import { defined } from '../../../exact/defined.ts';
import type { TableDocument } from '../../../exact/plan-schema.ts';
import { columnTotal } from '../../bounds/numbers.ts';
import { scaleOf } from '../../language/types.ts';
import type { Table, TableRow } from '../../plan.ts';
import type { ViewedPlan } from '../parts/viewed-plan.ts';
import { describeAmount, valueInWords } from '../words/amount.ts';
import { code, listed, plural } from '../words/escape.ts';
import { typeInWords } from '../words/type-words.ts';

/** Rows of a stored table that are shown. Those of a table that is written in the plan are shown all. */
const SHOWN = 20;

/** The tables of a plan: columns, number of rows, hash, totals and rows, the largest ones of a long table. */
export function tableLines({ plan, document }: ViewedPlan): readonly string[] {
  return Object.entries(document.tables).flatMap(([name, json]) => {
    const table = defined(plan.tables.get(name));
    const columns = Object.entries(json.columns).map(([column, type]) => `${code(column)} ${typeInWords(type)}`);
    const content = 'inline' in json ? 'written in the plan' : `SHA-256 ${code(json.sha256)}`;
    return [
      `- ${code(name)}: ${plural(table.rows.length, 'row')}, by ${listed(table.key.map(code))}, ${content}`,
      `  - columns: ${listed(columns)}`,
      ...rowLines(table, json),
    ];
  });
}

function rowLines(table: Table, json: TableDocument): readonly string[] {
  const { rows, columns, positions } = table;
  const numbers = [...columns].filter(([, { type }]) => type === 'int' || type === 'decimal');
  const totals = numbers.map(([column, type]) => {
    return `  - total of ${code(column)}: ${describeAmount(columnTotal(table, column), scaleOf(type))}`;
  });
  const shown = (row: TableRow) => `  - ${cells(table, row)}`;
  if ('inline' in json || rows.length <= SHOWN) return [...totals, ...rows.map(shown)];
  const column = numbers[0]?.[0];
  const position = column === undefined ? undefined : defined(positions.get(column));
  const sizeOf = (row: TableRow) => (position === undefined ? 0n : BigInt(defined(row[position])));
  const largest = rows.toSorted((one, other) =>
    sizeOf(one) > sizeOf(other) ? -1 : sizeOf(one) < sizeOf(other) ? 1 : 0,
  );
  return [
    ...totals,
    ...largest.slice(0, SHOWN).map(shown),
    `  - … and ${plural(rows.length - SHOWN, 'more row')}${column === undefined ? '' : `, with the same or less in ${code(column)}`}: all are in ${code(`GET /api/v1/tables/${json.sha256}`)}`,
  ];
}

const cells = ({ columns }: Table, row: TableRow): string =>
  Array.from(columns, ([column, type], index) => `${code(column)} ${valueInWords(defined(row[index]), type)}`).join(
    ', ',
  );
