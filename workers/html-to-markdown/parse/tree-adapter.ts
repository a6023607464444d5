import { type DefaultTreeAdapterMap, html, type TreeAdapter } from 'parse5';
import { ConversionError } from './conversion-error.ts';
import { COMMENT, ELEMENT, FRAGMENT, TEXT, TreeNode } from './tree.ts';

/** Crafted mark-up of some kilobytes can otherwise make millions of nodes. */
const MAX_ELEMENTS = 100_000;
const MAX_ATTRIBUTES = 512;

interface TreeMap extends DefaultTreeAdapterMap {}
export type TreeAdapterMap = { [K in keyof TreeMap]: TreeNode };

/** Comments are not kept: this one stands for all of them. */
const comment = new TreeNode(COMMENT, '#comment');

const READ_SCRIPTS = /^\s*(?:application\/ld\+json|math\/)/i;

/** Script and style text is most of many pages, and nobody reads it, data and formulas apart. */
function isUnread(parent: TreeNode): boolean {
  if (parent.nodeName === 'SCRIPT') return !READ_SCRIPTS.test(parent.getAttribute('type') ?? '');
  return parent.nodeName === 'STYLE';
}

/** @throws {ConversionError} DOCUMENT_TOO_COMPLEX */
export function checkAttributes(count: number): void {
  if (count <= MAX_ATTRIBUTES) return;
  throw new ConversionError('DOCUMENT_TOO_COMPLEX', `an element has more than ${MAX_ATTRIBUTES} attributes`);
}

interface CountingTreeAdapter extends TreeAdapter<TreeAdapterMap> {
  /** The first `base` element. */
  base: TreeNode | null;
  /** A depth below which no node lies. */
  readonly maxDepth: number;
}

/** A parse5 tree adapter that builds `TreeNode`s and counts them while it does. */
export function createTreeAdapter(): CountingTreeAdapter {
  let elements = 0;
  let mode: html.DOCUMENT_MODE = html.DOCUMENT_MODE.NO_QUIRKS;
  const adoptedNames = new Map<TreeNode, Set<string>>();
  let deepest = 0;
  let sunk = 0;
  const noteDepth = (parent: TreeNode, node: TreeNode) => {
    const depth = parent.depth + 1;
    // What is in a node moves with it and keeps the depths it had: at most by this much they are too small.
    if (node.firstChild !== null && depth > node.depth) sunk += depth - node.depth;
    node.depth = depth;
    if (depth > deepest) deepest = depth;
  };
  const insertText = (parent: TreeNode, text: string, reference: TreeNode | null) => {
    if (isUnread(parent)) return;
    const before = reference === null ? parent.lastChild : reference.previousSibling;
    if (before?.nodeType === TEXT) before.data += text;
    else parent.insertBefore(new TreeNode(TEXT, '#text', text), reference);
  };
  const adapter: CountingTreeAdapter = {
    base: null,
    get maxDepth() {
      return deepest + sunk;
    },
    createDocument: () => new TreeNode(FRAGMENT, '#document'),
    createDocumentFragment: () => new TreeNode(FRAGMENT, '#document-fragment'),
    createCommentNode: () => comment,
    createTextNode: (value) => new TreeNode(TEXT, '#text', value),
    createElement: (tagName, namespace, attributes) => {
      elements += 1;
      if (elements > MAX_ELEMENTS)
        throw new ConversionError('DOCUMENT_TOO_COMPLEX', `the document has more than ${MAX_ELEMENTS} elements`);
      checkAttributes(attributes.length);
      const element = new TreeNode(ELEMENT, tagName, '', attributes, namespace);
      if (tagName === 'base') adapter.base ??= element;
      return element;
    },
    appendChild: (parent, node) => {
      if (node === comment) return;
      noteDepth(parent, node);
      parent.appendChild(node);
    },
    insertBefore: (parent, node, reference) => {
      if (node === comment) return;
      noteDepth(parent, node);
      parent.insertBefore(node, reference);
    },
    insertText: (parent, text) => insertText(parent, text, null),
    insertTextBefore: insertText,
    detachNode: (node) => node.parentNode?.removeChild(node),
    adoptAttributes: (element, attributes) => {
      // Each of many html or body tags may bring more: comparing each name with all before it would be quadratic.
      const names = adoptedNames.get(element) ?? new Set(element.attributes.map(({ name }) => name));
      adoptedNames.set(element, names);
      for (const attribute of attributes) {
        if (names.has(attribute.name)) continue;
        names.add(attribute.name);
        element.attributes.push(attribute);
        checkAttributes(element.attributes.length);
      }
    },
    getAttrList: (element) => element.attributes,
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
    isDocumentTypeNode: (node): node is TreeNode => node === undefined,
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
  return adapter;
}
