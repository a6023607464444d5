import { heldAt, type MovingRow } from '../bounds/moving-row.ts';
import type { Row } from '../model/row.ts';
import { partition } from './blocks.ts';
import type { Domain } from './domain.ts';
import { relax } from './relaxation.ts';

export interface Implied {
  /** The row whose least sum within the others was bounded. */
  readonly row: Row;
  readonly implied: MovingRow;
  /** What the implied row leaves of its limit at the least sum, as a part of its coefficients. */
  readonly slack: number;
}

/** For each row, what follows from it and the others together, the tightest first. */
export function impliedRows(domain: Domain): readonly Implied[] {
  const parts = partition(domain);
  const all = domain.rows.flatMap((row) => {
    const rows = domain.rows.filter((other) => other !== row);
    const { bounds } = relax({ ...domain, rows }, negative(row), parts);
    return bounds.slice(0, 1).map((bound) => {
      const implied = heldAt(bound, -row.limit);
      return { row, implied, slack: slackOf(implied) };
    });
  });
  return all.sort((a, b) => a.slack - b.slack);
}

/** A row as what is to be maximised for it. */
export const negative = ({ coefficients }: Row): readonly bigint[] => coefficients.map((coefficient) => -coefficient);

function slackOf({ coefficients, constant }: MovingRow): number {
  let least = 0;
  let size = 0;
  for (const coefficient of coefficients.map(Number)) {
    least += Math.min(0, coefficient);
    size += Math.abs(coefficient);
  }
  return (Number(constant) - least) / (size || 1);
}
