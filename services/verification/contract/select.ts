import { Type } from 'typebox';
import { SelectionDocument } from '../../../workers/exact/selection-schema.ts';

const closed = { additionalProperties: false } as const;

export const SelectArguments = SelectionDocument;

export const SelectAnswer = Type.Object(
  {
    outcome: Type.String({
      enum: ['optimal', 'infeasible', 'indeterminate'],
      description: 'optimal and infeasible are proven; indeterminate: the nodes ran out before either',
    }),
    value_proven: Type.Boolean({
      description:
        'Whether no choice has better totals of the objectives. Where it is indeterminate with this, only an equally good choice with a smaller list of ids may exist',
    }),
    chosen: Type.Array(Type.String(), {
      description:
        'Ids, ascending: of all best choices the one whose list of ids is smallest. Where it is indeterminate, the best choice found, if any',
    }),
    totals: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()], {
      description: 'Sums over the chosen; null where no choice is known',
    }),
    core: Type.Array(Type.String(), { description: 'Where it is infeasible, constraints that contradict each other' }),
    best_bound: Type.Union([Type.String(), Type.Null()], {
      description: 'What no choice can better in the first objective',
    }),
    nodes: Type.Integer({
      minimum: 0,
      description: 'Decisions that were tried; 32 cells of a table of dynamic programming count as one',
    }),
  },
  closed,
);
