import test from 'ava';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';

/** What must be in the result, and what must not. */
export interface Wanted {
  readonly has?: readonly string[];
  readonly not?: readonly string[];
  /** One of each list must be in the Markdown. Used where several forms are right. */
  readonly oneOf?: readonly (readonly string[])[];
  /** How often a text must be in the Markdown. */
  readonly count?: readonly [text: string, times: number];
  readonly title?: string;
  readonly byline?: string | null;
  readonly excerptHas?: string;
  readonly excerptNot?: string;
}

/** An input, named by the title of its test, and what its result must have. */
export type Case = readonly [what: string, html: string, wanted: Wanted];

export const SOURCE_URL = 'https://example.org/docs/page';

export function testCases(cases: readonly Case[]): void {
  for (const [what, html, wanted] of cases) test(what, (t) => t.deepEqual(faultsOf(html, wanted), []));
}

function faultsOf(html: string, wanted: Wanted): readonly string[] {
  const { markdown, title, byline, excerpt } = htmlToMarkdown({ html, sourceUrl: SOURCE_URL });
  const { has = [], not = [], oneOf = [], count } = wanted;
  const faults = [
    ...has.filter((text) => !markdown.includes(text)).map((text) => `lacks ${JSON.stringify(text)}`),
    ...not.filter((text) => markdown.includes(text)).map((text) => `has ${JSON.stringify(text)}`),
    ...oneOf
      .filter((texts) => !texts.some((text) => markdown.includes(text)))
      .map((texts) => `has none of ${JSON.stringify(texts)}`),
  ];
  if (count !== undefined) {
    const times = markdown.split(count[0]).length - 1;
    if (times !== count[1]) faults.push(`has ${JSON.stringify(count[0])} ${times} times, not ${count[1]}`);
  }
  if (wanted.title !== undefined && title !== wanted.title) faults.push(`the title is ${JSON.stringify(title)}`);
  if (wanted.byline !== undefined && byline !== wanted.byline) faults.push(`the byline is ${JSON.stringify(byline)}`);
  const { excerptHas, excerptNot } = wanted;
  if (excerptHas !== undefined && !excerpt?.includes(excerptHas)) faults.push(`the excerpt is ${excerpt}`);
  if (excerptNot !== undefined && excerpt?.includes(excerptNot)) faults.push(`the excerpt is ${excerpt}`);
  return faults.length === 0 ? faults : [...faults, markdown.slice(0, 2000)];
}

const ENGLISH = [
  'The harbor of Kelm lies in a bay that faces north. Ice closes it for six weeks in most winters, so the fishing boats are hauled up on the shingle in November and painted there.',
  'Every spring the council measures how deep the channel is. The figures go into a table that hangs in the harbor office, where pilots read it before they bring in a larger ship.',
  'A lamp was put on the outer mole in 1887. It burned oil until the first cable reached the island, and the keeper climbed ninety steps with a can each evening.',
  'Sailors complained that the bell could not be heard in fog. The town therefore bought a horn, which frightened the sheep on the far bank for one whole summer.',
  'Timber came down the river in rafts and was stacked along the quay. Children earned a coin for each hook that they found in the mud after the rafts had gone.',
  'The customs house has thick walls and small windows, because it once held wine. Today a baker rents the cellar, and the upper floor belongs to a choir.',
  'Two ferries share the crossing. The older one carries carts and cattle, while the newer one takes passengers and mail and needs less than half an hour.',
  'When the wind turns to the east, the water in the basin falls by an arm. Boats with a deep keel wait outside until it has risen again.',
  'Rope was made in a shed three hundred meters long. The walkers went backward all day with hemp around their waists, and talked about everything they saw.',
  'The school taught navigation on winter evenings. A pupil had to find the island on a blank chart before he was allowed to take the oral examination.',
] as const;
const GERMAN = [
  'Der Hafen von Kelm liegt in einer Bucht, die sich nach Norden öffnet. In strengen Wintern friert er für sechs Wochen zu, weshalb die Boote im November an Land gezogen werden.',
  'Jedes Frühjahr misst die Stadt die Tiefe der Fahrrinne. Die Werte stehen in einer Tafel, die im Hafenamt hängt und die jeder Lotse vor der Einfahrt liest.',
  'Auf der äußeren Mole steht seit 1887 ein Leuchtfeuer. Bis das erste Kabel die Insel erreichte, stieg der Wärter jeden Abend mit einer Kanne Öl hinauf.',
] as const;
const FRENCH = [
  'Le port de Kelm se trouve dans une baie ouverte vers le nord. La glace le ferme six semaines par an, et les bateaux restent alors sur la grève, où on les repeint.',
  'Chaque printemps, la ville mesure la profondeur du chenal. Les chiffres sont affichés au bureau du port, où les pilotes les lisent avant de faire entrer un navire.',
  'Une lampe brûle sur le môle depuis 1887. Avant le premier câble, le gardien montait tous les soirs quatre-vingt-dix marches avec un bidon à la main.',
] as const;
const RUSSIAN = [
  'Гавань Кельма лежит в бухте, открытой на север. Каждую зиму лёд закрывает её на шесть недель, поэтому лодки вытаскивают на берег и красят там до весны.',
  'Весной город измеряет глубину фарватера. Числа записывают в таблицу, которая висит в конторе порта, и лоцманы читают её перед тем, как ввести корабль.',
  'На внешнем молу с 1887 года горит фонарь. Пока не было кабеля, смотритель каждый вечер поднимался по девяноста ступеням с бидоном масла.',
] as const;
const JAPANESE = [
  'ケルムの港は北に開いた湾の中にある。冬になると六週間ほど氷に閉ざされるので、漁船は十一月に浜へ引き上げられ、そこで塗り直される。',
  '毎年の春、町は水路の深さを測る。その数字は港の事務所に掲げられた表に書かれ、水先人は大きな船を入れる前に必ずそれを読む。',
  '外側の突堤には一八八七年から灯りがある。最初の電線が島に届くまで、番人は毎晩油の缶を持って九十段を登った。',
] as const;
const ARABIC = [
  'يقع ميناء كيلم في خليج مفتوح نحو الشمال. يغلقه الجليد ستة أسابيع في معظم فصول الشتاء، ولذلك تُسحب القوارب إلى الشاطئ في نوفمبر وتُطلى هناك.',
  'في كل ربيع تقيس المدينة عمق القناة. تُكتب الأرقام في جدول معلق في مكتب الميناء، ويقرؤه المرشدون قبل إدخال أي سفينة كبيرة.',
  'يوجد مصباح على الرصيف الخارجي منذ عام ١٨٨٧. كان الحارس يصعد تسعين درجة كل مساء وهو يحمل وعاء الزيت حتى وصل أول سلك إلى الجزيرة.',
] as const;
const TEXTS = { en: ENGLISH, de: GERMAN, fr: FRENCH, ru: RUSSIAN, ja: JAPANESE, ar: ARABIC } as const;
export type Language = keyof typeof TEXTS;

/** Paragraphs of prose, none twice. */
export function prose(count: number, from = 0, lang: Language = 'en'): string {
  const texts: readonly string[] = TEXTS[lang];
  return texts
    .slice(from, from + count)
    .map((text) => `<p>${text}</p>`)
    .join('\n');
}

export interface PageOptions {
  readonly title?: string;
  readonly head?: string;
  /** Language tag of the page. */
  readonly lang?: string;
}

/** A whole page. Its main content is selected. */
export function page(body: string, { title = 'Harbor handbook', head = '', lang = 'en' }: PageOptions = {}): string {
  return `<!doctype html><html lang="${lang}"><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
}

/** A page of documentation with `part` between other prose. */
export function guide(part: string, lang: Language = 'en'): string {
  return page(`<main><h1>Kelm</h1>${prose(2, 0, lang)}${part}<h2>Kelm 1887</h2>${prose(1, 2, lang)}</main>`, { lang });
}

const IS_ARTICLE = '<meta property="og:type" content="article">';

/** An article with `part` as its whole text. */
export function article(part: string, { title = 'Harbor handbook', head = '', lang = 'en' }: PageOptions = {}): string {
  return page(`<article><h1>${title}</h1>${part}</article>`, { title, head: IS_ARTICLE + head, lang });
}
