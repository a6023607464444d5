import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/schema';

/** A process cannot start. The message is for the operator. */
export class StartError extends Error {
  /** Exit status of the process. 1: another start may help. */
  readonly exitCode: number = 1;
}

/** EX_CONFIG of sysexits.h, by which supervisors can tell that they need not try again. */
export const EX_CONFIG = 78;

/** The configuration cannot be used, here or in a server that it names. Another start does not help. */
export class ConfigurationError extends StartError {
  override readonly name: string = 'ConfigurationError';
  override readonly exitCode = EX_CONFIG;
}

const SECRET = /(KEYS?|HASHES|URL|TOKENS?|PASSWORD|SECRET)$/;

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
    const text = environment[name];
    const isAbsent = text === undefined || text === '';
    const value = isAbsent ? fieldOf(property, 'default') : parseValue(fieldOf(property, 'type'), text);
    if (value !== undefined) values[name] = value;
  }
  const check = Compile(schema);
  if (check.Check(values)) return values;
  const faults = new Map<string, string>();
  for (const error of check.Errors(values)[1]) {
    for (const name of namesOf(error)) {
      if (!faults.has(name)) faults.set(name, describeFault(schema, values, { name, message: error.message }));
    }
  }
  const lines = [...faults.values()].map((line) => `  ${line}`);
  throw new ConfigurationError(`Configuration is not usable:\n${lines.join('\n')}`);
}

/** A field of a schema, whose type leaves its keywords open. */
function fieldOf(schema: unknown, name: string): unknown {
  return typeof schema === 'object' && schema !== null ? Reflect.get(schema, name) : undefined;
}

/** The variables that an error is about: those that are missing, or the one at its path. */
function namesOf(error: { readonly instancePath: string; readonly params: unknown }): readonly string[] {
  const missing = fieldOf(error.params, 'requiredProperties');
  return Array.isArray(missing) ? missing.map(String) : [error.instancePath.slice(1)];
}

interface VariableFault {
  readonly name: string;
  readonly message: string;
}

function describeFault(schema: TObject, values: Record<string, unknown>, { name, message }: VariableFault): string {
  const shown = SECRET.test(name) ? 'a value that is not valid' : JSON.stringify(values[name]);
  const found = name in values ? shown : 'nothing';
  const description = fieldOf(schema.properties[name], 'description');
  const hint = typeof description === 'string' ? ` (${description})` : '';
  return `${name}: found ${found}; it ${message}${hint}`;
}
