/** The parts in one array. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function areSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** Lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Decodes canonical base64, like `services/platform/base64.ts`, which needs Node's `Buffer`.
 * @returns `undefined` for any other text
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  let characters: string;
  try {
    characters = atob(text);
  } catch {
    return undefined;
  }
  if (btoa(characters) !== text) return undefined;
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at);
  return bytes;
}
