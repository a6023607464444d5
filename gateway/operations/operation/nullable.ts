import { type TSchema, Type } from 'typebox';

/** Of the type, or null where it is not known. */
export const Nullable = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const NullableText = (description: string) => Nullable(Type.String(), description);
