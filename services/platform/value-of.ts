import type { Static, TSchema } from 'typebox';

/**
 * A value of a schema, where the schema is a type parameter. Without `NoInfer`, the compiler would also try to infer the
 * schema from each value: a hundred times as much work.
 */
export type ValueOf<Schema extends TSchema> = NoInfer<Static<Schema>>;
