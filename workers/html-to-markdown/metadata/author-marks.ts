import type { TreeNode } from '../parse/tree.ts';

const MAX_AUTHORS = 12;
const MAX_USERS = 32;
/** Credits stand near the heading: so many pieces of text after it. */
const CREDIT_TEXTS = 40;
const MAX_CREDIT_CHARACTERS = 150;

const CREDIT =
  /^\s*(?:(?:article|story|words|text|post|written|posted|published|authored|contributed)\s+)?by(?:$|[\s:])/i;
/** All classes are looked at: whether there is anything to look for has to be told fast. */
const CALLED = /uthor|y[lL]ine|[uU]ser|oster|tarter/;
const AUTHOR_NAME = /author|byline/i;
const USER_NAME =
  /(?:^|[\s_-])(?:[a-z]{0,8}user(?:[_-]?(?:name|link|info|details))?|(?:topic|post|thread|original)?[_-]?(?:poster|starter))(?:$|[\s_-])/i;

/** What on a page is marked as naming an author, in document order. */
export class AuthorMarks {
  /** Links of that relation. */
  readonly relations: TreeNode[] = [];
  /** Properties of microdata. */
  readonly items: TreeNode[] = [];
  /** Elements whose class says so. */
  readonly classes: TreeNode[] = [];
  /** Elements whose class or attributes say that they name a user. */
  readonly users: TreeNode[] = [];
  /** Text that begins like "By", not far after a heading. */
  readonly credits: TreeNode[] = [];
  /** How many users stand before the first heading. */
  usersBefore = 0;
  private headings = 0;
  private creditTexts = 0;

  passHeading(): void {
    if (this.headings === 0) this.usersBefore = this.users.length;
    this.headings += 1;
    this.creditTexts = CREDIT_TEXTS;
  }

  passText(node: TreeNode): void {
    if (this.creditTexts === 0 || node.data.length > MAX_CREDIT_CHARACTERS || node.data.trim() === '') return;
    this.creditTexts -= 1;
    if (CREDIT.test(node.data)) pushUpTo(MAX_AUTHORS, this.credits, node);
  }

  passAttribute(node: TreeNode, name: string, value: string): void {
    // By length first: there are many attributes, and most are none of these.
    switch (name.length) {
      case 3:
        if (name === 'rel' && value.includes('author')) pushUpTo(MAX_AUTHORS, this.relations, node);
        break;
      case 5:
        if (name === 'class' && CALLED.test(value)) this.passClass(node, value);
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

  private passClass(node: TreeNode, value: string): void {
    if (AUTHOR_NAME.test(value)) pushUpTo(MAX_AUTHORS, this.classes, node);
    if (USER_NAME.test(value)) pushUpTo(MAX_USERS, this.users, node);
  }
}

/** Of custom elements, and of the posts of some forums. */
export function isUserAttribute(name: string): boolean {
  return name === 'author' || name === 'data-author' || name === 'data-username';
}

function pushUpTo(max: number, nodes: TreeNode[], node: TreeNode): void {
  if (nodes.length < max) nodes.push(node);
}
