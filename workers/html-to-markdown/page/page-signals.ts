import { ELEMENT, TEXT, type TreeNode } from '../parse/tree.ts';
import { nextOutside, readHeading, readText, UNREAD } from './plain-text.ts';

/** Everything on a page that may tell its title, its author or what it is about, in document order. */
export interface PageSignals {
  /** Contents by lower-case name or property. */
  readonly meta: ReadonlyMap<string, readonly string[]>;
  /** Of the title element. */
  readonly title: string;
  readonly headings: readonly string[];
  /** JSON-LD. */
  readonly scripts: readonly string[];
  /** Elements that say that they name an author: links of that relation, items of microdata, classes called so. */
  readonly relAuthors: readonly TreeNode[];
  readonly itemAuthors: readonly TreeNode[];
  readonly classAuthors: readonly TreeNode[];
  /** Elements whose class or attributes say that they name a user. */
  readonly users: readonly TreeNode[];
  /** How many of them stand before the first heading. */
  readonly usersBefore: number;
  /** Text after a heading that begins like "By". */
  readonly credits: readonly TreeNode[];
  /** Address of the page, as it says. */
  readonly canonical: string | null;
  /** Types of microdata. */
  readonly itemTypes: readonly string[];
  /** The first paragraph of some length. */
  readonly paragraph: string | null;
}

const MAX_HEADINGS = 16;
const MAX_SCRIPTS = 32;
const MAX_AUTHORS = 12;
const MAX_USERS = 32;
const MAX_VALUES = 8;
const MAX_NAMES = 200;
const MAX_ITEM_TYPES = 16;
const LEAST_PARAGRAPH_CHARACTERS = 80;
/** Credits stand near the heading: so many pieces of text after it. */
const CREDIT_TEXTS = 40;
const MAX_CREDIT_CHARACTERS = 150;

const LINKED_DATA_TYPE = /^\s*application\/ld\+json/i;
const CREDIT =
  /^\s*(?:(?:article|story|words|text|post|written|posted|published|authored|contributed)\s+)?by(?:$|[\s:])/i;

/** Name users of custom elements, and of posts. */
export const USER_ATTRIBUTES: ReadonlySet<string> = new Set(['author', 'data-author', 'data-username']);
/** All classes are looked at: whether there is anything to look for has to be told fast. */
const CALLED = /uthor|y[lL]ine|[uU]ser|oster|tarter/;
const AUTHOR_NAME = /author|byline/i;
const USER_NAME =
  /(?:^|[\s_-])(?:\w*user(?:[_-]?(?:name|link|info|details))?|(?:topic|post|thread|original)?[_-]?(?:poster|starter))(?:$|[\s_-])/i;

type Kind = 'meta' | 'title' | 'script' | 'heading' | 'paragraph' | 'link' | 'plain';
/** What needs more than a look at its attributes, or not even that. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
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
  ['STYLE', 'plain'],
]);

type Collected<T> = {
  -readonly [K in keyof T]: T[K] extends ReadonlyMap<string, readonly string[]>
    ? Map<string, string[]>
    : T[K] extends readonly (infer V)[]
      ? V[]
      : T[K];
};

class SignalCollector {
  readonly signals: Collected<PageSignals> = {
    meta: new Map(),
    title: '',
    headings: [],
    scripts: [],
    relAuthors: [],
    itemAuthors: [],
    classAuthors: [],
    users: [],
    usersBefore: 0,
    credits: [],
    canonical: null,
    itemTypes: [],
    paragraph: null,
  };
  private creditTexts = 0;

  collect(node: TreeNode): void {
    if (node.nodeType === TEXT) this.collectCredit(node);
    else if (node.nodeType === ELEMENT) this.collectElement(node, KINDS.get(node.nodeName));
  }

  private collectElement(node: TreeNode, kind: Kind | undefined): void {
    const { signals } = this;
    if (kind === 'meta') this.collectMeta(node);
    else if (kind === 'title') signals.title ||= readText(node);
    else if (kind === 'script') this.collectScript(node);
    else if (kind === 'link') {
      if (node.getAttribute('rel') === 'canonical') signals.canonical ??= node.getAttribute('href');
    } else if (kind !== 'plain') {
      if (kind === 'heading') this.collectHeading(node);
      else if (kind === 'paragraph' && signals.paragraph === null) signals.paragraph = readParagraph(node);
      this.collectAuthor(node);
    }
  }

  private collectMeta(node: TreeNode): void {
    const { meta } = this.signals;
    const name = node.getAttribute('property') ?? node.getAttribute('name');
    const content = node.getAttribute('content');
    if (content === null || content.trim() === '') return;
    if (name === null) {
      this.collectAuthor(node);
      return;
    }
    const key = name.toLowerCase();
    const values = meta.get(key);
    if (values === undefined) {
      if (meta.size < MAX_NAMES) meta.set(key, [content]);
    } else if (values.length < MAX_VALUES) values.push(content);
  }

  private collectScript(node: TreeNode): void {
    const { scripts } = this.signals;
    if (node.firstChild === null || scripts.length === MAX_SCRIPTS) return;
    if (LINKED_DATA_TYPE.test(node.getAttribute('type') ?? '')) scripts.push(node.firstChild.data);
  }

  private collectHeading(node: TreeNode): void {
    const { headings } = this.signals;
    if (headings.length === MAX_HEADINGS) return;
    const text = readHeading(node);
    if (text.trim() === '') return;
    if (headings.length === 0) this.signals.usersBefore = this.signals.users.length;
    headings.push(text);
    this.creditTexts = CREDIT_TEXTS;
  }

  private collectAuthor(node: TreeNode): void {
    const { relAuthors, itemAuthors, users, itemTypes } = this.signals;
    const { attributes } = node;
    for (let index = 0; index < attributes.length; index += 1) {
      const attribute = attributes[index];
      if (attribute === undefined) return;
      const { name, value } = attribute;
      // By length first: most names are none of these.
      if (name.length === 5) {
        if (name === 'class' && CALLED.test(value)) this.collectCalled(node, value);
      } else if (name.length === 3) {
        if (name === 'rel' && value.includes('author')) pushUpTo(MAX_AUTHORS, relAuthors, node);
      } else if (name.length === 8) {
        if (name === 'itemprop' && value === 'author') pushUpTo(MAX_AUTHORS, itemAuthors, node);
        else if (name === 'itemtype') pushUpTo(MAX_ITEM_TYPES, itemTypes, value);
      } else if (USER_ATTRIBUTES.has(name)) pushUpTo(MAX_USERS, users, node);
    }
  }

  private collectCalled(node: TreeNode, value: string): void {
    const { classAuthors, users } = this.signals;
    if (AUTHOR_NAME.test(value)) pushUpTo(MAX_AUTHORS, classAuthors, node);
    if (USER_NAME.test(value)) pushUpTo(MAX_USERS, users, node);
  }

  private collectCredit(node: TreeNode): void {
    if (this.creditTexts === 0 || node.data.length > MAX_CREDIT_CHARACTERS || node.data.trim() === '') return;
    this.creditTexts -= 1;
    if (CREDIT.test(node.data)) pushUpTo(MAX_AUTHORS, this.signals.credits, node);
  }
}

/** Finds them in one walk over the tree of a page from which nothing is taken out yet. */
export function collectSignals(document: TreeNode): PageSignals {
  const collector = new SignalCollector();
  let node = document.firstChild;
  while (node !== null) {
    collector.collect(node);
    const { firstChild } = node;
    node = firstChild !== null && !UNREAD.has(node.nodeName) ? firstChild : nextOutside(node, document);
  }
  return collector.signals;
}

function pushUpTo<T>(max: number, list: T[], item: T): void {
  if (list.length < max) list.push(item);
}

function readParagraph(node: TreeNode): string | null {
  const text = readText(node).trim();
  return text.length < LEAST_PARAGRAPH_CHARACTERS ? null : text;
}
