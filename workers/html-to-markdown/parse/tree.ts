import { html, type Token } from 'parse5';

export const ELEMENT = 1;
export const TEXT = 3;
export const COMMENT = 8;
export const FRAGMENT = 11;

type NodeType = typeof ELEMENT | typeof TEXT | typeof COMMENT | typeof FRAGMENT;

/** The attributes of all nodes that are not elements. */
const NONE: Token.Attribute[] = [];

const upperCaseOf = new Map<string, string>();
const MAX_NAMES = 1000;

/** The upper-case form of a name. Nearly all names of documents are among few, so a limited number of them is cached. */
function upperCase(name: string): string {
  const known = upperCaseOf.get(name);
  if (known !== undefined) return known;
  const upper = name.toUpperCase();
  // A copy, because the name is a slice of the source and would keep the source in memory.
  if (upperCaseOf.size < MAX_NAMES) upperCaseOf.set(` ${name}`.slice(1), upper);
  return upper;
}

/** The part of a DOM node that Turndown's rules read. Siblings are linked, so that no step is quadratic. */
export class TreeNode {
  readonly nodeType: NodeType;
  /** Upper case for HTML elements, as in the DOM. */
  readonly nodeName: string;
  readonly tagName: string;
  readonly namespace: html.NS;
  readonly attributes: Token.Attribute[];
  data: string;
  /** Depth of the node when the parser put it in its place. */
  depth = 0;
  parentNode: TreeNode | null = null;
  previousSibling: TreeNode | null = null;
  nextSibling: TreeNode | null = null;
  firstChild: TreeNode | null = null;
  lastChild: TreeNode | null = null;
  content: TreeNode | undefined;
  private text: string | undefined;
  private trimmed = -1;

  constructor(
    nodeType: NodeType,
    tagName: string,
    data = '',
    attributes: Token.Attribute[] = nodeType === ELEMENT ? [] : NONE,
    namespace = html.NS.HTML,
  ) {
    this.nodeType = nodeType;
    this.tagName = tagName;
    this.nodeName = nodeType === ELEMENT ? upperCase(tagName) : tagName;
    this.namespace = namespace;
    this.attributes = attributes;
    this.data = data;
  }

  get nodeValue(): string | null {
    return this.nodeType === TEXT ? this.data : null;
  }

  /** It is cached, so read it only when the tree does not change anymore. */
  get textContent(): string {
    if (this.nodeType === TEXT) return this.data;
    if (this.text === undefined) {
      let text = '';
      for (let child = this.firstChild; child !== null; child = child.nextSibling) text += child.textContent;
      this.text = text;
    }
    return this.text;
  }

  /** UTF-16 code units of the text without white space around it. Cached, like `textContent`. */
  get trimmedLength(): number {
    if (this.trimmed < 0) this.trimmed = this.data.trim().length;
    return this.trimmed;
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

  /** The `class` attribute. '' if there is none. */
  get classes(): string {
    return this.getAttribute('class') ?? '';
  }

  getAttribute(name: string): string | null {
    const { attributes } = this;
    // Not for-of, which takes longer until the code is optimized.
    for (let index = 0; index < attributes.length; index += 1) {
      const attribute = attributes[index];
      if (attribute?.name === name) return attribute.value;
    }
    return null;
  }

  /** The nodes below this one, in document order. */
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

  /** Returns the node itself: a tree is only used for one conversion, so no copy is needed. */
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

  removeChildren(): void {
    for (const child of this.childNodes) this.removeChild(child);
  }

  /** Removes the node from its parent, if it has one. */
  remove(): void {
    this.parentNode?.removeChild(this);
  }
}

/** The next node in document order that is not inside `node`. Null at the end of `root`, or of the tree if that is null. */
export function nextOutside(node: TreeNode, root: TreeNode | null): TreeNode | null {
  let at: TreeNode | null = node;
  while (at !== null && at !== root) {
    if (at.nextSibling !== null) return at.nextSibling;
    at = at.parentNode;
  }
  return null;
}

/** Moves the children of a node behind those of another one. */
export function moveChildren(from: TreeNode, to: TreeNode): void {
  for (const child of from.childNodes) {
    from.removeChild(child);
    to.appendChild(child);
  }
}

/** The node itself, or the first sibling after it, that is an element. */
export function elementFrom(node: TreeNode | null): TreeNode | null {
  let at = node;
  while (at !== null && at.nodeType !== ELEMENT) at = at.nextSibling;
  return at;
}

/** The nearest sibling before a node that is an element. */
export function previousElement(node: TreeNode): TreeNode | null {
  let previous = node.previousSibling;
  while (previous !== null && previous.nodeType !== ELEMENT) previous = previous.previousSibling;
  return previous;
}

/** How a walk continues from a node: `into` its children, `past` them to the next node, or not at all (`stop`). */
type Step = 'into' | 'past' | 'stop';

export interface Visitor {
  /** Called for each node in document order. It may change what comes after the node, but must not remove the node. */
  readonly enter: (node: TreeNode) => Step;
  /** Called after the children of a node, or after `enter` if there are none or they are left out. It may remove the node. */
  readonly leave?: (node: TreeNode) => void;
}

/** Visits the nodes below a root in document order. It does not recurse, so a tree may have any depth. */
export function walk(root: TreeNode, { enter, leave }: Visitor): void {
  let node = root.firstChild;
  while (node !== null) {
    const step = enter(node);
    if (step === 'stop') return;
    if (step === 'into' && node.firstChild !== null) node = node.firstChild;
    else node = leaveAll(node, root, leave);
  }
}

/** Leaves a node and those around it that end with it. @returns the next node to enter */
function leaveAll(last: TreeNode, root: TreeNode, leave: Visitor['leave']): TreeNode | null {
  let node = last;
  for (;;) {
    // Read first, because `leave` may remove the node.
    const { nextSibling, parentNode } = node;
    leave?.(node);
    if (nextSibling !== null) return nextSibling;
    if (parentNode === root) return null;
    if (parentNode === null) throw new TypeError('a node was removed before it was left');
    node = parentNode;
  }
}
