const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const HASH = /^(.)\1{63}$/;
const TIME = /^2026-11-21T[0-9:.]+Z$/;
const ANY_TIME = /^\d{4}-\d\d-\d\dT[0-9:.]+Z$/;
const ANY_HASH = /^[0-9a-f]{64}$/;
/** Properties that depend on the versions of the solver and of the engine. */
const VARYING = new Set(['pins', 'engine', 'by', 'nodes', 'verifications']);

/** Relates the ids and hashes of published examples to those of real answers. */
export interface Placeholders {
  /** Remembers the value that an answer has in place of each placeholder of its example. */
  learn(example: unknown, answer: unknown): void;
  /** Replaces the placeholders of an example by remembered values, and its times by the current time. */
  fill(example: unknown): unknown;
  /** Removes everything from an answer or an example that differs between runs. */
  blur(value: unknown): unknown;
  /** The last remembered value of a property with this name. */
  idOf(property: string): string | undefined;
}

export function createPlaceholders(now: () => string): Placeholders {
  const values = new Map<string, string>();
  const named = new Map<string, string>();

  function learn(example: unknown, answer: unknown): void {
    if (!isObject(example) || !isObject(answer)) return;
    for (const [name, value] of Object.entries(example)) {
      const found = answer[name];
      if (typeof value !== 'string' || typeof found !== 'string') learn(value, found);
      else if (ID.test(value) || HASH.test(value)) {
        if (!values.has(value)) values.set(value, found);
        named.set(name, found);
      }
    }
  }

  return {
    learn,
    fill: (example) =>
      mapText(example, (text) => {
        if (TIME.test(text)) return now();
        return values.get(text) ?? text;
      }),
    blur: (value) =>
      mapText(withoutVarying(value), (text) => {
        if (ANY_TIME.test(text)) return 'a time';
        if (ID.test(text)) return 'an id';
        return ANY_HASH.test(text) ? 'a hash' : text;
      }),
    idOf: (property) => named.get(property),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function mapText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapText(one, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapText(one, change)]));
}

function withoutVarying(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutVarying);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (VARYING.has(name) ? [] : [[name, withoutVarying(one)]])),
  );
}
