/** The value that a JSON pointer (RFC 6901) leads to; undefined where there is none. Own members alone count. */
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

/** An object of the JSON text, and not what stands for a number of it. */
function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && Object.getPrototypeOf(json) === Object.prototype;
}
