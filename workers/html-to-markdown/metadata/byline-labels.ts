const BY =
  /^(?:.{0,40}?\b)?(?:(?:article|story|words|text|post|posted|written|published|reviewed|edited|created|submitted|contributed|authored|started|asked)\s+by|^by)(?=$|[\s:])[\s:]*/iu;
/** Words for an author or a text, with what else the same person made: "Text und Fotos:". */
const AUTHOR =
  'authors?|writer|written|words|about the author|autor(?:[aei]|es|as|in)?|auteure?s?|autrice|forfatter|författare|skribent|kirjoittaja|текст|автор(?:ы|и|а)?(?: текста)?|автор статьи|tekst|texte?|texto|testo|teksti|yazan|yazar|szerző|συντάκτης|الكاتب|كتب|کاتب|נכתב על ידי|penulis|oleh|tác giả|ผู้เขียน';
const BESIDE = String.raw`(?:\s*(?:und|and|och|og|et|en|e|y|и|&|\+)\s+\p{L}{3,14})?`;
const PREPOSITION = 'von|par|por|di|da|door|av|af|från|fra|od|przez|від|от|de';
/** "Written by" in other languages. */
const WRITTEN = new RegExp(
  String.raw`^(?:geschrieben|verfasst|veröffentlicht|aufgezeichnet|ein (?:artikel|beitrag|gastbeitrag|kommentar|bericht)|écrit|rédigé|publié|posté|escrito|publicado|redactado|scritto|pubblicato|geschreven|gepubliceerd|skrevet|skriven|skrivet|publisert|publicerad) (?:${PREPOSITION})\s*:?\s+`,
  'iu',
);
const WITH_COLON = new RegExp(String.raw`^(?:(?:${AUTHOR})${BESIDE}|${PREPOSITION})\s*[:：/／|]\s*`, 'iu');
/** Scripts without capitals. These words are no names, so no sign need follow. */
const WITHOUT_CASE =
  /^(?:(?:作者|記者|记者|撰文|著者|執筆者?)\s*[:：/／|]?\s*|文(?:\s*[:：/／|]\s*|\s+)|글(?:\s*[·・,]\s*사진)?(?:\s*[:：/／]\s*|\s+)|(?:بقلم|كتبه|מאת)\s*[:：]?\s*)(?=\p{Lo})/u;
const LABELS = [WRITTEN, WITH_COLON, WITHOUT_CASE];
/** What reporters are called after their names. */
const REPORTER = /(?:\s+기자|(?:\s*[／/]\s*\p{Script=Han}{1,6})?\s*(?:特派員|特派员|報導|報道|报道))(?:\s.*)?$/u;

/**
 * Words that introduce a name without a colon, and the number of capitalized words that must follow. Those that begin surnames
 * need two: "Von Max Mustermann" names Max Mustermann, and "Von Miller", "Di Canio" and "Da Vinci" are names. So a byline that
 * begins with a surname of three words, such as "Da Silva Santos", loses its first one.
 */
const NAMES_AFTER: ReadonlyMap<string, number> = new Map([
  ...'par por door av från przez автор текст tekst texte texto testo autor autora auteur yazan yazar'
    .split(' ')
    .map((word): [string, number] => [word, 1]),
  ...'von di da af fra od от від text author writer'.split(' ').map((word): [string, number] => [word, 2]),
]);
const FIRST_WORD = /^(\p{L}+)\s+(?=\S)/u;
const ONE_NAME = /^\p{Lu}/u;
const TWO_NAMES = /^\p{Lu}[^\s,]*\s+(?:\p{Ll}{1,4}\s+){0,3}\p{Lu}/u;

/** The text after the words that introduce a name, and without those that follow it. The text itself if there are none. */
export function withoutLabel(text: string): string {
  for (const label of /by/i.test(text) ? [BY, ...LABELS] : LABELS) {
    const rest = text.replace(label, '');
    if (rest !== text) return rest.replace(REPORTER, '').trim();
  }
  const [label, word = ''] = FIRST_WORD.exec(text) ?? [''];
  const least = NAMES_AFTER.get(word.toLowerCase());
  const rest = text.slice(label.length);
  if (least !== undefined && (least === 1 ? ONE_NAME : TWO_NAMES).test(rest)) return rest;
  return text.replace(REPORTER, '').trim();
}
