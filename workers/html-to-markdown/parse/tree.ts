import { html, type Token } from 'parse5';

export const ELEMENT = 1;
export const TEXT = 3;
export const COMMENT = 8;
export const FRAGMENT = 11;

type NodeType = typeof ELEMENT | typeof TEXT | typeof COMMENT | typeof FRAGMENT;

const upperCaseOf = new Map<string, string>();
const MAX_NAMES = 1000;

/** Few names make up nearly all documents; the others are not kept. */
function upperCase(name: string): string {
  const known = upperCaseOf.get(name);
  if (known !== undefined) return known;
  const upper = name.toUpperCase();
  // The copy does not keep the source, which the name is a slice of, in memory.
  if (upperCaseOf.size < MAX_NAMES) upperCaseOf.set(` ${name}`.slice(1), upper);
  return upper;
}

/** The part of a DOM node that Turndown's rules read, with siblings linked so that no step is quadratic. */
export class TreeNode {
  readonly nodeType: NodeType;
  /** Upper case for HTML elements, as in the DOM. */
  readonly nodeName: string;
  readonly tagName: string;
  readonly namespace: html.NS;
  readonly attributes: Token.Attribute[];
  data: string;
  /** Kept by the parser: that of an element when it was put where it is. */
  depth = 0;
  parentNode: TreeNode | null = null;
  previousSibling: TreeNode | null = null;
  nextSibling: TreeNode | null = null;
  firstChild: TreeNode | null = null;
  lastChild: TreeNode | null = null;
  content: TreeNode | undefined;
  private text: string | undefined;

  constructor(
    nodeType: NodeType,
    tagName: string,
    data = '',
    attributes: Token.Attribute[] = [],
    namespace = html.NS.HTML,
  ) {
    this.nodeType = nodeType;
    this.tagName = tagName;
    this.nodeName = upperCase(tagName);
    this.namespace = namespace;
    this.attributes = attributes;
    this.data = data;
  }

  get nodeValue(): string | null {
    return this.nodeType === TEXT ? this.data : null;
  }

  /** Kept once read: ask for it only when the tree does not change any more. */
  get textContent(): string {
    if (this.nodeType === TEXT) return this.data;
    if (this.text === undefined) {
      let text = '';
      for (let child = this.firstChild; child !== null; child = child.nextSibling) text += child.textContent;
      this.text = text;
    }
    return this.text;
  }

  get childNodes(): TreeNode[] {
    const nodes: TreeNode[] = [];
    for (let child = this.firstChild; child !== null; child = child.nextSibling) nodes.push(child);
    return nodes;
  }

  get children(): TreeNode[] {
    return this.childNodes.filter((node) => node.nodeType === ELEMENT);
  }

  get lastElementChild(): TreeNode | null {
    let child = this.lastChild;
    while (child !== null && child.nodeType !== ELEMENT) child = child.previousSibling;
    return child;
  }

  getAttribute(name: string): string | null {
    for (const attribute of this.attributes) if (attribute.name === name) return attribute.value;
    return null;
  }

  /** In document order, this node left out. */
  *descendants(): Generator<TreeNode> {
    let node = this.firstChild;
    while (node !== null) {
      yield node;
      node = node.firstChild ?? nextOutside(node, this);
    }
  }

  getElementsByTagName(name: string): TreeNode[] {
    for (const node of this.descendants()) if (node.nodeName === name) return [node];
    return [];
  }

  /** The tree is made for one conversion, so nothing needs a copy of it. */
  cloneNode(): this {
    return this;
  }

  appendChild(node: TreeNode): void {
    this.insertBefore(node, null);
  }

  insertBefore(node: TreeNode, reference: TreeNode | null): void {
    const previous = reference === null ? this.lastChild : reference.previousSibling;
    node.parentNode = this;
    node.previousSibling = previous;
    node.nextSibling = reference;
    if (previous === null) this.firstChild = node;
    else previous.nextSibling = node;
    if (reference === null) this.lastChild = node;
    else reference.previousSibling = node;
  }

  removeChild(node: TreeNode): void {
    if (node.previousSibling === null) this.firstChild = node.nextSibling;
    else node.previousSibling.nextSibling = node.nextSibling;
    if (node.nextSibling === null) this.lastChild = node.previousSibling;
    else node.nextSibling.previousSibling = node.previousSibling;
    node.parentNode = null;
    node.previousSibling = null;
    node.nextSibling = null;
  }
}

/** The next node in document order that is not inside `node`; null at the end of `root`. */
export function nextOutside(node: TreeNode, root: TreeNode): TreeNode | null {
  let at: TreeNode | null = node;
  while (at !== null && at !== root) {
    if (at.nextSibling !== null) return at.nextSibling;
    at = at.parentNode;
  }
  return null;
}
