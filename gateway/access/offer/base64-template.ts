import { defined } from '../../../workers/exact/defined.ts';

/** Fills the marks of a JSON text with values, which are JSON texts, and returns its base64. */
export type Base64Template = (...values: readonly string[]) => string;

/**
 * Encodes the constant parts once: every unsigned request needs an offer.
 * @param json contains each mark once, in the order of `marks`, as a string value
 */
export function createBase64Template(json: string, marks: readonly string[]): Base64Template {
  const parts: string[] = [];
  let rest = json;
  for (const mark of marks) {
    const [before, after, ...more] = rest.split(JSON.stringify(mark));
    if (before === undefined || after === undefined || more.length > 0) throw new Error(`no single mark ${mark}`);
    parts.push(toBase64(inThrees(before)));
    rest = after;
  }
  const last = toBase64(rest);
  return (...values) => {
    if (values.length !== parts.length) throw new RangeError(`${values.length} values for ${parts.length} marks`);
    return parts.map((part, index) => part + toBase64(inThrees(defined(values[index])))).join('') + last;
  };
}

/** Pads with white space, which JSON allows, so that the base64 has no padding and more can follow. */
function inThrees(json: string): string {
  return json + ' '.repeat((3 - (Buffer.byteLength(json) % 3)) % 3);
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64');
}
