/** The value at a JSON pointer (RFC 6901). Undefined if there is none; inherited members do not count. */
export function valueAt(json: unknown, pointer: string): unknown {
  let at = json;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^(?:0|[1-9][0-9]{0,8})$/.test(key) ? at[Number(key)] : undefined;
    else if (isRecord(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
  }
  return at;
}

/** A name as one part of a JSON pointer (RFC 6901, section 3). */
export const pointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Whether the value is an object of the JSON text. Instances of classes stand for its numbers. */
function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && Object.getPrototypeOf(json) === Object.prototype;
}
