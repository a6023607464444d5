/** Letters at the beginning of a word, where they differ from those inside. */
const FIRST: Readonly<Record<string, string>> = { є: 'ye', ї: 'yi', й: 'y', ю: 'yu', я: 'ya' };
const LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'а=a б=b в=v г=h ґ=g д=d е=e є=ie ж=zh з=z и=y і=i ї=i й=i к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts ч=ch ' +
    'ш=sh щ=shch ь= ю=iu я=ia'
  )
    .split(' ')
    .map((pair) => pair.split('=')),
);
const WORD = /[\p{Script=Cyrillic}'’ʼ]+/gu;

/** A Ukrainian name in Latin letters (Cabinet of Ministers of Ukraine, resolution 55 of 2010). Others stay as they are. */
export function romanized(name: string, countryCode: string): string {
  if (countryCode !== 'UA') return name;
  return name.replace(WORD, (word) => {
    const plain = word.toLowerCase().replace(/['’ʼ]/g, '').replaceAll('зг', 'zgh');
    const latin = [...plain]
      .map((letter, at) => (at === 0 ? FIRST[letter] : undefined) ?? LETTERS[letter] ?? letter)
      .join('');
    return /^\p{Lu}/u.test(word) ? latin.charAt(0).toUpperCase() + latin.slice(1) : latin;
  });
}
