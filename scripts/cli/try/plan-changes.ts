import { isRecord } from '../../../services/platform/is-record.ts';
import { defined } from '../../../workers/exact/defined.ts';

/**
 * A copy of a plan with changed values.
 * @param changes new values by JSON pointer (RFC 6901, without escapes). A pointer leads to an existing object or array
 */
export function changePlan(plan: object, changes: Readonly<Record<string, unknown>>): object {
  const copy = structuredClone(plan);
  for (const [pointer, value] of Object.entries(changes)) {
    const names = pointer.slice(1).split('/');
    const parent = names.slice(0, -1).reduce(childOf, copy);
    Reflect.set(parent, defined(names.at(-1)), value);
  }
  return copy;
}

function childOf(parent: object, name: string): object {
  const child: unknown = Reflect.get(parent, name);
  if (isRecord(child) || Array.isArray(child)) return child;
  throw new Error(`the plan has no object or array at ${name}`);
}
