import type { TObject } from 'typebox';
import { Compile } from 'typebox/schema';

interface Fault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
  readonly message: string;
}

const RULES: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => string>> = {
  type: ({ type }) => `must be of type ${String(type)}`,
  minLength: ({ limit }) => `must be at least ${String(limit)} characters long`,
  maxLength: ({ limit }) => `must be at most ${String(limit)} characters long`,
  pattern: ({ pattern }) =>
    pattern === '\\S' ? 'must contain a character that is not white space' : `must match ${String(pattern)}`,
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  dependentRequired: ({ property, dependencies }) => `${String(property)} requires ${String(dependencies)}`,
};

/** One sentence on the first fault of a body, or undefined. The value itself is never repeated. */
export function createValidator(schema: TObject): (body: unknown) => string | undefined {
  const compiled = Compile(schema);
  return (body) => {
    if (compiled.Check(body)) return undefined;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'the body must be a JSON object';
    const [, faults]: readonly [boolean, readonly Fault[]] = compiled.Errors(body);
    // An unknown property also fails its own `false` schema; the rule that names it says more.
    const fault = faults.find(({ keyword }) => keyword !== 'boolean') ?? faults[0];
    return fault === undefined ? 'the body is not valid' : describe(fault);
  };
}

function describe({ keyword, instancePath, params, message }: Fault): string {
  const field = instancePath.slice(1).replaceAll('/', '.');
  const { requiredProperties, additionalProperties } = params as Readonly<
    Record<string, readonly string[] | undefined>
  >;
  if (requiredProperties?.[0] !== undefined) return `${requiredProperties[0]} is required`;
  if (additionalProperties?.[0] !== undefined) return `${additionalProperties[0].slice(0, 64)} is not a known property`;
  return `${field} ${RULES[keyword]?.(params as Record<string, unknown>) ?? message}`.trimStart();
}
