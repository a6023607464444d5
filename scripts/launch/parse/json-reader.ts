import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';

/**
 * Makes a function that checks a JSON value. Fields that the schema does not name are allowed.
 * @param source what the value is, for the error message
 */
export function createReader<Schema extends TSchema>(schema: Schema, source: string) {
  const check = Compile(schema);
  /** @throws {Error} if the value does not match the schema */
  return (value: unknown): Static<Schema> => {
    if (!check.Check(value)) throw new Error(`${source} does not have the expected shape`);
    return value;
  };
}

/** Makes a function that parses JSON text and checks the value, as `createReader` does. */
export function createJsonReader<Schema extends TSchema>(schema: Schema, source: string) {
  const read = createReader(schema, source);
  /** @throws {SyntaxError} if the text is not JSON. @throws {Error} if the value does not match the schema */
  return (text: string): Static<Schema> => read(JSON.parse(text));
}
