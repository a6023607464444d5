import { ELEMENT, TEXT, type TreeNode } from '../parse/tree.ts';

/** Everything on a page that may tell its title, its author or what it is about, in document order. */
export interface PageSignals {
  /** Contents by lower-case name or property. */
  readonly meta: ReadonlyMap<string, readonly string[]>;
  /** Of the title element. */
  readonly title: string;
  readonly headings: readonly string[];
  /** JSON-LD. */
  readonly scripts: readonly string[];
  /** Elements that say that they name an author. */
  readonly relAuthors: readonly TreeNode[];
  readonly itemAuthors: readonly TreeNode[];
  readonly classAuthors: readonly TreeNode[];
  /** The first paragraph of some length. */
  readonly paragraph: string | null;
  /** Types of schema.org in microdata. */
  readonly itemTypes: readonly string[];
  readonly articles: number;
}

const MAX_HEADINGS = 16;
const MAX_SCRIPTS = 32;
const MAX_AUTHORS = 8;
const MAX_VALUES = 8;
const MAX_NAMES = 200;
const MAX_ITEM_TYPES = 16;
const MAX_TEXT_CHARACTERS = 4000;
const MAX_TEXT_NODES = 2000;
const LEAST_PARAGRAPH_CHARACTERS = 80;

const UNREAD = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'SVG', 'BUTTON', 'SELECT', 'TEXTAREA', 'IFRAME']);
const INLINE = new Set([
  'A',
  'ABBR',
  'B',
  'BDI',
  'CODE',
  'EM',
  'FONT',
  'I',
  'MARK',
  'Q',
  'S',
  'SMALL',
  'SPAN',
  'STRONG',
  'SUB',
  'SUP',
  'U',
  'WBR',
]);
const AUTHOR_CLASS = /author|byline/i;
const LINKED_DATA_TYPE = /^\s*application\/ld\+json/i;

type Mutable = {
  -readonly [K in keyof PageSignals]: PageSignals[K] extends readonly (infer V)[] ? V[] : PageSignals[K];
};
type Collected = Omit<Mutable, 'meta'> & { readonly meta: Map<string, string[]> };

/** One walk over the tree, scripts and all. */
export function collectSignals(document: TreeNode): PageSignals {
  const signals: Collected = {
    meta: new Map(),
    title: '',
    headings: [],
    scripts: [],
    relAuthors: [],
    itemAuthors: [],
    classAuthors: [],
    paragraph: null,
    itemTypes: [],
    articles: 0,
  };
  let node = document.firstChild;
  while (node !== null) {
    if (node.nodeType === ELEMENT) collect(node, signals);
    node = (isSkipped(node) ? null : node.firstChild) ?? nextOutside(node, document);
  }
  return signals;
}

function isSkipped({ nodeName }: TreeNode): boolean {
  return UNREAD.has(nodeName);
}

function collect(node: TreeNode, signals: Collected): void {
  switch (node.nodeName) {
    case 'META':
      collectMeta(node, signals.meta);
      break;
    case 'TITLE':
      if (signals.title === '') signals.title = readText(node);
      break;
    case 'SCRIPT':
      if (signals.scripts.length < MAX_SCRIPTS && LINKED_DATA_TYPE.test(node.getAttribute('type') ?? ''))
        signals.scripts.push(node.firstChild?.data ?? '');
      break;
    case 'H1':
      if (signals.headings.length < MAX_HEADINGS) pushText(signals.headings, node);
      collectAuthor(node, signals);
      break;
    case 'P':
      if (signals.paragraph === null) signals.paragraph = readParagraph(node);
      collectAuthor(node, signals);
      break;
    case 'ARTICLE':
      signals.articles += 1;
      collectAuthor(node, signals);
      break;
    case 'LINK':
    case 'BODY':
    case 'HTML':
    case 'INPUT':
    case 'IMG':
      break;
    default:
      collectAuthor(node, signals);
  }
}

function pushText(texts: string[], node: TreeNode): void {
  const text = readText(node);
  if (text.trim() !== '') texts.push(text);
}

function readParagraph(node: TreeNode): string | null {
  const text = readText(node).trim();
  return text.length < LEAST_PARAGRAPH_CHARACTERS ? null : text;
}

function collectMeta(node: TreeNode, meta: Map<string, string[]>): void {
  const name = (
    node.getAttribute('property') ??
    node.getAttribute('name') ??
    node.getAttribute('itemprop')
  )?.toLowerCase();
  const content = node.getAttribute('content');
  if (name === undefined || content === null || content.trim() === '') return;
  const values = meta.get(name);
  if (values === undefined) {
    if (meta.size < MAX_NAMES) meta.set(name, [content]);
  } else if (values.length < MAX_VALUES) values.push(content);
}

function collectAuthor(node: TreeNode, signals: Collected): void {
  for (const { name, value } of node.attributes) {
    if (name === 'class' || name === 'data-testid') {
      if (signals.classAuthors.length < MAX_AUTHORS && AUTHOR_CLASS.test(value)) signals.classAuthors.push(node);
    } else if (name === 'rel') {
      if (signals.relAuthors.length < MAX_AUTHORS && value.includes('author')) signals.relAuthors.push(node);
    } else if (name === 'itemprop') {
      if (signals.itemAuthors.length < MAX_AUTHORS && (value === 'author' || value === 'creator'))
        signals.itemAuthors.push(node);
    } else if (name === 'itemtype') {
      if (signals.itemTypes.length < MAX_ITEM_TYPES) signals.itemTypes.push(value);
    }
  }
}

/** The text below an element, as far as it is read at all, with a space where a line may break. */
export function readText(root: TreeNode): string {
  let text = '';
  let node = root.firstChild;
  for (let nodes = 0; node !== null && nodes < MAX_TEXT_NODES && text.length < MAX_TEXT_CHARACTERS; nodes += 1) {
    if (node.nodeType === TEXT) text += node.data;
    else if (!INLINE.has(node.nodeName)) text += ' ';
    node = (isSkipped(node) ? null : node.firstChild) ?? nextOutside(node, root);
  }
  return text.slice(0, MAX_TEXT_CHARACTERS);
}

function nextOutside(node: TreeNode, root: TreeNode): TreeNode | null {
  let at: TreeNode | null = node;
  while (at !== null && at !== root) {
    if (at.nextSibling !== null) return at.nextSibling;
    at = at.parentNode;
  }
  return null;
}
