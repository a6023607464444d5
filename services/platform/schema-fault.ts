interface Fault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

/** A compiled schema of TypeBox. */
export interface CompiledSchema {
  Errors(value: unknown): readonly [boolean, readonly Fault[]];
}

/** Longest part of an unknown name that is repeated: a name may be the caller's whole body. */
const MAX_NAME_CHARACTERS = 64;

export const boundedName = (name: string): string => name.slice(0, MAX_NAME_CHARACTERS);

const RULES: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string>> = {
  type: ({ type }) => `must be of type ${String(type)}`,
  const: ({ allowedValue }) => `must be ${String(allowedValue)}`,
  /** The schema of unknown members is `false`. */
  boolean: () => 'is not a known property',
  minLength: ({ limit }) => `must be at least ${String(limit)} characters long`,
  maxLength: ({ limit }) => `must be at most ${String(limit)} characters long`,
  pattern: ({ pattern }) =>
    pattern === '\\S' ? 'must contain a character that is not white space' : `must match ${String(pattern)}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  dependentRequired: ({ property, dependencies }) => `${String(property)} requires ${String(dependencies)}`,
};

/** One sentence on the first fault of a value: the member, and what it must be. It never repeats a value. */
export function describeSchemaFault(schema: CompiledSchema, value: unknown): string | undefined {
  const [, [fault]] = schema.Errors(value);
  return fault && describe(fault);
}

function describe({ keyword, instancePath, params, message }: Fault): string {
  const path = boundedName(instancePath.slice(1).replaceAll('/', '.'));
  const values = Object.fromEntries<unknown>(Object.entries(params));
  const missing = values['requiredProperties'];
  if (Array.isArray(missing) && missing.length > 0) {
    return `${path === '' ? '' : `${path}.`}${String(missing[0])} is required`;
  }
  return `${path} ${RULES[keyword]?.(values) ?? message}`.trimStart();
}
