import { defined } from '../../exact/defined.ts';
import type { TreeNode } from '../parse/tree.ts';

/** Bits for what the tag, role, classes and id of an element say about it. */
export const NAME = {
  /** Part of a page's frame. */
  frame: 1,
  /** Part of the frame if it has no prose. Layouts use the same words for their columns. */
  weakFrame: 2,
  comments: 4,
  /** Shown when a reader opens it: a tab, an accordion. */
  disclosure: 8,
  /** The main content, or an article. */
  main: 16,
  /** Header of the page or of an article. */
  header: 32,
  /** Hidden by a class of a style sheet. */
  hidden: 64,
  reviews: 128,
  /** About an article, not part of its text: its author, tags, buttons. */
  articleDetail: 256,
  /** About a post of a thread: who wrote it, its votes, buttons. */
  postDetail: 512,
  /** The text of a post. */
  postText: 1024,
  /** Answers to expected questions. */
  questions: 2048,
  /** Who wrote an article. */
  author: 4096,
  /** An offer to the readers of an article. */
  offer: 8192,
  form: 16384,
  /** Only the id names the element as part of the frame. A person may have chosen the id for what the element is about. */
  fromId: 32768,
  /** Beside the text: an aside or a footer, of the page or of a part of its content. */
  beside: 65536,
} as const;

const TAGS: ReadonlyMap<string, number> = new Map([
  ['NAV', NAME.frame],
  ['ASIDE', NAME.beside],
  ['FOOTER', NAME.beside],
  ['MAIN', NAME.main],
  ['ARTICLE', NAME.main],
  ['HEADER', NAME.header],
  ['FORM', NAME.form],
]);
const ROLES: ReadonlyMap<string, number> = new Map([
  ...'navigation banner contentinfo search dialog alertdialog menu menubar'
    .split(' ')
    .map((role): [string, number] => [role, NAME.frame]),
  ['main', NAME.main],
  ['complementary', NAME.beside],
  ['tabpanel', NAME.disclosure],
]);

const WORDS: readonly (readonly [number, string])[] = [
  [
    NAME.frame,
    'hamburger footer masthead topbar toolbar breadcrumb ' +
      'breadcrumbs crumbs pagination pager cookie cookies consent gdpr newsletter subscribe signup login signin popup ' +
      'dialog lightbox drawer flyout popover tooltip share sharing social related recommend recommended ' +
      'recommendation recommendations recirculation upsell advert advertisement ads sponsored minicart cart basket ' +
      'wishlist copyright skip announcement',
  ],
  [
    NAME.weakFrame,
    'nav navbar navigation navgroup subnav submenu megamenu sidebar sidenav menu banner promo modal overlay filter filters facet facets faceted form extras avatar reactions',
  ],
  [NAME.comments, 'comment comments disqus respond replies'],
  [NAME.reviews, 'review reviews rating ratings'],
  [
    NAME.articleDetail,
    'actions button buttons btn disclaimer disclosure toc links tags topics ' +
      'categories promotion follow print email more readmore latest trending popular next previous prev credit credits',
  ],
  [
    NAME.postDetail,
    'profile userinfo signature actions action controls control button buttons badge badges info details stats rank ' +
      'title votes likes edit expand',
  ],
  [NAME.author, 'author authors bio byline contributor'],
  [NAME.offer, 'cta'],
  [NAME.questions, 'faq faqs'],
  [NAME.postText, 'content body text container main quote bb'],
  [
    NAME.disclosure,
    'tab tabs tabpanel accordion collapse collapsed collapsible panel toggle expand expanded expandable content ' +
      'answer description detail details more full',
  ],
];

const bitsOfWord = new Map<string, number>();
for (const [bit, words] of WORDS) {
  for (const word of words.split(' ')) bitsOfWord.set(word, (bitsOfWord.get(word) ?? 0) | bit);
}

/** Classes that hide an element in common style sheets. */
const UTILITIES: ReadonlyMap<string, number> = new Map(
  'hidden hide d-none is-hidden u-hidden mfp-hide uk-hidden visually-hidden visuallyhidden sr-only'
    .split(' ')
    .map((name) => [name, NAME.hidden]),
);
/** A class that shows a hidden element on some screens, such as `md:block` or `d-lg-flex`. */
const SHOWN = /(?:^|[:-])(?:block|flex|grid|inline|inline-block|inline-flex|table|table-cell|contents|show|visible)$/;

/** A name with more words is the title of the content. */
const MAX_WORDS = 5;
/** Words after these say what a page or an element has, or what it is about. */
const NOT_ROLE = new Set(['has', 'with', 'no', 'not', 'without', 'category', 'tag']);

const ANY = -1;
/** An id with so many parts is made of a title, and one with a dot is the name of something in a program. */
const SLUG = /^[^-]+(?:-[^-]+){4}|\w\.\w/;
/** Ids of parts of a text are often made of its headings. */
const FROM_CLASS = NAME.articleDetail | NAME.author | NAME.offer | NAME.postDetail | NAME.hidden;

/** Names for which a part is left out, unless it is content. */
export const OF_FRAME = NAME.frame | NAME.weakFrame | NAME.comments | NAME.reviews;

/** Bits of known values. Pages use the same few values often. */
const known = new Map<string, number>();
const MAX_KNOWN = 5000;
const MAX_VALUE_CHARACTERS = 300;

/** The bits of `NAME` for an element. Tags, roles and words that say nothing have no bits. */
export function namesOf(node: TreeNode): number {
  const { attributes } = node;
  let bits = TAGS.get(node.nodeName) ?? 0;
  let ofId = 0;
  // Not for-of, which takes longer until the code is optimized.
  for (let index = 0; index < attributes.length; index += 1) {
    const { name, value } = defined(attributes[index]);
    if (name === 'class') {
      if (value !== '') bits |= bitsOf(value);
    } else if (name === 'id') ofId = bitsOf(value) & (SLUG.test(value) ? NAME.disclosure : ~FROM_CLASS);
    else if (name === 'role') bits |= ROLES.get(value) ?? 0;
  }
  return (ofId & OF_FRAME) !== 0 && (bits & OF_FRAME) === 0 ? bits | ofId | NAME.fromId : bits | ofId;
}

function bitsOf(value: string): number {
  const found = known.get(value);
  if (found !== undefined) return found;
  let bits = 0;
  const names = value.slice(0, MAX_VALUE_CHARACTERS).split(/\s+/);
  for (const name of names) bits |= UTILITIES.get(name) ?? bitsOfName(name);
  if ((bits & NAME.hidden) !== 0 && names.some((name) => SHOWN.test(name))) bits &= ~NAME.hidden;
  // A copy, because the value is a slice of the page and would keep the page in memory.
  if (known.size < MAX_KNOWN && value.length <= MAX_VALUE_CHARACTERS) known.set(` ${value}`.slice(1), bits);
  return bits;
}

function bitsOfName(name: string): number {
  let bits = 0;
  const words = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/);
  let believed = words.length > MAX_WORDS ? NAME.disclosure : ANY;
  for (const word of words) {
    const lower = word.toLowerCase();
    if (NOT_ROLE.has(lower)) believed = NAME.disclosure;
    bits |= (bitsOfWord.get(lower) ?? 0) & believed;
  }
  return bits;
}
