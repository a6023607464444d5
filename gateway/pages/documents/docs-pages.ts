import { type Html, html } from '../site/html.ts';
import { navigationLink, type Page } from '../site/layout.ts';
import { renderMarkdown } from '../site/render-markdown.ts';
import type { Library, LibraryDocument } from './library.ts';

/** Folders of `docs/`, in the order of the list, with the names of their lists. */
const PARTS = [
  ['', 'Guides'],
  ['verified-execution', 'Verified execution'],
  ['operations', 'Running Tollhouse'],
  ['decisions', 'Decisions'],
] as const;

/** The page that lists every document. */
export function renderIndex(library: Library): Page {
  const lists = PARTS.map(([folder, name]) => {
    const links = documentsIn(library, folder).map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`);
    return html`<section class="card"><h2>${name}</h2><ul>${links}</ul></section>`;
  });
  return {
    title: 'Documents',
    description: 'How to call the API, how verified execution works, and how to run the server.',
    main: html`<h1>Documents</h1><div class="cards">${lists}</div>`,
    markdown: '/docs.md',
  };
}

export function describeIndex(library: Library): string {
  const parts = PARTS.map(([folder, name]) => {
    const links = documentsIn(library, folder).map(({ path, title }) => `- [${title}](${path}.md)`);
    return `## ${name}\n\n${links.join('\n')}\n`;
  });
  return `# Documents\n\n${parts.join('\n')}`;
}

export function renderDocument(library: Library, document: LibraryDocument): Page {
  return {
    title: document.title,
    description: firstSentence(document.markdown),
    main: renderMarkdown(document.markdown, (href) => library.resolve(document, href)),
    markdown: `${document.path}.md`,
    aside: listOf(library, document.path),
  };
}

/** The documents of every part but the decisions, which only their own pages list. */
function listOf(library: Library, here: string): Html {
  const parts = PARTS.filter(([folder]) => folder !== 'decisions' || here.startsWith('/docs/decisions/'));
  return html`${parts.map(([folder, name]) => {
    const links = documentsIn(library, folder).map(({ path, title }) => navigationLink(path, title, path === here));
    return html`<h2>${name}</h2><ul>${links}</ul>`;
  })}`;
}

/** A part's own page first. */
function documentsIn({ documents }: Library, folder: string): readonly LibraryDocument[] {
  const own = folder === '' ? undefined : documents.get(`/docs/${folder}`);
  const inside = [...documents.values()].filter(({ file, path }) => {
    const parts = file.split('/');
    const isDirect = folder === '' ? parts.length === 1 : parts.length === 2 && parts[0] === folder;
    return isDirect && path !== own?.path && !PARTS.some(([name]) => `/docs/${name}` === path && folder === '');
  });
  return own === undefined ? inside : [own, ...inside];
}

function firstSentence(markdown: string): string {
  const paragraph = markdown.split('\n\n').find((text) => /^[A-Z*`]/.test(text)) ?? '';
  const [sentence = ''] = paragraph
    .replaceAll(/[*`[\]]|\([^)]*\)/g, '')
    .replaceAll('\n', ' ')
    .split(/(?<=\.) /);
  return sentence.slice(0, 200);
}
