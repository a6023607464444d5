import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { element } from './dom.ts';

/** Renders Markdown of others. HTML in it is shown as text. Images are not loaded: they are at other servers. */
export function renderMarkdown(markdown: string): HTMLDivElement {
  const parsed = parseMarkdown(markdown);
  for (const image of parsed.querySelectorAll('img')) image.replaceWith(`[image: ${image.alt}]`);
  for (const link of parsed.querySelectorAll('a')) link.rel = 'noreferrer nofollow';
  for (const table of parsed.querySelectorAll('table')) {
    const region = element('div', { class: 'table', role: 'group', 'aria-label': 'Table', tabindex: '0' });
    table.replaceWith(region);
    region.append(table);
  }
  for (const block of parsed.querySelectorAll('pre')) block.tabIndex = 0;
  return element('div', { class: 'rendered', tabindex: '0' }, ...parsed.body.childNodes);
}

/** The document that the Markdown stands for. It belongs to no window, so nothing in it is loaded. */
export const parseMarkdown = (markdown: string): Document =>
  new DOMParser().parseFromString(
    micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }),
    'text/html',
  );
