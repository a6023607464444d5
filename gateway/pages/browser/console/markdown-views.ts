import { diffWords } from 'diff';
import { codeBlock, element } from '../page/dom.ts';
import { parseMarkdown, renderMarkdown } from '../page/render-markdown.ts';

const MOST_COMPARED = 60_000;
/** Words on the two sides of these elements are two words. */
const BLOCKS =
  'address, article, aside, blockquote, br, dd, div, dt, footer, h1, h2, h3, h4, h5, h6, header, hr, li, main, nav, ol, p, pre, section, table, td, th, tr, ul';

/** The Markdown, its rendering, and what of the source's text it kept. */
export function showMarkdown(source: string, markdown: string): readonly HTMLElement[] {
  return [
    panel('Markdown', codeBlock(markdown)),
    panel('What was kept of the text', difference(source, markdown)),
    panel('Rendered', renderMarkdown(markdown)),
  ];
}

const panel = (title: string, content: HTMLElement): HTMLElement =>
  element('section', { class: 'panel', 'aria-label': title }, element('h3', {}, title), content);

/** Text of the source that the Markdown lacks is struck out. */
function difference(source: string, markdown: string): HTMLElement {
  const before = textOf(new DOMParser().parseFromString(source, 'text/html'));
  const after = textOf(parseMarkdown(markdown));
  if (before.length > MOST_COMPARED) return element('p', {}, 'The document is too long to compare here.');
  const parts = diffWords(before, after).map(({ value, added, removed }) =>
    removed ? element('del', {}, value) : added ? element('ins', {}, value) : value,
  );
  return element('p', { class: 'difference', tabindex: '0' }, ...parts);
}

function textOf(parsed: Document): string {
  for (const hidden of parsed.querySelectorAll('script, style, template, noscript')) hidden.remove();
  for (const block of parsed.querySelectorAll(BLOCKS)) block.before(' ');
  return (parsed.body.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}
