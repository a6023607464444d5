const FIRST_HIGH = 0x80;
const LAST_LATIN = 0xff;
/** A character that begins a UTF-8 sequence in Windows-1252 or Latin-1, and one that can continue it. */
const MISREAD =
  /[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]/u;

/** The bytes of Windows-1252 (WHATWG Encoding) from 0x80 to 0x9F by character. */
const byteOf = new Map<string, number>();
const windows = new TextDecoder('windows-1252');
for (let byte = FIRST_HIGH; byte < 0xa0; byte += 1) byteOf.set(windows.decode(Uint8Array.of(byte)), byte);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Repairs UTF-8 that was read as Windows-1252 or Latin-1, such as "JosÃ©". Only if the whole text is valid UTF-8 then;
 * otherwise it is left alone, because half a repair would be worse.
 */
export function repairEncoding(text: string): string {
  if (!MISREAD.test(text)) return text;
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const byte = unit <= LAST_LATIN ? unit : byteOf.get(text.charAt(at));
    if (byte === undefined) return text;
    bytes[at] = byte;
  }
  try {
    return utf8.decode(bytes);
  } catch {
    return text;
  }
}
