import { type Static, Type } from 'typebox';
import { Id, Named, Rule, Version } from './plan-schema.ts';

/** The shape of a sheet, `sheet_format` 1. What its types and expressions mean is read by `readSheet`. */
export const SheetDocument = Type.Object(
  {
    sheet_format: Type.Literal(1),
    name: Id,
    version: Version,
    title: Type.String({ minLength: 1, maxLength: 200 }),
    /** Types without values. */
    variables: Named,
    /** Over `var` alone. */
    constraints: Type.Array(Rule, { minItems: 1, maxItems: 256 }),
  },
  { additionalProperties: false },
);
export type SheetDocument = Static<typeof SheetDocument>;
