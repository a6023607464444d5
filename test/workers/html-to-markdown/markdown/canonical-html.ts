import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';
import { TEXT, type TreeNode } from '../../../../workers/html-to-markdown/parse/tree.ts';

const SAME: Readonly<Record<string, string>> = { I: 'EM', B: 'STRONG', S: 'DEL', TH: 'TD' };
const INLINE = new Set(['EM', 'STRONG', 'DEL', 'CODE', 'A']);
const EMPTY = new Set(['BR', 'HR', 'IMG', 'INPUT']);
const BLOCKS = new Set([
  'H1',
  'H2',
  'H3',
  'H4',
  'H5',
  'H6',
  'UL',
  'OL',
  'LI',
  'BLOCKQUOTE',
  'PRE',
  'TABLE',
  'TR',
  'TH',
  'TD',
]);
const PARTING = new Set(['P', 'DIV', 'BODY', 'TBODY', 'THEAD', 'HTML']);
const UNREAD = new Set(['SCRIPT', 'STYLE', 'TEXTAREA', 'TEMPLATE', 'HEAD']);

/**
 * Reduces HTML to the content that Markdown can express, so that equal content gives equal text:
 * - White space is collapsed, and moved out of the ends of inline elements.
 * - A paragraph is equal to bare text in its place, as in tight lists.
 * - Containers without meaning are replaced by their content. Tables with one column are such containers.
 * - Invisible parts are removed: empty blocks, links without address or text, comments, scripts, and emphasis within the
 *   same emphasis.
 * - i becomes em, b strong, s del, and th td.
 * - Addresses are serialized as by WHATWG URL, but without escapes of parentheses.
 */
export function canonicalHtml(html: string): string {
  const lines: string[] = [];
  let line = '';
  const open = new Set<string>();
  const flush = () => {
    const text = moveSpaceOut(line.replace(/\s+/g, ' '))
      .replace(/ ?(<BR>) ?/g, '$1')
      .replace(/(?:<BR>)+$/, '')
      .trim();
    if (text.replace(/<\/?(?:EM|STRONG|DEL|CODE)>/g, '').trim() !== '') lines.push(text);
    line = '';
  };
  const visitChildren = (node: TreeNode) => {
    for (const child of node.childNodes) visit(child);
  };
  const visit = (node: TreeNode) => {
    const name = SAME[node.nodeName] ?? node.nodeName;
    if (node.nodeType === TEXT) line += node.data.replaceAll('<', '&lt;');
    else if (UNREAD.has(name)) return;
    else if (name === 'PRE') {
      flush();
      lines.push(`<PRE ${languageOf(node)}>${node.textContent.replace(/\n$/, '')}`);
    } else if (EMPTY.has(name)) {
      if (name === 'HR') flush();
      line +=
        name === 'IMG'
          ? `<IMG ${addressOf(node, 'src')} ${textOf(node, 'alt')} ${textOf(node, 'title')}>`
          : `<${name}>`;
      if (name === 'HR') flush();
    } else if (INLINE.has(name)) {
      if (open.has(name)) return visitChildren(node);
      open.add(name);
      const before = line.length;
      const isLink = name === 'A' && node.getAttribute('href');
      const tag = isLink ? `<A ${addressOf(node, 'href')} ${textOf(node, 'title')}>` : name === 'A' ? '' : `<${name}>`;
      line += tag;
      visitChildren(node);
      open.delete(name);
      if (line.slice(before + tag.length).trim() === '') line = line.slice(0, before) + line.slice(before + tag.length);
      else if (tag !== '') line += `</${name}>`;
    } else if (BLOCKS.has(name) && !isLayout(node)) {
      flush();
      const at = lines.length;
      lines.push(`<${name}${name === 'OL' ? ` ${Number(node.getAttribute('start') ?? 1)}` : ''}>`);
      visitChildren(node);
      flush();
      if (lines.length === at + 1 && name !== 'LI' && name !== 'TD' && name !== 'TH') lines.pop();
      else lines.push(`</${name}>`);
    } else if (PARTING.has(name) || BLOCKS.has(name)) {
      flush();
      visitChildren(node);
      flush();
    } else visitChildren(node);
  };
  visitChildren(parseHtml(html).document);
  flush();
  return lines.join('\n');
}

function moveSpaceOut(line: string): string {
  const moved = line
    .replace(/((?:<(?:EM|STRONG|DEL|A [^>]*)>)+) /g, ' $1')
    .replace(/ ((?:<\/(?:EM|STRONG|DEL|A)>)+)/g, '$1 ')
    .replace(/ +/g, ' ');
  return moved === line ? moved : moveSpaceOut(moved);
}

function isLayout(node: TreeNode): boolean {
  let table: TreeNode | null = node;
  while (table !== null && table.nodeName !== 'TABLE') table = table.parentNode;
  if (table === null || !/^(?:TABLE|TR|T[DH])$/.test(node.nodeName)) return false;
  const names = [...table.descendants()].map(({ nodeName }) => nodeName);
  return names.filter((name) => /^T[DH]$/.test(name)).length <= names.filter((name) => name === 'TR').length;
}

function textOf(node: TreeNode, name: string): string {
  return (node.getAttribute(name) ?? '').replace(/\s+/g, ' ').trim();
}

function addressOf(node: TreeNode, name: string): string {
  const address = node.getAttribute(name) ?? '';
  const url = URL.parse(address, 'http://base.invalid/a/')?.href ?? address;
  return url.replace(/%(28|29|5C|60|20)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function languageOf(node: TreeNode): string {
  return /(?:^|\s)language-(\S+)/.exec(node.children[0]?.getAttribute('class') ?? '')?.[1] ?? '';
}
