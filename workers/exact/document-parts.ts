import { Type } from 'typebox';

/** The option of an object schema that refuses unknown properties. */
export const closed = { additionalProperties: false } as const;

/** 1 to 64 characters: ids, and names of tools, steps, rules, variables, attributes and kinds of evidence. */
export const ID_PATTERN = '^[A-Za-z0-9_.:-]{1,64}$';

export const Id = Type.String({ pattern: ID_PATTERN });
export const Version = Type.String({ pattern: '^(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})$' });

/** A type, a value or an expression. The solver's language reads it. */
export const Language = Type.Unknown();
/** Types, values or expressions by name. */
export const Named = Type.Record(Id, Language, closed);
/** A condition with an id. */
export const Rule = Type.Object({ id: Id, expr: Language }, closed);

/** One of some strings. A schema with `enum` reports one fault; a union would report one for each string. */
export const stringOf = <Words extends readonly string[]>(...words: Words) =>
  Type.Unsafe<Words[number]>(Type.String({ enum: [...words] }));
