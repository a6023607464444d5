import { Type } from 'typebox';
import { SelectionDocument } from '../../../workers/exact/selection-schema.ts';

const closed = { additionalProperties: false } as const;

export const SelectArguments = SelectionDocument;

export const SelectAnswer = Type.Object(
  {
    outcome: Type.String({
      enum: ['optimal', 'infeasible', 'indeterminate'],
      description: 'optimal and infeasible are proven. indeterminate: the nodes ran out first',
    }),
    value_proven: Type.Boolean({
      description:
        'Whether no choice has better totals. If the outcome is indeterminate and this is true, only an equally good choice with a smaller list of ids may exist',
    }),
    chosen: Type.Array(Type.String(), {
      description:
        'Ids, ascending: of all best choices the one with the smallest list of ids. If indeterminate, the best choice found, if any',
    }),
    totals: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
      description: 'Sums over the chosen items; null if no choice is known',
    }),
    core: Type.Array(Type.String(), { description: 'If infeasible, constraints that contradict each other' }),
    best_bound: Type.Union([Type.String(), Type.Null()], {
      description: 'No choice has a better value of the first objective',
    }),
    nodes: Type.Integer({
      minimum: 0,
      description: 'Search nodes used',
    }),
  },
  closed,
);
