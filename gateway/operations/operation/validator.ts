import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/schema';
import { isRecord } from '../../../services/platform/is-record.ts';
import { boundedName, describeSchemaFault } from '../../../services/platform/schema-fault.ts';

interface Validator<Value> {
  /** One sentence on the first fault of a body, or undefined. It never repeats a value. */
  readonly faultOf: (body: unknown) => string | undefined;
  readonly isValid: (body: unknown) => body is Value;
}

export function createValidator<Schema extends TObject>(schema: Schema): Validator<Static<Schema>> {
  const compiled = Compile(schema);
  const known = new Set(Object.keys(schema.properties));
  return {
    isValid: (body): body is Static<Schema> => compiled.Check(body),
    faultOf(body) {
      if (!isRecord(body)) return 'the body must be a JSON object';
      // The first unknown name is enough: the library takes seconds for 300,000 of them.
      const unknown = Object.keys(body).find((name) => !known.has(name));
      if (unknown !== undefined) return `${boundedName(unknown)} is not a known property`;
      if (compiled.Check(body)) return undefined;
      return describeSchemaFault(compiled, body) ?? 'the body is not valid';
    },
  };
}
