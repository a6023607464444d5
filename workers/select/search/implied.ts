import { heldAt, type MovingRow } from '../bounds/moving-row.ts';
import type { Row } from '../model/row.ts';
import { partition } from './blocks.ts';
import type { Domain } from './domain.ts';
import { relax } from './relaxation.ts';

export interface Implied {
  /** The row whose least sum under the other rows was bounded. */
  readonly row: Row;
  readonly implied: MovingRow;
  /** The limit of the implied row less its least sum, relative to the size of its coefficients. */
  readonly slack: number;
}

/** For each row, a row that follows from it and the others together. The tightest comes first. */
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

/** The objective whose maximum is the least sum of a row, negated. */
export const negative = ({ coefficients }: Row): readonly bigint[] => coefficients.map((coefficient) => -coefficient);

function slackOf({ coefficients, constant }: MovingRow): number {
  let least = 0;
  let size = 0;
  for (const coefficient of coefficients.map(Number)) {
    least += Math.min(0, coefficient);
    size += Math.abs(coefficient);
  }
  // Without coefficients, the limit itself is the slack.
  return (Number(constant) - least) / (size || 1);
}
