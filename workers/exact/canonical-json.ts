import canonicalize from 'canonicalize';

/**
 * The canonical text of a JSON value (JCS, RFC 8785).
 * @throws {TypeError} for any other value
 */
export function canonicalText(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}
