import { type Static, Type } from 'typebox';
import { closed, Id, Named, Rule, Version } from './document-parts.ts';

/** The shape of a sheet, `sheet_format` 1. The solver's `readSheet` reads its types and expressions. */
export const SheetDocument = Type.Object(
  {
    sheet_format: Type.Literal(1),
    name: Id,
    version: Version,
    title: Type.String({ minLength: 1, maxLength: 200 }),
    /** Types without values. */
    variables: Named,
    /** Expressions over `var` alone. */
    constraints: Type.Array(Rule, { minItems: 1, maxItems: 256 }),
  },
  closed,
);
export type SheetDocument = Static<typeof SheetDocument>;
