import TurndownService from 'turndown';
import { createLinkResolver } from './links.ts';
import { readMetadata } from './metadata.ts';
import { ConversionError, parseHtml, type TreeNode } from './tree.ts';

export interface HtmlDocument {
  readonly html: string;
  /** Resolves relative links. Never fetched. */
  readonly sourceUrl?: string | undefined;
}

export interface MarkdownDocument {
  readonly title: string | null;
  readonly byline: string | null;
  readonly excerpt: string | null;
  readonly markdown: string;
  /** UTF-16 code units of `markdown`. */
  readonly markdownCharacters: number;
}

const MAX_INPUT_CHARACTERS = 8 * 1024 * 1024;
const OUTPUT_ALLOWANCE_CHARACTERS = 64 * 1024;

/**
 * Converts an HTML document or fragment to Markdown. Pure: the same input gives the same bytes.
 * @throws {ConversionError} DOCUMENT_TOO_LARGE, DOCUMENT_TOO_COMPLEX
 */
export function htmlToMarkdown({ html, sourceUrl }: HtmlDocument): MarkdownDocument {
  if (html.length > MAX_INPUT_CHARACTERS) {
    throw new ConversionError('DOCUMENT_TOO_LARGE', `the document has more than ${MAX_INPUT_CHARACTERS} characters`);
  }
  const document = parseHtml(html);
  removeUnread(document);
  const metadata = readMetadata(document);
  const resolve = createLinkResolver(document, sourceUrl);
  const [body] = document.getElementsByTagName('BODY');
  const markdown = finish(createTurndown(resolve).turndown((body ?? document) as unknown as TurndownService.Node));
  if (markdown.length > 4 * html.length + OUTPUT_ALLOWANCE_CHARACTERS) {
    throw new ConversionError('DOCUMENT_TOO_LARGE', 'the Markdown is more than four times as long as the document');
  }
  return { ...metadata, markdown, markdownCharacters: markdown.length };
}

const UNREAD = new Set([
  'SCRIPT',
  'STYLE',
  'TEMPLATE',
  'NOSCRIPT',
  'IFRAME',
  'OBJECT',
  'SVG',
  'CANVAS',
  'SELECT',
  'BUTTON',
  'TEXTAREA',
]);

/** What a reader of the page does not read. */
function removeUnread(document: TreeNode): void {
  const unread: TreeNode[] = [];
  for (const node of document.descendants()) {
    if (node.nodeType === 1 && (UNREAD.has(node.nodeName) || node.getAttribute('hidden') !== null)) unread.push(node);
  }
  for (const node of unread) node.parentNode?.removeChild(node);
}

type Rule = TurndownService.Rule & { readonly replacement: (content: string, node: unknown) => string };

function createTurndown(resolve: (address: string) => string | null): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    hr: '---',
    bulletListMarker: '-',
    emDelimiter: '*',
  });
  const rules: Readonly<Record<string, Rule>> = {
    link: {
      filter: 'a',
      replacement: (content, node) => {
        const address = resolve((node as TreeNode).getAttribute('href') ?? '');
        return address === null || content.trim() === '' ? content : `[${content}](${address})`;
      },
    },
    image: {
      filter: 'img',
      replacement: (_, node) => {
        const image = node as TreeNode;
        const alternative = (image.getAttribute('alt') ?? '').replace(/\s+/g, ' ').replace(/[[\]\\]/g, '\\$&');
        const address = resolve(image.getAttribute('src') ?? '');
        return address === null ? alternative : `![${alternative}](${address})`;
      },
    },
  };
  for (const [name, rule] of Object.entries(rules)) service.addRule(name, rule as TurndownService.Rule);
  return service;
}

/** LF only, no NUL, no lone surrogate, one final newline. */
function finish(markdown: string): string {
  const text = markdown.replace(/\r\n?/g, '\n').replaceAll('\0', '').toWellFormed().trim();
  return text === '' ? '' : `${text}\n`;
}
