/** The letters of each script. */
const ALPHABETS: readonly (readonly [RegExp, string])[] = [
  [/^[a-z]+$/, 'abcdefghijklmnopqrstuvwxyz'],
  [/^\p{Script=Cyrillic}+$/u, 'абвгдежзиклмнопрстуфхцчшщъыьэюяієґџљњћђј'],
  [/^\p{Script=Greek}+$/u, 'αβγδεζηθικλμνξοπρστυφχψως'],
  [/^\p{Script=Arabic}+$/u, 'ءابتثجحخدذرزسشصضطظعغفقكلمنهوي'],
  [/^\p{Script=Hebrew}+$/u, 'אבגדהוזחטיכךלמםנןסעפףצץקרשת'],
];

/**
 * Every word that is one error away: a letter too many, one too few, another letter, or two letters exchanged (Damerau's
 * four kinds, which are four fifths of all misspellings), or in which up to two doubled letters are others: Phillipines. None
 * for words of other scripts.
 */
export function* misspellingsOf(word: string): Generator<string> {
  const alphabet = ALPHABETS.find(([script]) => script.test(word))?.[1];
  if (alphabet === undefined) return;
  for (let at = 0; at <= word.length; at++) {
    const before = word.slice(0, at);
    const after = word.slice(at);
    const rest = after.slice(1);
    if (after !== '') yield before + rest;
    if (rest !== '') yield before + rest.charAt(0) + after.charAt(0) + rest.slice(1);
    for (const letter of alphabet) {
      if (after !== '') yield before + letter + rest;
      yield before + letter + after;
    }
  }
  yield* doublingsOf(word);
}

/** If a word has a doubled letter, every word with its letters of which one or two are doubled. */
function* doublingsOf(word: string): Generator<string> {
  const plain = word.replace(/(.)\1+/gu, '$1');
  if (plain === word) return;
  const doubled = (text: string, at: number) => text.slice(0, at) + text.charAt(at) + text.slice(at);
  for (let last = 0; last < plain.length; last++) {
    const one = doubled(plain, last);
    yield one;
    for (let first = 0; first < last; first++) yield doubled(one, first);
  }
}
