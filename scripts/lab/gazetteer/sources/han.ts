import { readTextIn } from './sources.ts';

/** Traditional and simplified characters of Open Chinese Convert (https://github.com/BYVoid/OpenCC), the most usual for each. */
const [SIMPLIFIED, TRADITIONAL] = (['TSCharacters', 'STCharacters'] as const).map((table) => {
  const [, entries = ''] = /"([^"]+)"/.exec(readTextIn('opencc-js', `dist/esm-lib/dict/${table}.js`)) ?? [];
  return new Map(
    entries
      .split('|')
      .map((entry) => entry.split(' '))
      .map(([from = '', to = '']) => [from, to]),
  );
});

const HAN = /\p{Script=Han}/gu;

export function simplified(name: string): string {
  return name.replace(HAN, (character) => SIMPLIFIED?.get(character) ?? character);
}

export function traditional(name: string): string {
  return name.replace(HAN, (character) => TRADITIONAL?.get(character) ?? character);
}
