/**
 * Decodes base64 (RFC 4648, section 4) in its one spelling: standard alphabet, padded, unused bits zero, no white space.
 * Of two spellings of one signature, a verifier that takes both finds neither changed.
 * @returns `undefined` for any other text
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
