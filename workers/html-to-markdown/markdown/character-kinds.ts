/** What a text holds, as bits. */
export const KIND = {
  plain: 1,
  space: 2,
  /** White space that is not to be written as it is: tabs, line feeds, the second of two spaces. */
  irregularSpace: 4,
  control: 8,
  /** May be mark-up wherever it stands. */
  special: 16,
} as const;

const KIND_OF = new Uint8Array(128).fill(KIND.plain);
for (let code = 0; code < 0x20; code += 1) KIND_OF[code] = KIND.control;
KIND_OF[0x7f] = KIND.control;
for (const character of '\t\n\f\r') KIND_OF[character.charCodeAt(0)] = KIND.irregularSpace;
KIND_OF[0x20] = KIND.space;
for (const character of '\\*_`[]<&~!') KIND_OF[character.charCodeAt(0)] = KIND.special;

/** The kinds of all characters of a text, in one look at each: most texts need no other. */
export function characterKinds(text: string): number {
  let kinds = 0;
  let before = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (KIND_OF[code] ?? 0) : KIND.plain;
    kinds |= kind === KIND.space && before === KIND.space ? KIND.irregularSpace : kind;
    before = kind;
  }
  return kinds;
}

export function isSpecial(code: number): boolean {
  return code < 128 && KIND_OF[code] === KIND.special;
}
