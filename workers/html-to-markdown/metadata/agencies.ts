import { keyOf } from './plain-string.ts';

/** What may separate a name from that of an agency, a paper or a school. */
const SEPARATOR = /(\s*[,|/;(]\s*|\s+[–—·•-]\s+|\s+(?:for|of|von)\s+)/iu;
const JOINING_WORD = /\p{L}/u;
const FOR = /for/i;
/** Short names that no person has. */
const AGENCIES = new Set(
  (
    'reuters afp ap dpa ansa efe tass xinhua upi pti ani ians cnn bbc npr abc nbc cbs pbs bloomberg pa apa sda ats kna epd sid ' +
    'ntb tt ritzau stt belga anp pap ctk mti interfax kyodo jiji yonhap afx politico axios propublica'
  ).split(' '),
);
/** Words of the names of organizations, in some of their languages, which are not surnames. */
const ORGANISATION =
  /(?:^|\s)(?:news|newspapers?|newswire|newsroom|agency|agence|agencia|agência|agenzia|agentur|presse-agentur|france-presse|times|tribune|gazette|herald|chronicle|magazine|media|network|university|universität|université|universidad|institute|institut|college|bureau|foundation|association|broadcasting|television|radio|images|company|corporation|zeitung|inc|ltd|llc|gmbh|society|university's|агентство|новости)(?:\.?$|\s)/iu;
const PRESS =
  /^(?:the\s)?(?:[\p{L}-]+\s)?(?:associated|canadian|united|european|press|deutsche|free)\s(?:press|association)(?:\s|$)/iu;
const ARTICLE = /^the\s/i;
/** Credits of others, beside the author's. */
const OTHER_WORK =
  /^(?:photos?|photographs?|photography|fotos?|fotograf(?:ie|ía|ia|ii?)?|фото|bild(?:er)?|bilde|video|grafiken?|illustrations?)(?=[\s:：]|$)/iu;
const AND = /^(?:and|und|et|y|e|och|og|&)\s/iu;

/** Names without those of the agencies that they work for: "John Smith" in "John Smith, Associated Press". */
export function withoutAgencies(names: string): string {
  const [first = '', ...rest] = names.split(SEPARATOR);
  if (rest.length === 0 || isOrganisation(first)) return names;
  let kept = first;
  for (let at = 0; at < rest.length; at += 2) {
    const separator = rest[at] ?? '';
    const name = rest[at + 1] ?? '';
    const isWord = JOINING_WORD.test(separator);
    // A name of one word before "of" is that of a thing: "School of Media".
    const isLeftOut = isWord
      ? first.includes(' ') && (isOrganisation(name) || FOR.test(separator))
      : isOrganisation(name);
    if (!isLeftOut) kept += separator + name;
  }
  return kept;
}

function isOrganisation(name: string): boolean {
  const own = name.replace(AND, '').replace(/\)$/, '');
  return (
    OTHER_WORK.test(own) || AGENCIES.has(keyOf(own)) || ARTICLE.test(own) || PRESS.test(own) || ORGANISATION.test(own)
  );
}
