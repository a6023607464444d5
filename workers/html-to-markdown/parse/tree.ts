import type { DefaultTreeAdapterMap, Token, TreeAdapter } from 'parse5';
import { html, parse } from 'parse5';
import { ConversionError } from '../conversion-error.ts';

/** Crafted mark-up of some kilobytes can otherwise make millions of nodes. */
const MAX_ELEMENTS = 100_000;
const MAX_ATTRIBUTES = 512;
/** Deeper elements are moved up to this depth: their text stays, the stack does not grow. */
const MAX_DEPTH = 512;

const ELEMENT = 1;
const TEXT = 3;
const COMMENT = 8;
const DOCTYPE = 10;
const FRAGMENT = 11;

type NodeType = typeof ELEMENT | typeof TEXT | typeof COMMENT | typeof DOCTYPE | typeof FRAGMENT;

/** The part of a DOM node that Turndown's rules read, with siblings linked so that no step is quadratic. */
export class TreeNode {
  readonly nodeType: NodeType;
  /** Upper case for HTML elements, as in the DOM. */
  readonly nodeName: string;
  readonly tagName: string;
  readonly namespace: html.NS;
  readonly attributes: Map<string, string>;
  data: string;
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
    attributes = new Map<string, string>(),
    namespace = html.NS.HTML,
  ) {
    this.nodeType = nodeType;
    this.tagName = tagName;
    this.nodeName = tagName.toUpperCase();
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
    return this.attributes.get(name) ?? null;
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

function nextOutside(node: TreeNode, root: TreeNode): TreeNode | null {
  let at: TreeNode | null = node;
  while (at !== null && at !== root) {
    if (at.nextSibling !== null) return at.nextSibling;
    at = at.parentNode;
  }
  return null;
}

interface TreeMap extends DefaultTreeAdapterMap {}
type AdapterMap = { [K in keyof TreeMap]: TreeNode };

/** A parse5 tree adapter that builds `TreeNode`s and counts them while it does. */
function createAdapter(): TreeAdapter<AdapterMap> {
  let elements = 0;
  let mode: html.DOCUMENT_MODE = html.DOCUMENT_MODE.NO_QUIRKS;
  const listed = (attributes: readonly Token.Attribute[]) =>
    new Map(attributes.map(({ name, value }) => [name, value]));
  const insertText = (parent: TreeNode, text: string, reference: TreeNode | null) => {
    const before = reference === null ? parent.lastChild : reference.previousSibling;
    if (before?.nodeType === TEXT) before.data += text;
    else parent.insertBefore(new TreeNode(TEXT, '#text', text), reference);
  };
  return {
    createDocument: () => new TreeNode(FRAGMENT, '#document'),
    createDocumentFragment: () => new TreeNode(FRAGMENT, '#document-fragment'),
    createCommentNode: (data) => new TreeNode(COMMENT, '#comment', data),
    createTextNode: (value) => new TreeNode(TEXT, '#text', value),
    createElement: (tagName, namespace, attributes) => {
      elements += 1;
      if (elements > MAX_ELEMENTS)
        throw new ConversionError('DOCUMENT_TOO_COMPLEX', `the document has more than ${MAX_ELEMENTS} elements`);
      if (attributes.length > MAX_ATTRIBUTES) {
        throw new ConversionError('DOCUMENT_TOO_COMPLEX', `an element has more than ${MAX_ATTRIBUTES} attributes`);
      }
      return new TreeNode(ELEMENT, tagName, '', listed(attributes), namespace);
    },
    appendChild: (parent, node) => parent.appendChild(node),
    insertBefore: (parent, node, reference) => parent.insertBefore(node, reference),
    insertText: (parent, text) => insertText(parent, text, null),
    insertTextBefore: insertText,
    detachNode: (node) => node.parentNode?.removeChild(node),
    adoptAttributes: (element, attributes) => {
      for (const { name, value } of attributes) if (!element.attributes.has(name)) element.attributes.set(name, value);
    },
    getAttrList: (element) => Array.from(element.attributes, ([name, value]) => ({ name, value })),
    getChildNodes: (node) => node.childNodes,
    getFirstChild: (node) => node.firstChild,
    getParentNode: (node) => node.parentNode,
    getTagName: (element) => element.tagName,
    getNamespaceURI: (element) => element.namespace,
    getTextNodeContent: (node) => node.data,
    getCommentNodeContent: (node) => node.data,
    getDocumentTypeNodeName: (node) => node.data,
    getDocumentTypeNodePublicId: () => '',
    getDocumentTypeNodeSystemId: () => '',
    isTextNode: (node): node is TreeNode => node.nodeType === TEXT,
    isCommentNode: (node): node is TreeNode => node.nodeType === COMMENT,
    isElementNode: (node): node is TreeNode => node.nodeType === ELEMENT,
    isDocumentTypeNode: (node): node is TreeNode => node.nodeType === DOCTYPE,
    setDocumentMode: (_, next) => {
      mode = next;
    },
    getDocumentMode: () => mode,
    setDocumentType: () => {},
    getTemplateContent: (template) => template.content ?? template,
    setTemplateContent: (template, content) => {
      template.content = content;
    },
    getNodeSourceCodeLocation: () => null,
    setNodeSourceCodeLocation: () => {},
    updateNodeSourceCodeLocation: () => {},
  };
}

export interface ParsedHtml {
  readonly document: TreeNode;
  /** Whether the source has neither html, head nor body tag: a part of a page, of which nothing is left out. */
  readonly isFragment: boolean;
}

/**
 * Parses as browsers do (WHATWG HTML). Elements below depth 512 become siblings at that depth.
 * @throws {ConversionError} DOCUMENT_TOO_COMPLEX
 */
export function parseHtml(source: string): ParsedHtml {
  const document = parse<AdapterMap>(source, { treeAdapter: createAdapter(), scriptingEnabled: false });
  limitDepth(document);
  return { document, isFragment: !/<(?:html|head|body)[\s/>]/i.test(source) };
}

function limitDepth(root: TreeNode): void {
  let depth = 1;
  let node = root.firstChild;
  while (node !== null) {
    if (depth === MAX_DEPTH) liftChildren(node);
    if (node.firstChild !== null) {
      node = node.firstChild;
      depth += 1;
      continue;
    }
    while (node !== null && node.nextSibling === null) {
      node = node.parentNode === root ? null : node.parentNode;
      depth -= 1;
    }
    node = node?.nextSibling ?? null;
  }
}

/** Moves a node's element children behind it; each is then looked at in its turn. */
function liftChildren(node: TreeNode): void {
  const parent = node.parentNode;
  if (parent === null) return;
  const after = node.nextSibling;
  for (const child of node.childNodes) {
    node.removeChild(child);
    parent.insertBefore(child, after);
  }
}
