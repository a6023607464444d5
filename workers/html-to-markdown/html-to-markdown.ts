import { createLinkResolver } from './markdown/links.ts';
import { renderMarkdown } from './markdown/markdown.ts';
import type { PluginRules } from './markdown/plugins/plugin-rules.ts';
import { firstParagraph } from './metadata/excerpt.ts';
import { readAbout } from './metadata/metadata.ts';
import { readPage } from './page/page.ts';
import { ConversionError } from './parse/conversion-error.ts';
import { parseHtml } from './parse/parse-html.ts';

export interface HtmlDocument {
  readonly html: string;
  /** Resolves relative links. Never fetched. */
  readonly sourceUrl?: string | undefined;
  /** Most bytes of the result as JSON in UTF-8. A larger one is refused as DOCUMENT_TOO_LARGE. Unlimited by default. */
  readonly maxAnswerBytes?: number | undefined;
}

export interface MarkdownDocument {
  readonly title: string | null;
  readonly byline: string | null;
  /** The page's own description, or else the beginning of the first long paragraph of what is converted. */
  readonly excerpt: string | null;
  readonly markdown: string;
  /** UTF-16 code units of `markdown`. */
  readonly markdownCharacters: number;
}

/** What is told of a document besides its Markdown. */
type Summary = Pick<MarkdownDocument, 'title' | 'byline' | 'excerpt'>;

const MAX_INPUT_CHARACTERS = 8 * 1024 * 1024;
const OUTPUT_ALLOWANCE_CHARACTERS = 64 * 1024;

/**
 * Converts an HTML document or fragment to Markdown. Pure without plugins: the same input gives the same bytes.
 * @throws {ConversionError} DOCUMENT_TOO_LARGE, DOCUMENT_TOO_COMPLEX, PLUGIN_FAILED
 */
export function htmlToMarkdown(
  { html, sourceUrl, maxAnswerBytes = Number.POSITIVE_INFINITY }: HtmlDocument,
  plugins?: PluginRules,
): MarkdownDocument {
  if (html.length > MAX_INPUT_CHARACTERS) {
    throw new ConversionError('DOCUMENT_TOO_LARGE', `the document has more than ${MAX_INPUT_CHARACTERS} characters`);
  }
  const parsed = parseHtml(html);
  const about = readAbout(parsed.document, sourceUrl);
  const root = readPage(parsed, about);
  const { title, byline, description } = about.metadata;
  const summary = { title, byline, excerpt: description ?? firstParagraph(root) };
  const maxCharacters = 4 * html.length + OUTPUT_ALLOWANCE_CHARACTERS;
  const markdown = renderMarkdown(root, {
    resolve: createLinkResolver(parsed.base, sourceUrl),
    maxCharacters,
    maxJsonBytes: maxAnswerBytes - bytesBeside(summary, maxCharacters),
    plugins,
  });
  return { ...summary, markdown, markdownCharacters: markdown.length };
}

/** Bytes of the JSON of a result besides those of its Markdown. */
function bytesBeside(summary: Summary, maxCharacters: number): number {
  const rest: MarkdownDocument = {
    ...summary,
    markdown: '\n',
    markdownCharacters: maxCharacters,
  };
  return Buffer.byteLength(JSON.stringify(rest));
}
