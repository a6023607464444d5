/**
 * Decodes canonical base64 (RFC 4648, section 4): standard alphabet, padded, unused bits zero, no white space. A verifier
 * that accepts two forms of one signature would not notice that one was changed into the other.
 * @returns `undefined` for any other text
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
