import { ELEMENT, nextOutside, TEXT, type TreeNode } from '../parse/tree.ts';
import { AuthorMarks } from './author-marks.ts';
import { readHeading, readText, UNREAD } from './plain-text.ts';
import { namesTheme } from './site-names.ts';
import { partsOfTitle } from './title.ts';

const MAX_HEADINGS = 16;
const MAX_SCRIPTS = 32;
const MAX_NAMES = 200;
const MAX_VALUES = 8;
const MAX_ITEM_TYPES = 16;
const MAX_THEME_SHEETS = 8;
const TITLE_CLASS = /(?:^|\s)(?:(?:page|header|topic|thread|document)[_-]?|mso)?title(?:\s|$)/i;
const LINKED_DATA_TYPE = /^\s*application\/ld\+json/i;

type Kind = 'meta' | 'title' | 'script' | 'heading' | 'subheading' | 'link' | 'noscript' | 'plain' | 'unread';

/** Elements of which more is read than attributes, or nothing at all. */
const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...[...UNREAD].map((name): [string, Kind] => [name, 'unread']),
  ['NOSCRIPT', 'noscript'],
  ['META', 'meta'],
  ['TITLE', 'title'],
  ['SCRIPT', 'script'],
  ['H1', 'heading'],
  ['H2', 'subheading'],
  ['H3', 'subheading'],
  ['H4', 'subheading'],
  ['LINK', 'link'],
  ['HTML', 'plain'],
  ['BODY', 'plain'],
  ['IMG', 'plain'],
  ['INPUT', 'plain'],
]);

/** The parts of a page that may tell its title, its author or its subject, in document order. */
export class PageSignals {
  /** Text of the title element. '' if there is none. */
  title = '';
  readonly headings: string[] = [];
  /** JSON-LD scripts. */
  readonly scripts: string[] = [];
  readonly authors = new AuthorMarks();
  /** The page's canonical address. */
  canonical: string | null = null;
  /** Addresses of style sheets that name a theme. */
  readonly themeSheets: string[] = [];
  /** Types of microdata. */
  readonly itemTypes: string[] = [];
  /** Contents of meta elements by lower-case name or property. */
  private readonly meta = new Map<string, string[]>();

  /** Contents of the meta elements of a name or property. Empty if the page has none. */
  metaOf(name: string): readonly string[] {
    return this.meta.get(name) ?? [];
  }

  /** The first of these contents, in a list of at most one. */
  firstMeta(name: string): readonly string[] {
    return this.metaOf(name).slice(0, 1);
  }

  /** @returns whether the content of the element must be visited */
  passElement(node: TreeNode): boolean {
    const kind = KINDS.get(node.nodeName);
    if (kind === undefined) {
      this.passAttributes(node);
      return true;
    }
    if (kind === 'meta') this.passMeta(node);
    else if (kind === 'title') this.title ||= readText(node);
    else if (kind === 'script') this.passScript(node);
    else if (kind === 'heading') this.passHeading(node);
    else if (kind === 'subheading') this.passSubheading(node);
    else if (kind === 'link') this.passLink(node);
    else if (kind === 'noscript') this.passNoscript(node);
    return kind !== 'unread' && kind !== 'script' && kind !== 'noscript';
  }

  private passLink(node: TreeNode): void {
    const address = node.getAttribute('href');
    const relation = node.getAttribute('rel');
    if (address === null) return;
    if (relation === 'canonical') this.canonical ??= address;
    else if (relation === 'stylesheet' && this.themeSheets.length < MAX_THEME_SHEETS && namesTheme(address)) {
      this.themeSheets.push(address);
    }
  }

  private passAttributes(node: TreeNode): void {
    for (const { name, value } of node.attributes) {
      if (name.length === 8 && name === 'itemtype') this.passItemType(value);
      else if (name === 'class' && TITLE_CLASS.test(value)) this.passTitle(node);
      else this.authors.passAttribute(node, name, value);
    }
  }

  /** An element that is named a title counts as a heading if a part of the title of the page ends with it. */
  private passTitle(node: TreeNode): void {
    const text = readText(node, this.title.length).trim();
    if (text === '' || !this.title.includes(text) || this.headings.length === MAX_HEADINGS) return;
    if (partsOfTitle(this.title.trim()).some((part) => part.endsWith(text))) this.headings.push(text);
  }

  private passItemType(type: string): void {
    if (this.itemTypes.length < MAX_ITEM_TYPES) this.itemTypes.push(type);
  }

  /** Reads only microdata: pages that scripts make state them here for programs. */
  private passNoscript(noscript: TreeNode): void {
    for (const node of noscript.descendants()) {
      for (const { name, value } of node.attributes) {
        if (name === 'itemtype') this.passItemType(value);
        else if (name === 'itemprop') this.authors.passAttribute(node, name, value);
      }
    }
  }

  private passMeta(node: TreeNode): void {
    const name = node.getAttribute('property') ?? node.getAttribute('name');
    const content = node.getAttribute('content');
    if (content === null || content.trim() === '') return;
    if (name === null) {
      this.passAttributes(node);
      return;
    }
    const key = name.toLowerCase();
    const values = this.meta.get(key);
    if (values === undefined) {
      if (this.meta.size < MAX_NAMES) this.meta.set(key, [content]);
    } else if (values.length < MAX_VALUES) values.push(content);
  }

  private passScript(node: TreeNode): void {
    if (node.firstChild === null || this.scripts.length === MAX_SCRIPTS) return;
    const type = node.getAttribute('type');
    if (type !== null && LINKED_DATA_TYPE.test(type)) this.scripts.push(node.firstChild.data);
  }

  private passSubheading(node: TreeNode): void {
    this.passAttributes(node);
    if (node.parentNode?.nodeName === 'A' || node.children.some(({ nodeName }) => nodeName === 'A')) {
      this.authors.passLinkedHeading();
    }
  }

  private passHeading(node: TreeNode): void {
    this.passAttributes(node);
    if (this.headings.length === MAX_HEADINGS) return;
    const text = readHeading(node);
    if (text.trim() === '') return;
    this.headings.push(text);
    this.authors.passHeading();
  }
}

/** Collects the signals in one walk over the whole tree of a page. */
export function collectSignals(document: TreeNode): PageSignals {
  const signals = new PageSignals();
  let node = document.firstChild;
  // Not `walk`, whose calls of many visitors cost more than most nodes here.
  while (node !== null) {
    if (node.nodeType === TEXT) signals.authors.passText(node);
    const isEntered = node.nodeType === ELEMENT && node.firstChild !== null;
    const isRead = node.nodeType !== ELEMENT || signals.passElement(node);
    node = isEntered && isRead ? node.firstChild : nextOutside(node, document);
  }
  return signals;
}
