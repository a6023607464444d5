import { CommandError } from '../terminal/command.ts';

/** Bytes in which HTML says what its encoding is (WHATWG HTML, prescan). */
const PRESCAN_BYTES = 1024;
const META = /<meta\b[^>]*\bcharset\s*=\s*["']?\s*([^\s"'/>;]+)/i;
/** Characters that show a binary file, and how many are looked at (WHATWG MIME Sniffing). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
const SNIFFED = 1445;

/**
 * Decodes an HTML file as browsers do without a Content-Type: by its byte order mark, then by its `meta charset`, then as UTF-8.
 * @param name of the file, for messages
 * @throws {CommandError} if it is not text, or not in the encoding that it names
 */
export function decodePage(bytes: Uint8Array, name: string): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    throw new CommandError(`${name} is compressed with gzip: unpack it first`);
  const label = byMark(bytes) ?? byMeta(bytes) ?? 'utf-8';
  const text = decode(bytes, label);
  if (text === undefined)
    throw new CommandError(`${name} is not text in ${label}: nothing was sent. Convert it to UTF-8 first`);
  if (BINARY.test(text.slice(0, SNIFFED))) throw new CommandError(`${name} is not text: nothing was sent`);
  return text;
}

function byMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

function byMeta(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString('latin1');
  const label = META.exec(start.replaceAll(/<!--.*?-->/gs, ''))?.[1];
  // What is readable so far is not UTF-16.
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

/** Undefined if the encoding is unknown, or the bytes are not in it. */
function decode(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
