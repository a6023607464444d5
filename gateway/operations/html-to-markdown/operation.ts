import { Type } from 'typebox';
import { NullableText } from '../operation/nullable.ts';
import { defineOperation } from '../operation/operation.ts';

export const htmlToMarkdown = defineOperation({
  name: 'html-to-markdown',
  operationId: 'content_html-to-markdown',
  path: '/api/v1/content/html-to-markdown',
  summary: 'Convert HTML to clean Markdown',
  description:
    'Converts raw HTML supplied by the caller into deterministic, clean Markdown. It never fetches the source URL.',
  priceMicroUsd: 3000n,
  timeoutMs: 20_000,
  request: Type.Object(
    {
      html: Type.String({ minLength: 1, pattern: '\\S', description: 'HTML document or fragment' }),
      sourceUrl: Type.Optional(
        Type.String({
          maxLength: 2048,
          pattern: '^[hH][tT][tT][pP][sS]?://\\S+$',
          description: 'Where the HTML came from. Resolves relative links; never fetched.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object(
    {
      title: NullableText('Title of the page'),
      byline: NullableText('Author of the page'),
      excerpt: NullableText('Description or first paragraph of the page'),
      markdown: Type.String(),
      markdownCharacters: Type.Integer({ minimum: 0, description: 'UTF-16 code units of markdown' }),
    },
    { additionalProperties: false },
  ),
  requestExample: {
    html: '<h1>Toll houses</h1><p>A <b>toll house</b> is where a <a href="/toll">toll</a> is paid.</p>',
    sourceUrl: 'https://example.com/roads',
  },
  responseExample: {
    title: 'Toll houses',
    byline: null,
    excerpt: null,
    markdown: '# Toll houses\n\nA **toll house** is where a [toll](https://example.com/toll) is paid.\n',
    markdownCharacters: 85,
  },
  execute: async ({ html, sourceUrl }, { clients, ...settings }) => {
    const { title, byline, excerpt, markdown, markdownCharacters } = await clients.content.convertHtml(
      { html, sourceUrl },
      settings,
    );
    return { title: title ?? null, byline: byline ?? null, excerpt: excerpt ?? null, markdown, markdownCharacters };
  },
});
