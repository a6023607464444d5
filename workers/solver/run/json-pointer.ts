/** The value that a JSON pointer (RFC 6901) leads to; undefined where there is none. Own members alone count. */
export function valueAt(json: unknown, pointer: string): unknown {
  let at = json;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = /^(?:0|[1-9][0-9]{0,8})$/.test(key) ? at[Number(key)] : undefined;
    else if (typeof at === 'object' && at !== null && Object.hasOwn(at, key)) at = (at as Record<string, unknown>)[key];
    else return undefined;
  }
  return at;
}
