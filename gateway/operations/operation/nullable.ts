import { type TSchema, Type } from 'typebox';

/** A value of the schema, or null if it is unknown. */
export const Nullable = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const NullableText = (description: string) => Nullable(Type.String(), description);
