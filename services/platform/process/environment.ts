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
  /** Each says what is wrong and what to do. */
  readonly faults: readonly string[];

  constructor(faults: string | readonly string[], options?: ErrorOptions) {
    const message = typeof faults === 'string' ? faults : ['Configuration is not usable:', ...faults].join('\n  ');
    super(message, options);
    this.faults = typeof faults === 'string' ? [faults] : faults;
  }
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
export const readEnvironment = <S extends TObject>(schema: S, environment: NodeJS.ProcessEnv): Static<S> =>
  readConfiguration<S, object>(schema, environment, () => ({}));

/** Each reads a part of a configuration, and throws a ConfigurationError if it cannot. */
export type Readers<Parts> = { readonly [Name in keyof Parts]: () => Parts[Name] };

/**
 * Reads the variables that `schema` names, as `readEnvironment` does, and the parts that follow from several of them.
 * @throws {ConfigurationError} with every wrong variable and the faults of every part
 */
export function readConfiguration<S extends TObject, Parts extends object>(
  schema: S,
  environment: NodeJS.ProcessEnv,
  readers: (values: Static<S>) => Readers<Parts>,
): Static<S> & Parts {
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = environment[name];
    const isAbsent = text === undefined || text === '';
    const value = isAbsent ? fieldOf(property, 'default') : parseValue(fieldOf(property, 'type'), text);
    if (value !== undefined) values[name] = value;
  }
  const check = Compile(schema);
  if (check.Check(values)) return { ...values, ...readParts(readers(values)) };
  const faults = new Map<string, string>();
  for (const error of check.Errors(values)[1]) {
    for (const name of namesOf(error)) {
      if (!faults.has(name)) faults.set(name, describeFault(schema, values, { name, message: error.message }));
    }
  }
  // The types of the wrong values do not hold, so readers may fail in any way.
  const { faults: others } = tryParts(readers(values as Static<S>));
  throw new ConfigurationError([...faults.values(), ...withoutNames(others, [...faults.keys()])]);
}

/** Reads parts of a configuration. @throws {ConfigurationError} with the faults of all of them */
export function readParts<Parts extends object>(readers: Readers<Parts>): Parts {
  const { parts, faults, errors } = tryParts(readers);
  const [error] = errors;
  if (error === undefined) return parts as Parts;
  throw errors.length === 1 || !(error instanceof ConfigurationError) ? error : new ConfigurationError(faults);
}

function tryParts<Parts extends object>(readers: Readers<Parts>) {
  const parts: Partial<Parts> = {};
  const errors: unknown[] = [];
  for (const name in readers) {
    try {
      parts[name] = readers[name]();
    } catch (error) {
      if (error instanceof ConfigurationError) errors.push(error);
      // Another error is not one of the configuration.
      else errors.unshift(error);
    }
  }
  const faults = errors.flatMap((error) => (error instanceof ConfigurationError ? error.faults : []));
  return { parts, errors, faults: [...new Set(faults)] };
}

/** The faults that name none of the variables: the others may be consequences of what is wrong with these. */
export const withoutNames = (faults: readonly string[], names: readonly string[]): readonly string[] =>
  faults.filter((fault) => !names.some((name) => new RegExp(`\\b${name}\\b`).test(fault)));

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
