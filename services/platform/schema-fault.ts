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

/** What each pattern of a caller's values takes, in words. */
const FORMS: Readonly<Record<string, string>> = {
  '\\S': 'contain a character that is not white space',
  '^[hH][tT][tT][pP][sS]?://\\S+$': 'be a URL such as https://example.com/page, without white space',
  '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$': 'be a language tag such as en or pt-BR',
  '^0x[0-9a-fA-F]{40}$': 'be an address: 0x and 40 hexadecimal digits',
  '^0x[0-9a-fA-F]{64}$': 'be 32 bytes: 0x and 64 hexadecimal digits',
  '^0x([0-9a-fA-F]{2})+$': 'be bytes: 0x and pairs of hexadecimal digits',
  '^(0|[1-9][0-9]{0,77})$': 'be an integer of at most 78 digits, as a string',
  '^(0|[1-9][0-9]{0,38})$': 'be an integer of at most 39 digits, as a string',
};

const RULES: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string>> = {
  type: ({ type }) => `must be of type ${String(type)}`,
  const: ({ allowedValue }) => `must be ${String(allowedValue)}`,
  /** The schema of unknown members is `false`. */
  boolean: () => 'is not a known property',
  minLength: ({ limit }) => (limit === 1 ? 'must not be empty' : `must be at least ${String(limit)} characters long`),
  maxLength: ({ limit }) => `must be at most ${String(limit)} characters long`,
  pattern: ({ pattern }) => `must ${FORMS[String(pattern)] ?? `match ${String(pattern)}`}`,
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
