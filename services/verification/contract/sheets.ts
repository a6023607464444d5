import { type Static, Type } from 'typebox';
import { Timestamp } from './answers.ts';
import { Document, Sha256 } from './arguments.ts';

const closed = { additionalProperties: false } as const;

/** Most sheets of one composition. */
const MAX_SHEETS = 16;

const Name = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,64}$', description: 'Name of a sheet' });
const Version = Type.String({
  pattern: '^(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})$',
  description: 'Such as 1.0.0',
});
const Title = Type.String({ minLength: 1, maxLength: 200 });

/** Arguments of operations on sheets: bodies and paths over HTTP, arguments of tools. */
export const GetSheetArguments = Type.Object({ name: Name, version: Version }, closed);
export type GetSheetArguments = Static<typeof GetSheetArguments>;

export const CreateSheetArguments = Type.Object(
  { sheet: Type.Unsafe<unknown>({ ...Document, description: 'A sheet, sheet_format 1' }) },
  closed,
);

export const SheetRef = Type.Object({ name: Name, version: Version, sha256: Sha256 }, closed);
export type SheetRef = Static<typeof SheetRef>;

export const ComposeSheetsArguments = Type.Object(
  {
    sheets: Type.Array(SheetRef, {
      minItems: 1,
      maxItems: MAX_SHEETS,
      description: 'In order: a constraint is redundant if earlier ones entail it',
    }),
    save_as: Type.Union([
      Type.Object({ name: Name, version: Version, title: Type.Optional(Title) }, closed),
      Type.Null({ description: 'Store nothing' }),
    ]),
  },
  closed,
);
export type ComposeSheetsArguments = Static<typeof ComposeSheetsArguments>;

const LISTED = {
  ...SheetRef.properties,
  title: Title,
  origin: Type.String({ enum: ['shipped', 'tenant'], description: 'shipped: it comes with the service' }),
};

export const ListSheetsAnswer = Type.Object(
  { sheets: Type.Array(Type.Object(LISTED, closed), { description: 'By name and version' }) },
  closed,
);

const CreatedAt = Type.Union([Timestamp, Type.Null()], { description: 'null: it comes with the service' });

export const SheetAnswer = Type.Object({ ...LISTED, created_at: CreatedAt, sheet: Document }, closed);

const Remark = Type.Object({ code: Type.String(), path: Type.String(), message: Type.String() }, closed);

export const CreateSheetAnswer = Type.Object(
  {
    ...LISTED,
    created_at: CreatedAt,
    lint: Type.Array(Remark, { description: 'What is allowed but probably a mistake' }),
  },
  closed,
);

const Value = Type.Union([Type.String(), Type.Boolean()]);

export const ComposeSheetsAnswer = Type.Object(
  {
    outcome: Type.String({
      enum: ['consistent', 'conflict', 'indeterminate'],
      description: 'indeterminate: not decided within the limits, so nothing below is known',
    }),
    sheet: Type.Union([Document, Type.Null()], {
      description: 'The composed sheet, if they are consistent. Its name is composed@1.0.0 unless save_as names it',
    }),
    sha256: Type.Union([Sha256, Type.Null()]),
    witness: Type.Union([Type.Record(Type.String(), Value), Type.Null()], {
      description: 'Least values by variable that satisfy all constraints',
    }),
    core: Type.Array(Type.String(), {
      description:
        'A minimal set of contradictions: name@version#constraint, or name@version#variables/name for a type or its bounds',
    }),
    redundant: Type.Array(Type.String(), { description: 'Constraints that earlier ones entail' }),
    saved: Type.Boolean(),
  },
  closed,
);
export type ComposeSheetsAnswer = Static<typeof ComposeSheetsAnswer>;
