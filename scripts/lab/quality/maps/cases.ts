import { readFileSync } from 'node:fs';
import { type Static, type TSchema, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import type { Category } from './categories.ts';

const Coordinates = Type.Tuple([
  Type.Number({ minimum: -90, maximum: 90 }),
  Type.Number({ minimum: -180, maximum: 180 }),
]);
/** Any of several names is as right as the others. */
const OneOf = Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }), { minItems: 2 })]);
const Offset = Type.String({ pattern: '^[+-]\\d\\d:\\d\\d$' });
const strict = { additionalProperties: false };

const Place = {
  countryCode: Type.Optional(OneOf),
  adminDistrictCode: Type.Optional(OneOf),
  locality: Type.Optional(OneOf),
  timeZone: Type.Optional(OneOf),
};
const ForwardExpectation = Type.Object(
  {
    ...Place,
    near: Coordinates,
    withinKm: Type.Number({ exclusiveMinimum: 0 }),
    type: Type.Optional(OneOf),
    /** All of them, in any order; others may stand beside them. */
    matchCodes: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  },
  strict,
);
const ReverseExpectation = Type.Object(
  {
    ...Place,
    count: Type.Optional(Type.Literal(0)),
    /** Nobody lives there, so that an empty answer is right as well. */
    mayBeEmpty: Type.Optional(Type.Literal(true)),
    offsetJanuary: Type.Optional(Offset),
    offsetJuly: Type.Optional(Offset),
  },
  strict,
);

const Language = Type.Optional(Type.String({ minLength: 2 }));
const Note = Type.Optional(Type.String({ minLength: 1 }));
const ForwardCase = Type.Object(
  {
    query: Type.String({ minLength: 1 }),
    language: Language,
    bias: Type.Optional(Coordinates),
    expect: ForwardExpectation,
    note: Note,
  },
  strict,
);
const ReverseCase = Type.Object(
  { point: Coordinates, language: Language, expect: ReverseExpectation, note: Note },
  strict,
);

/** A query, and what the first result must fit. Coordinates are latitude and longitude in degrees. */
export type ForwardCase = Static<typeof ForwardCase>;
/** A point, and what the first result must fit; offsets are those of January and July 2025. */
export type ReverseCase = Static<typeof ReverseCase>;

const forward = Compile(ForwardCase);
const reverse = Compile(ReverseCase);

export interface CaseSet {
  readonly category: Category;
  readonly forward: readonly ForwardCase[];
  readonly reverse: readonly ReverseCase[];
}

/** @throws {Error} naming the file and the line that is not a case */
export function loadCases(category: Category): CaseSet {
  const file = new URL(`cases/${category.name}.jsonl`, import.meta.url);
  return readCases(category, readFileSync(file, 'utf8'));
}

/** The text is JSON Lines: one case a line. */
export function readCases(category: Category, text: string): CaseSet {
  return category.kind === 'forward'
    ? { category, forward: readLines(text, forward, category.name), reverse: [] }
    : { category, forward: [], reverse: readLines(text, reverse, category.name) };
}

function readLines<T extends TSchema>(text: string, validator: Validator<T>, name: string): readonly Static<T>[] {
  return text.split('\n').flatMap((line, index) => {
    if (line === '') return [];
    const value: unknown = JSON.parse(line);
    if (validator.Check(value)) return [value as Static<T>];
    const [, [fault]] = validator.Errors(value);
    throw new Error(`${name}.jsonl:${index + 1}: ${fault?.instancePath ?? ''} ${fault?.message ?? 'is not a case'}`);
  });
}
