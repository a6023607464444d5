import type { TreeNode } from '../parse/tree.ts';

const MAX_AUTHORS = 12;
const MAX_USERS = 32;
/** Pieces of text after a heading in which credits are expected. */
const CREDIT_TEXTS = 40;
const MAX_CREDIT_CHARACTERS = 150;

const CREDIT =
  /^\s*(?:(?:article|story|words|text|post|written|posted|published|authored|contributed)\s+)?by(?:$|[\s:])/i;
/** A quick test that classes must pass before the slower ones below. All classes of a page are tested. */
const CALLED = /uthor|y[lL]ine|[uU]ser|oster|tarter/;
const AUTHOR_NAME = /author|byline/i;
const USER_NAME =
  /(?:^|[\s_-])(?:[a-z]{0,8}user(?:[_-]?(?:name|link|info|details))?|(?:topic|post|thread|original)?[_-]?(?:poster|starter))(?:$|[\s_-])/i;

/** The nodes of a page that are marked as naming an author, in document order. */
export class AuthorMarks {
  /** Links with the relation `author`. */
  readonly relations: TreeNode[] = [];
  /** Microdata properties `author`. */
  readonly items: TreeNode[] = [];
  /** Elements with a class of authors. */
  readonly classes: TreeNode[] = [];
  /** Elements with a class or an attribute of users. */
  readonly users: TreeNode[] = [];
  /** Text that begins with "By" or the like, soon after a heading. */
  readonly credits: TreeNode[] = [];
  /** Those of these nodes that follow the title soon, without the heading of a link to another page before them. */
  readonly near = new Set<TreeNode>();
  /** The number of users before the first heading. */
  usersBefore = 0;
  private headings = 0;
  private creditTexts = 0;
  private isOfOther = false;

  passHeading(): void {
    if (this.headings === 0) this.usersBefore = this.users.length;
    this.headings += 1;
    this.creditTexts = CREDIT_TEXTS;
    this.isOfOther = false;
  }

  /** What comes after the heading of a link to another page is not about this page. */
  passLinkedHeading(): void {
    this.isOfOther = true;
  }

  passText(node: TreeNode): void {
    if (this.creditTexts === 0 || node.data.length > MAX_CREDIT_CHARACTERS || node.data.trim() === '') return;
    this.creditTexts -= 1;
    if (CREDIT.test(node.data)) this.pass(this.credits, node);
  }

  passAttribute(node: TreeNode, name: string, value: string): void {
    // The length is tested first, because a page has many attributes and most are others.
    switch (name.length) {
      case 3:
        if (name === 'rel' && value.includes('author')) this.pass(this.relations, node);
        break;
      case 5:
        if (name === 'class') this.passClass(node, value);
        break;
      case 8:
        if (name === 'itemprop' && value === 'author') pushUpTo(MAX_AUTHORS, this.items, node);
        break;
      case 6:
      case 11:
      case 13:
        if (isUserAttribute(name)) pushUpTo(MAX_USERS, this.users, node);
        break;
      default:
    }
  }

  private pass(nodes: TreeNode[], node: TreeNode): void {
    pushUpTo(MAX_AUTHORS, nodes, node);
    if ((this.creditTexts > 0 || this.headings === 0) && !this.isOfOther) this.near.add(node);
  }

  private passClass(node: TreeNode, value: string): void {
    const named = namedBy(value);
    if (named === 0) return;
    if ((named & AUTHOR) !== 0) this.pass(this.classes, node);
    if ((named & USER) !== 0) pushUpTo(MAX_USERS, this.users, node);
  }
}

/** Attributes of custom elements, and of posts in some forums. */
export function isUserAttribute(name: string): boolean {
  return name === 'author' || name === 'data-author' || name === 'data-username';
}

const AUTHOR = 1;
const USER = 2;
/** What known classes name. Pages use the same few classes often. */
const known = new Map<string, number>();
const MAX_KNOWN = 5000;
const MAX_KNOWN_CHARACTERS = 300;

/** Whether a class names an author or a user. */
function namedBy(value: string): number {
  const found = known.get(value);
  if (found !== undefined) return found;
  const named = CALLED.test(value) ? (AUTHOR_NAME.test(value) ? AUTHOR : 0) | (USER_NAME.test(value) ? USER : 0) : 0;
  // A copy, because the value is a slice of the page and would keep the page in memory.
  if (known.size < MAX_KNOWN && value.length <= MAX_KNOWN_CHARACTERS) known.set(` ${value}`.slice(1), named);
  return named;
}

function pushUpTo(max: number, nodes: TreeNode[], node: TreeNode): void {
  if (nodes.length < max) nodes.push(node);
}
