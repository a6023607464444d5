import GithubSlugger from 'github-slugger';
import MiniSearch from 'minisearch';
import { type Html, html } from '../site/html.ts';
import type { Page } from '../site/layout.ts';

/** A page that can be found. */
export interface Searchable {
  readonly path: string;
  readonly title: string;
  readonly markdown: string;
}

export interface Found {
  /** The path of a page, with the id of a heading. */
  readonly path: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

const MOST = 20;
const SNIPPET = 220;
const HEADING = /^#{1,6} (.+)$/;
const MARKS = /[*_`|#>]|\[|\]\([^)]*\)|-{3,}/g;

/** Finds sections of pages that have all words, or some if none has all. Words may lack their ends or have a typing error. */
export function createSearch(pages: readonly Searchable[]): (query: string) => readonly Found[] {
  const sections = pages.flatMap(sectionsOf).map((section, id) => ({ id, ...section }));
  const index = new MiniSearch({
    fields: ['title', 'heading', 'text'],
    searchOptions: { boost: { title: 3, heading: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
  });
  index.addAll(sections);
  return (query) => {
    const whole = index.search(query);
    const results = whole.length > 0 ? whole : index.search(query, { combineWith: 'OR' });
    return results.flatMap(({ id }) => sections[Number(id)] ?? []).slice(0, MOST);
  };
}

/** A page in parts that begin with a heading. Headings inside code are none. */
function sectionsOf({ path, title, markdown }: Searchable): readonly Found[] {
  const slugger = new GithubSlugger();
  const sections: { path: string; title: string; heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.trimStart().startsWith('```')) isCode = !isCode;
    const heading = isCode ? undefined : HEADING.exec(line)?.[1];
    if (heading !== undefined || sections.length === 0) {
      const text = heading?.replaceAll('`', '') ?? title;
      sections.push({
        path: sections.length === 0 ? path : `${path}#${slugger.slug(text)}`,
        title,
        heading: text,
        lines: [],
      });
    } else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ lines, ...section }) => ({
    ...section,
    text: lines.join(' ').replaceAll(MARKS, ' ').replaceAll(/\s+/g, ' ').trim(),
  }));
}

export function renderSearch(query: string, found: readonly Found[]): Page {
  const words = query
    .toLowerCase()
    .split(/\W+/u)
    .filter((word) => word.length > 1);
  const results = found.map(
    ({ path, title, heading, text }) =>
      html`<li><h2><a href="${path}">${heading === title ? title : `${title}: ${heading}`}</a></h2><p>${snippet(text, words)}</p></li>`,
  );
  const count = found.length === MOST ? `the first ${MOST} results` : `${found.length} results`;
  const says =
    query === '' ? html`<p>Type a word into the field above.</p>` : html`<p>${count} for <strong>${query}</strong></p>`;
  return {
    title: 'Search',
    description: 'Search the documents and the operations.',
    main: html`<h1>Search</h1>${says}<ol class="results">${results}</ol>`,
  };
}

/** The text around the first word that was searched for, with the words marked. */
function snippet(text: string, words: readonly string[]): Html {
  const lower = text.toLowerCase();
  const first =
    words
      .map((word) => lower.indexOf(word))
      .filter((at) => at >= 0)
      .toSorted((a, b) => a - b)[0] ?? 0;
  const start = first < 60 ? 0 : lower.lastIndexOf(' ', first - 40) + 1;
  const cut = text.slice(start, start + SNIPPET);
  const parts: Html[] = [];
  let from = 0;
  const low = cut.toLowerCase();
  while (from < cut.length) {
    const next = words
      .map((word) => ({ word, at: low.indexOf(word, from) }))
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at)[0];
    if (next === undefined) break;
    const end = next.at + next.word.length;
    parts.push(html`${cut.slice(from, next.at)}<mark>${cut.slice(next.at, end)}</mark>`);
    from = end;
  }
  return html`${start > 0 ? '… ' : ''}${parts}${cut.slice(from)}${start + SNIPPET < text.length ? ' …' : ''}`;
}
