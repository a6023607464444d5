import { readFileSync } from 'node:fs';
import { type Static, type TSchema, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { defined } from '../../../../workers/exact/defined.ts';
import type { Category } from './categories.ts';

const Coordinates = Type.Tuple([
  Type.Number({ minimum: -90, maximum: 90 }),
  Type.Number({ minimum: -180, maximum: 180 }),
]);
/** One value, or several values that are equally right. */
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
    /** The result must have all of these, in any order. It may have others too. */
    matchCodes: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  },
  strict,
);
const ReverseExpectation = Type.Object(
  {
    ...Place,
    count: Type.Optional(Type.Literal(0)),
    /** True if nobody lives there, so an empty answer is right too. */
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
const TrapCase = Type.Object(
  {
    query: Type.String({ minLength: 1 }),
    language: Language,
    /** Left out if nothing is meant. */
    near: Type.Optional(Coordinates),
    withinKm: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    note: Note,
  },
  strict,
);
const ReverseCase = Type.Object(
  { point: Coordinates, language: Language, expect: ReverseExpectation, note: Note },
  strict,
);

/** A query and its expected first result. Coordinates are latitude and longitude in degrees. */
export type ForwardCase = Static<typeof ForwardCase>;
/** A query that a geocoder is likely to answer with a wrong place. */
export type TrapCase = Static<typeof TrapCase>;
/** A point and its expected first result. The offsets are those in January and July 2025. */
export type ReverseCase = Static<typeof ReverseCase>;

const forward = Compile(ForwardCase);
const trap = Compile(TrapCase);
const reverse = Compile(ReverseCase);

export interface CaseSet {
  readonly category: Category;
  readonly forward: readonly ForwardCase[];
  readonly traps: readonly TrapCase[];
  readonly reverse: readonly ReverseCase[];
}

/** @throws {Error} if a line is not a valid case. The message has the file and the line number. */
export function loadCases(category: Category): CaseSet {
  const file = new URL(`cases/${category.name}.jsonl`, import.meta.url);
  return readCases(category, readFileSync(file, 'utf8'));
}

/** Reads cases in JSON Lines format: one case per line. @throws {Error} as `loadCases` does */
export function readCases(category: Category, text: string): CaseSet {
  const { kind, name } = category;
  return {
    category,
    forward: kind === 'forward' ? readLines(text, forward, name) : [],
    traps: kind === 'trap' ? readLines(text, trap, name) : [],
    reverse: kind === 'reverse' ? readLines(text, reverse, name) : [],
  };
}

function readLines<T extends TSchema>(text: string, validator: Validator<T>, name: string): readonly Static<T>[] {
  return text.split('\n').flatMap((line, index) => {
    if (line === '') return [];
    const value: unknown = JSON.parse(line);
    if (validator.Check(value)) return [value];
    const [, [fault]] = validator.Errors(value);
    const { instancePath, message } = defined(fault);
    throw new Error(`${name}.jsonl:${index + 1}: ${instancePath} ${message}`);
  });
}
