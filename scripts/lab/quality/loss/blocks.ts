import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { squeeze } from './squeeze.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;
type Child = DefaultTreeAdapterTypes.ChildNode;

export type BlockKind = 'heading' | 'paragraph' | 'item' | 'code' | 'cell' | 'term';

/** A piece of a page that a reader sees as one. */
export interface Block {
  readonly kind: BlockKind;
  /** Its text, split where a converter may write something else: at formulas, raised characters and notes. */
  readonly parts: readonly string[];
}

const KINDS: ReadonlyMap<string, BlockKind> = new Map([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag): [string, BlockKind] => [tag, 'heading']),
  ...['p', 'caption', 'figcaption', 'summary'].map((tag): [string, BlockKind] => [tag, 'paragraph']),
  ['li', 'item'],
  ['dd', 'item'],
  ['pre', 'code'],
  ['td', 'cell'],
  ['th', 'cell'],
  ['dt', 'term'],
]);
const UNREAD_TAGS = new Set(
  'head script style template noscript nav select datalist textarea svg iframe object video audio'.split(' '),
);
/** Classes and ids that generators give to links between pages, to numbers of lines and to text for screen readers. */
const UNREAD_NAMES = new Set(
  (
    'toc tableofcontents contents headerlink hash-link anchor-link navheader navfooter nav-panel navigation sub-nav top-nav ' +
    'sphinxsidebar related toplang bottomtext quickview mw-editsection sr-only visually-hidden linenos lineno gutter lnt ' +
    'hljs-ln-numbers blob-num copy dropdown-menu'
  ).split(' '),
);
const UNREAD_ROLES = new Set('navigation banner contentinfo search menu menubar toolbar'.split(' '));
const REWRITTEN_TAGS = new Set(['math', 'sup', 'sub', 'rt', 'rp', 'img', 'mjx-container']);
const REWRITTEN_NAMES = new Set(['katex', 'mathjax', 'mathjax_display', 'mwe-math-element', 'footnote-reference']);

type Sign = (element: Element) => boolean;
const hasName = (name: string) => (element: Element) => namesOf(element).includes(name);
/** Signs of the main part, the surest first. */
const SURE_SIGNS: readonly Sign[] = [
  (element) => attribute(element, 'role') === 'main',
  ...['apicontent', 'page-content', 'mw-content-text'].map(hasName),
  (element) => element.tagName === 'main',
];
/** Signs of the main part if it holds most of the text of its page. */
const SIGNS: readonly Sign[] = [
  (element) => element.tagName === 'article',
  ...['main-content', 'innertube', 'content', 'document', 'body'].map(hasName),
];
const MIN_MAIN_SHARE = 0.5;
const MAX_FOOTER_LETTERS = 300;

/** The blocks of the main part of a page, without its frame. Parts without letters and digits are left out. */
export function readBlocks(html: string): readonly Block[] {
  const blocks: Block[] = [];
  collect(mainPartOf(parse(html)), blocks);
  return blocks
    .map(({ kind, parts }) => ({ kind, parts: parts.filter((part) => squeeze(part) !== '') }))
    .filter(({ parts }) => parts.length > 0);
}

/** The text around a block within another one is a block of its own before it, and one after it. */
function collect(root: Parent, blocks: Block[]): void {
  let parts: string[] = [''];
  const close = (kind: BlockKind | undefined) => {
    if (kind !== undefined) blocks.push({ kind, parts });
    parts = [''];
  };
  const visit = (node: Child, kind: BlockKind | undefined) => {
    if (defaultTreeAdapter.isTextNode(node)) parts.push(`${parts.pop()}${node.value}`);
    if (!defaultTreeAdapter.isElementNode(node) || isUnread(node)) return;
    if (kind === 'code' && node.tagName === 'button') return;
    if (isRewritten(node)) {
      parts.push('');
      return;
    }
    const own = KINDS.get(node.tagName);
    if (own !== undefined) close(kind);
    for (const child of node.childNodes) visit(child, own ?? kind);
    if (own !== undefined) close(own);
  };
  for (const child of root.childNodes) visit(child, undefined);
}

function mainPartOf(document: Parent): Parent {
  const elements = elementsIn(document);
  const size = letterCount(document);
  const isLarge = (element: Element) => letterCount(element) >= MIN_MAIN_SHARE * size;
  const firstOf = (signs: readonly Sign[], isMain: Sign) => {
    for (const sign of signs) {
      const main = elements.find((element) => sign(element) && isMain(element));
      if (main !== undefined) return main;
    }
    return undefined;
  };
  return firstOf(SURE_SIGNS, (element) => letterCount(element) > 0) ?? firstOf(SIGNS, isLarge) ?? document;
}

function isUnread(element: Element): boolean {
  if (UNREAD_TAGS.has(element.tagName) || isListOfSections(element)) return true;
  if (element.attrs.length === 0) return false;
  const hidden = attribute(element, 'hidden');
  if (hidden !== undefined && hidden !== 'until-found') return true;
  if (attribute(element, 'aria-hidden') === 'true' || UNREAD_ROLES.has(attribute(element, 'role') ?? '')) return true;
  if (/display\s*:\s*none/i.test(attribute(element, 'style') ?? '')) return true;
  if (isShortFooter(element)) return true;
  // A heading may have any name.
  return !KINDS.has(element.tagName) && namesOf(element).some((name) => UNREAD_NAMES.has(name));
}

/** A footer with more text, a heading or code may be content. */
function isShortFooter(element: Element): boolean {
  if (element.tagName !== 'div' || !namesOf(element).includes('footer')) return false;
  const isContent = ({ tagName }: Element) => KINDS.get(tagName) === 'heading' || tagName === 'pre';
  return letterCount(element) <= MAX_FOOTER_LETTERS && !elementsIn(element).some(isContent);
}

function isRewritten(element: Element): boolean {
  return REWRITTEN_TAGS.has(element.tagName) || namesOf(element).some((name) => REWRITTEN_NAMES.has(name));
}

/** Whether a list only has links to parts of its own page: a table of contents. */
function isListOfSections(element: Element): boolean {
  if (element.tagName !== 'ul' && element.tagName !== 'ol' && element.tagName !== 'dl') return false;
  const links = elementsIn(element).filter(({ tagName }) => tagName === 'a');
  if (links.length < 2 || !links.every((link) => attribute(link, 'href')?.startsWith('#'))) return false;
  return links.reduce((sum, link) => sum + letterCount(link), 0) >= letterCount(element);
}

function elementsIn(root: Parent, elements: Element[] = []): readonly Element[] {
  for (const node of root.childNodes) {
    if (!defaultTreeAdapter.isElementNode(node)) continue;
    elements.push(node);
    elementsIn(node, elements);
  }
  return elements;
}

/** Letters and digits that a reader sees, roughly: frames are counted too. */
function letterCount(root: Parent): number {
  return root.childNodes.reduce((sum, node) => {
    if (defaultTreeAdapter.isTextNode(node)) return sum + squeeze(node.value).length;
    if (!defaultTreeAdapter.isElementNode(node) || UNREAD_TAGS.has(node.tagName)) return sum;
    return sum + letterCount(node);
  }, 0);
}

function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}

function namesOf(element: Element): readonly string[] {
  if (element.attrs.length === 0) return [];
  return `${attribute(element, 'id') ?? ''} ${attribute(element, 'class') ?? ''}`.toLowerCase().split(/\s+/);
}
