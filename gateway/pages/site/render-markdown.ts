import GithubSlugger from 'github-slugger';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { Html } from './html.ts';

const TAG = /<[^>]*>/g;

/** Where a link of a document leads on the site. Undefined: nowhere, so its text stays. */
export type ResolveLink = (href: string) => string | undefined;

/**
 * Renders GitHub Flavored Markdown. HTML in it is shown as text, and links to other schemes than http, https and mailto
 * lead nowhere. Headings have the ids that GitHub gives them, and lead to themselves. Tables and code can be scrolled with the keyboard.
 */
export function renderMarkdown(markdown: string, resolve: ResolveLink = (href) => href): Html {
  const slugger = new GithubSlugger();
  const rendered = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const text = rendered
    .replace(/<a href="([^"]*)">(.*?)<\/a>/gs, (_, href: string, inner: string) => {
      const to = resolve(decode(href));
      return to === undefined ? inner : `<a href="${encode(to)}">${inner}</a>`;
    })
    .replace(/<h([1-6])>(.*?)<\/h\1>/gs, (_, level: string, inner: string) => {
      const id = slugger.slug(decode(inner.replace(TAG, '')));
      // The title of a page is its top, and a link in a heading leads where it says.
      const isPlain = level === '1' || inner.includes('<a ');
      return `<h${level} id="${id}">${isPlain ? inner : `<a href="#${id}">${inner}</a>`}</h${level}>`;
    })
    .replaceAll('<table>', '<div class="table" role="group" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<th></th>', '<td></td>');
  return new Html(text);
}

/** A heading of a section, and whether it is inside that of the heading before. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly isInner: boolean;
}

/** The headings of the second and third level that have ids. */
export const headingsOf = ({ text: page }: Html): readonly Heading[] =>
  [...page.matchAll(/<h([23]) id="([^"]+)">(.*?)<\/h\1>/gs)].map(([, level, id = '', inner = '']) => ({
    id,
    text: decode(inner.replace(TAG, '')),
    isInner: level === '3',
  }));

const decode = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
const encode = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Text inside a cell of a Markdown table. */
export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

/** Text that Markdown shows as code, whatever it has. */
export const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);
