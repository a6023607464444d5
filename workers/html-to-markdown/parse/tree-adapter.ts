import { type DefaultTreeAdapterMap, html, type Token, type TreeAdapter } from 'parse5';
import { ConversionError } from './conversion-error.ts';
import { COMMENT, ELEMENT, FRAGMENT, TEXT, TreeNode } from './tree.ts';

/** Without this limit, crafted markup of some kilobytes could make millions of nodes. */
const MAX_ELEMENTS = 100_000;
const MAX_ATTRIBUTES = 512;

interface TreeMap extends DefaultTreeAdapterMap {}
export type TreeAdapterMap = { [K in keyof TreeMap]: TreeNode };

/** Stands for all comments, which are not kept in the tree. */
const comment = new TreeNode(COMMENT, '#comment');

const READ_SCRIPTS = /^\s*(?:application\/ld\+json|math\/)/i;

/** Whether text of an element is left out of the tree: scripts and styles, except data and formulas. It is most of many pages. */
function isUnread(parent: TreeNode): boolean {
  if (parent.nodeName !== 'SCRIPT') return parent.nodeName === 'STYLE';
  const type = parent.getAttribute('type');
  return type === null || !READ_SCRIPTS.test(type);
}

/** @throws {ConversionError} DOCUMENT_TOO_COMPLEX */
export function checkAttributes(count: number): void {
  if (count <= MAX_ATTRIBUTES) return;
  throw new ConversionError('DOCUMENT_TOO_COMPLEX', `an element has more than ${MAX_ATTRIBUTES} attributes`);
}

/**
 * A parse5 tree adapter that builds `TreeNode`s and counts them. Its methods that create nodes throw ConversionError,
 * DOCUMENT_TOO_COMPLEX.
 */
export class CountingTreeAdapter implements TreeAdapter<TreeAdapterMap> {
  /** The `href` of the first `base` element that has one (WHATWG HTML 2.4.3). */
  base: string | null = null;
  /** At least the number of paragraphs among the open elements. */
  openParagraphs = 0;
  private elements = 0;
  private deepest = 0;
  private sunk = 0;
  private mode: html.DOCUMENT_MODE = html.DOCUMENT_MODE.NO_QUIRKS;
  private readonly adoptedNames = new Map<TreeNode, Set<string>>();

  /** A depth below which there is no node. */
  get maxDepth(): number {
    return this.deepest + this.sunk;
  }

  createDocument(): TreeNode {
    return new TreeNode(FRAGMENT, '#document');
  }

  createDocumentFragment(): TreeNode {
    return new TreeNode(FRAGMENT, '#document-fragment');
  }

  createCommentNode(_data: string): TreeNode {
    return comment;
  }

  createTextNode(value: string): TreeNode {
    return new TreeNode(TEXT, '#text', value);
  }

  createElement(tagName: string, namespace: html.NS, attributes: Token.Attribute[]): TreeNode {
    this.elements += 1;
    if (this.elements > MAX_ELEMENTS) {
      throw new ConversionError('DOCUMENT_TOO_COMPLEX', `the document has more than ${MAX_ELEMENTS} elements`);
    }
    checkAttributes(attributes.length);
    const element = new TreeNode(ELEMENT, tagName, '', attributes, namespace);
    if (tagName === 'base') this.base ??= element.getAttribute('href');
    return element;
  }

  appendChild(parent: TreeNode, node: TreeNode): void {
    if (node === comment) return;
    this.noteDepth(parent, node);
    parent.appendChild(node);
  }

  insertBefore(parent: TreeNode, node: TreeNode, reference: TreeNode): void {
    if (node === comment) return;
    this.noteDepth(parent, node);
    parent.insertBefore(node, reference);
  }

  insertText(parent: TreeNode, text: string): void {
    insertText(parent, text, null);
  }

  insertTextBefore(parent: TreeNode, text: string, reference: TreeNode): void {
    insertText(parent, text, reference);
  }

  detachNode(node: TreeNode): void {
    node.remove();
  }

  adoptAttributes(element: TreeNode, attributes: Token.Attribute[]): void {
    // A page may have many html or body tags with attributes. Comparing each name with all others would take quadratic time.
    const names = this.adoptedNames.get(element) ?? new Set(element.attributes.map(({ name }) => name));
    this.adoptedNames.set(element, names);
    for (const attribute of attributes) {
      if (names.has(attribute.name)) continue;
      names.add(attribute.name);
      element.attributes.push(attribute);
      checkAttributes(element.attributes.length);
    }
  }

  setDocumentMode(_: TreeNode, mode: html.DOCUMENT_MODE): void {
    this.mode = mode;
  }

  getDocumentMode(_document: TreeNode): html.DOCUMENT_MODE {
    return this.mode;
  }

  setTemplateContent(template: TreeNode, content: TreeNode): void {
    template.content = content;
  }

  getTemplateContent(template: TreeNode): TreeNode {
    // A template of a foreign namespace has no content of its own.
    return template.content ?? template;
  }

  getAttrList({ attributes }: TreeNode): Token.Attribute[] {
    return attributes;
  }

  getChildNodes({ childNodes }: TreeNode): TreeNode[] {
    return childNodes;
  }

  getFirstChild({ firstChild }: TreeNode): TreeNode | null {
    return firstChild;
  }

  getParentNode({ parentNode }: TreeNode): TreeNode | null {
    return parentNode;
  }

  getTagName({ tagName }: TreeNode): string {
    return tagName;
  }

  getNamespaceURI({ namespace }: TreeNode): html.NS {
    return namespace;
  }

  getTextNodeContent({ data }: TreeNode): string {
    return data;
  }

  getCommentNodeContent({ data }: TreeNode): string {
    return data;
  }

  isTextNode(node: TreeNode): node is TreeNode {
    return node.nodeType === TEXT;
  }

  isCommentNode(node: TreeNode): node is TreeNode {
    return node.nodeType === COMMENT;
  }

  isElementNode(node: TreeNode): node is TreeNode {
    return node.nodeType === ELEMENT;
  }

  onItemPush({ nodeName }: TreeNode): void {
    if (nodeName === 'P') this.openParagraphs += 1;
  }

  onItemPop({ nodeName }: TreeNode): void {
    if (nodeName === 'P') this.openParagraphs -= 1;
  }

  /** Document types are not kept. */
  setDocumentType(_document: TreeNode, _name: string, _publicId: string, _systemId: string): void {}

  isDocumentTypeNode(node: TreeNode): node is TreeNode {
    return node === undefined;
  }

  getDocumentTypeNodeName({ data }: TreeNode): string {
    return data;
  }

  getDocumentTypeNodePublicId(_node: TreeNode): string {
    return '';
  }

  getDocumentTypeNodeSystemId(_node: TreeNode): string {
    return '';
  }

  /** Locations are not recorded. */
  setNodeSourceCodeLocation(): void {}

  updateNodeSourceCodeLocation(): void {}

  getNodeSourceCodeLocation(_node: TreeNode): null {
    return null;
  }

  private noteDepth(parent: TreeNode, node: TreeNode): void {
    const depth = parent.depth + 1;
    // Nodes inside keep their depths when a node moves down. At most, they are too small by this sum.
    if (node.firstChild !== null && depth > node.depth) this.sunk += depth - node.depth;
    node.depth = depth;
    if (depth > this.deepest) this.deepest = depth;
  }
}

function insertText(parent: TreeNode, text: string, reference: TreeNode | null): void {
  if (isUnread(parent)) return;
  const before = reference === null ? parent.lastChild : reference.previousSibling;
  if (before?.nodeType === TEXT) before.data += text;
  else parent.insertBefore(new TreeNode(TEXT, '#text', text), reference);
}
