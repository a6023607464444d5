import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';
import { TEXT, type TreeNode } from '../../../../workers/html-to-markdown/parse/tree.ts';

/** Elements that begin a line, so that browsers show no white space beside their tags. */
const BLOCKS = new Set(
  'HTML BODY P DIV H1 H2 H3 H4 H5 H6 UL OL LI BLOCKQUOTE PRE HR TABLE THEAD TBODY TR TH TD SECTION'.split(' '),
);
const LITERAL = new Set(['PRE', 'TEXTAREA']);

/**
 * HTML in one form: attributes in the order of their names, and no white space that browsers ignore. Nothing else is changed,
 * so two sources with one strict form have the same elements, attributes and text.
 */
export function strictHtml(html: string): string {
  const [body] = parseHtml(html).document.getElementsByTagName('BODY');
  return body === undefined ? '' : writeChildren(body, false);
}

function writeChildren(node: TreeNode, isLiteral: boolean): string {
  const written = node.childNodes.map((child) => write(child, isLiteral)).join('');
  if (isLiteral) return written;
  return isBlock(node) ? written.replace(/^ | $/g, '') : written;
}

function write(node: TreeNode, isLiteral: boolean): string {
  if (node.nodeType === TEXT) return isLiteral ? escapeMarkup(node.data) : writeText(node);
  const attributes = node.attributes
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, value }) => ` ${name}="${escapeMarkup(value)}"`);
  const content = writeChildren(node, isLiteral || LITERAL.has(node.nodeName));
  return `<${node.tagName}${attributes.join('')}>${content}</${node.tagName}>`;
}

function writeText({ data, previousSibling, nextSibling }: TreeNode): string {
  let text = escapeMarkup(data.replace(/[ \t\n\f\r]+/g, ' '));
  if (breaksLine(previousSibling)) text = text.replace(/^ /, '');
  if (breaksLine(nextSibling)) text = text.replace(/ $/, '');
  return text;
}

function breaksLine(node: TreeNode | null): boolean {
  return node !== null && (node.nodeName === 'BR' || isBlock(node));
}

function isBlock({ nodeName }: TreeNode): boolean {
  return BLOCKS.has(nodeName);
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
