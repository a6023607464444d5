import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse } from 'parse5';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';
import { TEXT, type TreeNode } from '../../../../workers/html-to-markdown/parse/tree.ts';

type StockNode = DefaultTreeAdapterMap['node'];

const READ_SCRIPTS = /^\s*(?:application\/ld\+json|math\/)/i;

/** The tree of stock parse5, one line per node, without the nodes that our tree does not keep. */
export function stockTree(source: string): string {
  const lines: string[] = [];
  const visit = (node: StockNode, depth: number, isTextKept: boolean) => {
    const last = lines.at(-1);
    if (defaultTreeAdapter.isTextNode(node)) {
      if (!isTextKept) return;
      // Texts become adjacent when the comment between them is dropped. Our tree joins them.
      if (last?.startsWith(`${depth} "`)) lines[lines.length - 1] = `${last.slice(0, -1) + node.value}"`;
      else lines.push(`${depth} "${node.value}"`);
    } else if (defaultTreeAdapter.isElementNode(node)) {
      const attributes = node.attrs.map(({ name, value }) => ` ${name}=${value}`).join('');
      lines.push(`${depth} <${node.tagName} ${node.namespaceURI}${attributes}>`);
    }
    const children = 'content' in node ? node.content.childNodes : 'childNodes' in node ? node.childNodes : [];
    for (const child of children) visit(child, depth + 1, isRead(node));
  };
  visit(parse(source, { scriptingEnabled: false }), 0, true);
  return lines.join('\n');
}

function isRead(node: StockNode): boolean {
  if (!defaultTreeAdapter.isElementNode(node)) return true;
  const type = node.attrs.find(({ name }) => name === 'type')?.value ?? '';
  return node.tagName !== 'style' && (node.tagName !== 'script' || READ_SCRIPTS.test(type));
}

/** Our tree in the same form. */
export function ourTree(source: string): string {
  const lines: string[] = [];
  const visit = (node: TreeNode, depth: number) => {
    if (node.nodeType === TEXT) lines.push(`${depth} "${node.data}"`);
    else if (depth > 0) {
      const attributes = node.attributes.map(({ name, value }) => ` ${name}=${value}`).join('');
      lines.push(`${depth} <${node.tagName} ${node.namespace}${attributes}>`);
    }
    for (const child of (node.content ?? node).childNodes) visit(child, depth + 1);
  };
  visit(parseHtml(source).document, 0);
  return lines.join('\n');
}
