import type { Row } from '../model/row.ts';

interface Properties {
  readonly size: number;
  readonly rows: readonly Row[];
  readonly objectives: readonly (readonly bigint[])[];
  readonly groups: readonly (readonly number[])[];
}

/** For each item, the first one that is equal to it in all rows, objectives and groups. Equal items can be exchanged. */
export function kindsOf({ size, rows, objectives, groups }: Properties): readonly number[] {
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
