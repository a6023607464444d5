import { defined } from '../../../workers/exact/defined.ts';

/** Fills the marks of a JSON text with values, which are JSON texts, and returns its base64. */
export type Base64Template = (values: Readonly<Record<string, string>>) => string;

/**
 * Encodes the constant parts once: every unsigned request needs an offer.
 * @param json contains each mark at least once, as a string value
 */
export function createBase64Template(json: string, marks: readonly string[]): Base64Template {
  const missing = marks.find((mark) => !json.includes(JSON.stringify(mark)));
  if (missing !== undefined) throw new Error(`no mark ${missing}`);
  const parts: { readonly before: string; readonly mark: string }[] = [];
  let rest = json;
  for (let next = nextMark(rest, marks); next !== undefined; next = nextMark(rest, marks)) {
    const { mark, at } = next;
    parts.push({ before: toBase64(inThrees(rest.slice(0, at))), mark });
    rest = rest.slice(at + JSON.stringify(mark).length);
  }
  const last = toBase64(rest);
  return (values) =>
    parts.map(({ before, mark }) => before + toBase64(inThrees(defined(values[mark])))).join('') + last;
}

function nextMark(json: string, marks: readonly string[]) {
  return marks
    .map((mark) => ({ mark, at: json.indexOf(JSON.stringify(mark)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0];
}

/** Pads with white space, which JSON allows, so that the base64 has no padding and more can follow. */
function inThrees(json: string): string {
  return json + ' '.repeat((3 - (Buffer.byteLength(json) % 3)) % 3);
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}
