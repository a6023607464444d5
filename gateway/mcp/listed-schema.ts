import type { ObjectSchema } from './tool.ts';

/** Keywords that a model needs. Patterns and lengths are left to the service, which checks and explains them. */
const KEPT = new Set([
  'type',
  'enum',
  'const',
  'required',
  'dependentRequired',
  'minimum',
  'maximum',
  'default',
  'description',
]);

/**
 * A looser and much shorter form of a schema, as a tool lists it: structure and descriptions without patterns and
 * lengths. Every value of the schema is a value of its listed form.
 */
export function listed(schema: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]: [string, unknown]) => {
      if (KEPT.has(keyword)) return [[keyword, value]];
      if (keyword === 'items' && isObject(value)) return [[keyword, listed(value)]];
      if (keyword === 'properties' && isObject(value)) return [[keyword, mapValues(value, listed)]];
      if (keyword === 'anyOf' && Array.isArray(value)) return [[keyword, value.filter(isObject).map(listed)]];
      return [];
    }),
  );
}

/** The outline of an answer's schema: the names of its members, and the values of those that have few. */
export function outline(schema: object): ObjectSchema {
  const { properties = {} }: { readonly properties?: object } = schema;
  const outlined = mapValues(properties, (member) => {
    if ('const' in member) return { const: member.const };
    return 'enum' in member ? { enum: member.enum } : {};
  });
  return { type: 'object', properties: outlined };
}

function mapValues(object: object, map: (schema: object) => object): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]: [string, unknown]) => (isObject(value) ? [[name, map(value)]] : [])),
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
