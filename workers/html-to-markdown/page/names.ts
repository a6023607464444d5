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
} as const;

const TAGS: ReadonlyMap<string, number> = new Map([
  ['NAV', NAME.frame],
  ['ASIDE', NAME.frame],
  ['FOOTER', NAME.frame],
  ['MAIN', NAME.main],
  ['ARTICLE', NAME.main],
  ['HEADER', NAME.header],
]);
const ROLES: ReadonlyMap<string, number> = new Map([
  ...'navigation banner contentinfo search complementary dialog alertdialog menu menubar'
    .split(' ')
    .map((role): [string, number] => [role, NAME.frame]),
  ['main', NAME.main],
  ['tabpanel', NAME.disclosure],
]);

const WORDS: readonly (readonly [number, string])[] = [
  [
    NAME.frame,
    'nav navbar navigation navgroup subnav submenu megamenu hamburger footer masthead topbar toolbar breadcrumb ' +
      'breadcrumbs crumbs pagination pager cookie cookies consent gdpr newsletter subscribe signup login signin popup ' +
      'dialog lightbox drawer flyout popover tooltip share sharing social related recommend recommended ' +
      'recommendation recommendations recirculation upsell advert advertisement ads sponsored minicart cart basket ' +
      'wishlist copyright skip announcement review reviews rating ratings',
  ],
  [
    NAME.weakFrame,
    'sidebar sidenav menu banner promo modal overlay filter filters facet facets faceted form extras avatar ' +
      'signature reactions',
  ],
  [NAME.comments, 'comment comments disqus respond replies'],
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

/** Bits of known values. Pages use the same few values often. */
const known = new Map<string, number>();
const MAX_KNOWN = 5000;
const MAX_VALUE_CHARACTERS = 300;

/** The bits of `NAME` for an element. Tags, roles and words that say nothing have no bits. */
export function namesOf(node: TreeNode): number {
  let bits = TAGS.get(node.nodeName) ?? 0;
  for (const { name, value } of node.attributes) {
    if (name === 'class' || name === 'id') {
      if (value !== '') bits |= bitsOf(value);
    } else if (name === 'role') bits |= ROLES.get(value) ?? 0;
  }
  return bits;
}

function bitsOf(value: string): number {
  const found = known.get(value);
  if (found !== undefined) return found;
  let bits = 0;
  for (const word of value.slice(0, MAX_VALUE_CHARACTERS).split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)) {
    bits |= bitsOfWord.get(word.toLowerCase()) ?? 0;
  }
  // A copy, because the value is a slice of the page and would keep the page in memory.
  if (known.size < MAX_KNOWN && value.length <= MAX_VALUE_CHARACTERS) known.set(` ${value}`.slice(1), bits);
  return bits;
}
