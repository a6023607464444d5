import GithubSlugger from 'github-slugger';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { Html } from './html.ts';

const TAG = /<[^>]*>/g;

/** Where a link of a document leads on the site. Undefined: nowhere, so its text stays. */
export type ResolveLink = (href: string) => string | undefined;

/**
 * Renders GitHub Flavored Markdown. HTML in it is shown as text, and links to other schemes than http, https and mailto
 * lead nowhere. Headings have the ids that GitHub gives them. Tables and code can be scrolled with the keyboard.
 */
export function renderMarkdown(markdown: string, resolve: ResolveLink = (href) => href): Html {
  const slugger = new GithubSlugger();
  const rendered = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const text = rendered
    .replace(/<h([1-6])>(.*?)<\/h\1>/gs, (_, level: string, inner: string) => {
      const id = slugger.slug(decode(inner.replace(TAG, '')));
      return `<h${level} id="${id}">${inner}</h${level}>`;
    })
    .replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (_, href: string, inner: string) => {
      const to = resolve(decode(href));
      return to === undefined ? inner : `<a href="${encode(to)}">${inner}</a>`;
    })
    .replaceAll('<table>', '<div class="table" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<th></th>', '<td></td>');
  return new Html(text);
}

const decode = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
const encode = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Text inside a cell of a Markdown table. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

/** Text that Markdown shows as code, whatever it has. */
export const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);
