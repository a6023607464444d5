import { createLinkResolver } from '../../../../workers/html-to-markdown/markdown/links.ts';
import { renderMarkdown } from '../../../../workers/html-to-markdown/markdown/markdown.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';

/** The Markdown of a whole document, without the final newline. */
export function toMarkdown(html: string): string {
  const [body] = parseHtml(html).document.getElementsByTagName('BODY');
  if (body === undefined) return '';
  return renderMarkdown(body, { resolve: createLinkResolver(null, undefined) }).replace(/\n$/, '');
}
