/** A document to parse, with LF line ends. */
export interface Source {
  readonly html: string;
  /** Its UTF-16 code units and a NUL after the last one. They are faster to read than a string. */
  readonly units: Uint16Array;
}

/** Memory that is used again for each document up to this size. New memory would be slower to write. */
const SHARED_UNITS = 1024 * 1024;
const shared = Buffer.alloc(2 * SHARED_UNITS);

/** The units are only valid until the next call. */
export function toSource(text: string): Source {
  const html = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  const size = 2 * html.length + 2;
  const bytes = size <= shared.length ? shared : Buffer.alloc(size);
  bytes.write(html, 'utf16le');
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, html.length + 1);
  units[html.length] = 0;
  return { html, units };
}
