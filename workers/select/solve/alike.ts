import type { Row } from '../model/row.ts';

interface Asked {
  readonly size: number;
  readonly rows: readonly Row[];
  readonly objectives: readonly (readonly bigint[])[];
  readonly groups: readonly (readonly number[])[];
}

/** Of each item, the first that is like it in all rows, objectives and groups: one may stand for the other. */
export function kindsOf({ size, rows, objectives, groups }: Asked): readonly number[] {
  const columns = [...rows.map(({ coefficients }) => coefficients), ...objectives];
  const members = groups.map((items) => new Set(items));
  const first = new Map<string, number>();
  return Array.from({ length: size }, (_, item) => {
    const values = columns.map((column) => column[item]).join(' ');
    const memberOf = members.flatMap((items, group) => (items.has(item) ? [group] : [])).join(' ');
    const key = `${values};${memberOf}`;
    const kind = first.get(key) ?? item;
    first.set(key, kind);
    return kind;
  });
}
