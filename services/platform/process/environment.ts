import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/schema';

/** The configuration cannot be used. Thrown at start-up; the message is for the operator. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const SECRET = /(KEYS?|URL|TOKENS?|PASSWORD)$/;

/** Environment variables are text. Numbers and booleans are converted; the schema checks the rest. */
function parseValue(type: unknown, text: string): unknown {
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/**
 * Reads the variables that `schema` names. An empty variable counts as absent, and an absent one has its default.
 * @throws {ConfigurationError} with the name, value and requirement of every wrong variable. Values of variables that
 *   may hold a secret are not repeated.
 */
export function readEnvironment<S extends TObject>(schema: S, environment: NodeJS.ProcessEnv): Static<S> {
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const { type, default: fallback } = property as { type?: unknown; default?: unknown };
    const text = environment[name];
    const value = text === undefined || text === '' ? fallback : parseValue(type, text);
    if (value !== undefined) values[name] = value;
  }
  const check = Compile(schema);
  if (check.Check(values)) return values;
  const faults = new Map<string, string>();
  for (const error of check.Errors(values)[1]) {
    const missing = (error.params as { requiredProperties?: readonly string[] }).requiredProperties;
    for (const name of missing ?? [error.instancePath.slice(1)]) {
      if (faults.has(name)) continue;
      const description = (schema.properties[name] as { description?: string } | undefined)?.description;
      const found =
        name in values ? (SECRET.test(name) ? 'a value that is not valid' : JSON.stringify(values[name])) : 'nothing';
      faults.set(name, `${name}: found ${found}; it ${error.message}${description ? ` (${description})` : ''}`);
    }
  }
  throw new ConfigurationError(
    `Configuration is not usable:\n${[...faults.values()].map((line) => `  ${line}`).join('\n')}`,
  );
}
