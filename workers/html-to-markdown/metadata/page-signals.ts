import { ELEMENT, nextOutside, TEXT, type TreeNode } from '../parse/tree.ts';
import { AuthorMarks } from './author-marks.ts';
import { readHeading, readText, UNREAD } from './plain-text.ts';

const MAX_HEADINGS = 16;
const MAX_SCRIPTS = 32;
const MAX_NAMES = 200;
const MAX_VALUES = 8;
const MAX_ITEM_TYPES = 16;
const LEAST_PARAGRAPH_CHARACTERS = 80;
const LINKED_DATA_TYPE = /^\s*application\/ld\+json/i;

type Kind = 'meta' | 'title' | 'script' | 'heading' | 'paragraph' | 'link' | 'plain' | 'unread';

/** What needs more than a look at its attributes, or not even that. */
const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...[...UNREAD].map((name): [string, Kind] => [name, 'unread']),
  ['META', 'meta'],
  ['TITLE', 'title'],
  ['SCRIPT', 'script'],
  ['H1', 'heading'],
  ['P', 'paragraph'],
  ['LINK', 'link'],
  ['HTML', 'plain'],
  ['BODY', 'plain'],
  ['IMG', 'plain'],
  ['INPUT', 'plain'],
]);

/** Everything on a page that may tell its title, its author or what it is about, in document order. */
export class PageSignals {
  /** Contents by lower-case name or property. */
  readonly meta = new Map<string, string[]>();
  /** Of the title element. */
  title = '';
  readonly headings: string[] = [];
  /** JSON-LD. */
  readonly scripts: string[] = [];
  readonly authors = new AuthorMarks();
  /** Address of the page, as it says. */
  canonical: string | null = null;
  /** Types of microdata. */
  readonly itemTypes: string[] = [];
  /** The first paragraph of some length. */
  paragraph: string | null = null;

  /** Whether what is below the element is to be looked at. */
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
    else if (kind === 'paragraph') this.passParagraph(node);
    else if (kind === 'link' && node.getAttribute('rel') === 'canonical') this.canonical ??= node.getAttribute('href');
    return kind !== 'unread' && kind !== 'script';
  }

  private passAttributes(node: TreeNode): void {
    const { attributes } = node;
    for (let index = 0; index < attributes.length; index += 1) {
      const attribute = attributes[index];
      if (attribute === undefined) return;
      const { name, value } = attribute;
      if (name.length === 8 && name === 'itemtype') {
        if (this.itemTypes.length < MAX_ITEM_TYPES) this.itemTypes.push(value);
      } else this.authors.passAttribute(node, name, value);
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
    if (LINKED_DATA_TYPE.test(node.getAttribute('type') ?? '')) this.scripts.push(node.firstChild.data);
  }

  private passHeading(node: TreeNode): void {
    this.passAttributes(node);
    if (this.headings.length === MAX_HEADINGS) return;
    const text = readHeading(node);
    if (text.trim() === '') return;
    this.headings.push(text);
    this.authors.passHeading();
  }

  private passParagraph(node: TreeNode): void {
    this.passAttributes(node);
    if (this.paragraph !== null) return;
    const text = readText(node).trim();
    if (text.length >= LEAST_PARAGRAPH_CHARACTERS) this.paragraph = text;
  }
}

/** Finds them in one walk over the tree of a page from which nothing is taken out yet. */
export function collectSignals(document: TreeNode): PageSignals {
  const signals = new PageSignals();
  let node = document.firstChild;
  while (node !== null) {
    let isOpen = true;
    if (node.nodeType === ELEMENT) isOpen = signals.passElement(node);
    else if (node.nodeType === TEXT) signals.authors.passText(node);
    node = isOpen && node.firstChild !== null ? node.firstChild : nextOutside(node, document);
  }
  return signals;
}
