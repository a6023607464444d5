import { defined } from '../../../exact/defined.ts';
import type { PaidRows, PayeeArgument } from '../../bounds/payees.ts';
import { spokenPart } from '../../language/parts.ts';
import type { Value } from '../../language/values.ts';
import { valueInWords } from '../words/amount.ts';
import { code, listed, plural } from '../words/escape.ts';
import { sumInWords, type Tally, tallied } from './payee-tally.ts';

/** Columns that are compared with each other. */
const MAX_COLUMNS = 12;
/** Other values that a line about one payee shows. */
const MAX_OTHERS = 3;

/** Rows of a table, and the arguments of which values are shown. */
export interface NamingRows {
  readonly rows: PaidRows;
  readonly columns: PaidRows['columns'];
}

/** Two columns of a table, of which the second differs among rows with one value of the first. */
interface Relation {
  readonly of: Numbered;
  readonly column: Numbered;
  /** Numbers of the values of the first. */
  readonly differing: ReadonlySet<number>;
  readonly rows: PaidRows;
}

/** A column with a number for each of its values: comparing numbers takes a tenth of the time. */
interface Numbered extends PayeeArgument {
  readonly ids: Int32Array;
  readonly count: number;
}

function numbered(column: PayeeArgument): Numbered {
  const numbers = new Map<Value, number>();
  const ids = Int32Array.from(column.values, (value) => {
    const id = numbers.get(value) ?? numbers.size;
    numbers.set(value, id);
    return id;
  });
  return { ...column, ids, count: numbers.size };
}

/** Where few payees differ, it is more likely an oversight than where most do: those come first. */
const relationsOf = (tables: readonly NamingRows[]): readonly Relation[] =>
  tables
    .flatMap(({ rows, columns: all }) => {
      const columns = all
        .filter(({ isKey }) => !isKey)
        .slice(0, MAX_COLUMNS)
        .map(numbered);
      return columns.flatMap((of) =>
        columns.flatMap((column) => {
          const differing = of === column ? new Set<number>() : valuesThatDiffer(of, column);
          return differing.size === 0 ? [] : [{ of, column, differing, rows }];
        }),
      );
    })
    .toSorted((one, other) => one.differing.size - other.differing.size);

/** "`iban` of `supplier` `Acme`: `DE1` (9 rows), **`DE2` (1 row)**", those with the fewest other rows first. */
function relationInWords({ of, column, differing, rows }: Relation, most: number, scale: number): readonly string[] {
  const groups = new Map<number, number[]>();
  for (const [index, id] of of.ids.entries()) {
    if (!differing.has(id)) continue;
    const group = groups.get(id) ?? [];
    groups.set(id, group);
    group.push(index);
  }
  const words = ([value, tally]: readonly [Value, Tally]) =>
    `${valueInWords(value, column.type)} (${sumInWords(tally)})`;
  return Array.from(groups.values(), (indices) => {
    const value = defined(of.values[defined(indices[0])]);
    const values = indices.map((index) => defined(column.values[index]));
    const money = indices.map((index) => rows.money[index]);
    const [first, ...others] = [...tallied(values, money, scale)].toSorted(([, one], [, next]) => next.rows - one.rows);
    return { value, first: defined(first), others, left: indices.length - defined(first)[1].rows };
  })
    .toSorted((one, next) => one.left - next.left)
    .slice(0, most)
    .map(({ value, first, others }) => {
      const more = others.length - MAX_OTHERS;
      const shown = [
        words(first),
        ...others.slice(-MAX_OTHERS).map((one) => `**${words(one)}**`),
        ...(more > 0 ? [`**${plural(more, 'other')}**`] : []),
      ];
      return `  - ${code(spokenPart(column.argument))} of ${code(spokenPart(of.argument))} ${valueInWords(value, of.type)}: ${listed(shown)}`;
    });
}

/** What differs among the rows of one payee, in lines of which at most `most` are shown. Amounts have the scale. */
export function differingLines(tables: readonly NamingRows[], scale: number, most: number): readonly string[] {
  const relations = relationsOf(tables);
  const lines: string[] = [];
  for (const relation of relations) {
    const left = most - lines.length;
    if (left > 0) lines.push(...relationInWords(relation, left, scale));
  }
  const hidden = relations.reduce((sum, { differing }) => sum + differing.size, 0) - lines.length;
  return hidden === 0 ? lines : [...lines, `  - **… and ${plural(hidden, 'other')} that differ so**`];
}

/** The values beside which there are several values of another column. */
function valuesThatDiffer({ ids, count }: Numbered, other: Numbered): ReadonlySet<number> {
  const first = new Int32Array(count).fill(-1);
  const found = new Set<number>();
  for (const [index, id] of ids.entries()) {
    if (first[id] === -1) first[id] = defined(other.ids[index]);
    else if (first[id] !== other.ids[index]) found.add(id);
  }
  return found;
}
