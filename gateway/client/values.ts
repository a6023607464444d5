/** The members of a JSON object. None for any other value, so that a hostile answer reads as an empty one. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

export const isText = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value);

/** Undefined unless the value is a positive number of micro-USD in decimal digits. */
export const toPrice = (value: unknown): bigint | undefined =>
  isText(value, /^[1-9][0-9]{0,15}$/) ? BigInt(value) : undefined;

/** Undefined unless the value is a number of micro-USD in decimal digits. It may be zero. */
export const toSum = (value: unknown): bigint | undefined => (value === '0' ? 0n : toPrice(value));

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A JSON value as a base64 header. */
export const toBase64 = (value: object): string => btoa(toBinary(new TextEncoder().encode(JSON.stringify(value))));

/** A character for each byte, as `btoa` takes them. */
export const toBinary = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/** The members of the JSON object in a base64 header. None if it is something else. */
export function fromBase64(header: string | null): Readonly<Record<string, unknown>> {
  try {
    const bytes = Uint8Array.from(atob(header ?? ''), (character) => character.charCodeAt(0));
    return membersOf(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch {
    return {};
  }
}

/** The canonical text of a parsed JSON value (RFC 8785). */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join(',')}}`;
}

export const sha256 = (text: string): Promise<string> => sha256Of(new TextEncoder().encode(text));

export const sha256Of = async (bytes: Uint8Array): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes))));
