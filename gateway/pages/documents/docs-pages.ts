import { type Html, html } from '../site/html.ts';
import { navigationLink, type Page } from '../site/layout.ts';
import { renderMarkdown } from '../site/render-markdown.ts';
import type { Library, LibraryDocument } from './library.ts';

interface Group {
  readonly name: string;
  readonly says: string;
  readonly paths: readonly string[];
}

const group = (name: string, says: string, ...names: readonly string[]): Group => ({
  name,
  says,
  paths: names.map((one) => `/docs/${one}`),
});

/** The documents by what a reader wants (Diátaxis), each in the order in which to read them. */
export const GROUPS: readonly Group[] = [
  group('Start', 'Call an API, have a run proven, run a server.', 'api', 'verified-execution', 'install', 'operations'),
  group(
    'How-to',
    'The steps to a goal.',
    'verified-execution/plan-text',
    'verified-execution/recipes',
    'verified-execution/operators',
    'operations/rehearsal',
    'operations/production',
    'operations/hosts',
    'operations/proxies',
    'operations/backup',
    'operations/upgrades',
    'operations/operator-page',
    'grpc',
    'measuring',
  ),
  group(
    'Reference',
    'Every field, code, variable and command.',
    'errors',
    'configuration',
    'operations/commands',
    'verified-execution/tools',
    'verified-execution/plans',
    'verified-execution/plan-format',
    'verified-execution/outcomes',
    'verified-execution/sheets',
    'verified-execution/verdicts',
    'verified-execution/proofs',
    'operations/retention',
    'operations/privacy',
  ),
  group(
    'Explanation',
    'How it works, and why.',
    'architecture',
    'operations/payments',
    'operations/channels',
    'operations/ledger',
    'operations/drills',
    'simulation',
    'html-to-markdown',
    'geocoding',
  ),
];
const DECISIONS = '/docs/decisions';

type Found = Pick<Library, 'documents'>;

const documentsOf = ({ documents }: Found, { paths }: Group): readonly LibraryDocument[] =>
  paths.flatMap((path) => documents.get(path) ?? []);

/** By their numbers. */
const decisionsOf = ({ documents }: Found): readonly LibraryDocument[] =>
  [...documents.values()].filter(({ path }) => path.startsWith(`${DECISIONS}/`));

const listOf = (documents: readonly LibraryDocument[]): Html =>
  html`<ul>${documents.map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`)}</ul>`;

const describeList = (documents: readonly LibraryDocument[]): string =>
  documents.map(({ path, title }) => `- [${title}](${path}.md)\n`).join('');

/** The page that lists every document but the decisions. */
export function renderIndex(library: Library): Page {
  const cards = GROUPS.map(
    (one) =>
      html`<section class="card"><h2>${one.name}</h2><p>${one.says}</p>${listOf(documentsOf(library, one))}</section>`,
  );
  return {
    title: 'Documents',
    description: 'How to call the API, how verified execution works, and how to run the server.',
    main: html`<h1>Documents</h1><div class="cards pairs">${cards}</div><p><a href="${DECISIONS}">Decisions</a>: why it is built so, with the figures behind it.</p>`,
    markdown: '/docs.md',
  };
}

export function describeIndex(library: Library): string {
  const parts = GROUPS.map((one) => `## ${one.name}\n\n${one.says}\n\n${describeList(documentsOf(library, one))}`);
  return `# Documents\n\n${parts.join('\n')}\n[Decisions](${DECISIONS}.md)\n`;
}

const ABOUT_DECISIONS = 'What someone may question later: the context, the decision, its consequences.';

export const renderDecisions = (library: Library): Page => ({
  title: 'Decisions',
  description: ABOUT_DECISIONS,
  main: html`<h1>Decisions</h1><p>${ABOUT_DECISIONS}</p>${listOf(decisionsOf(library))}`,
  markdown: `${DECISIONS}.md`,
  aside: listsBeside(library, DECISIONS),
});

export const describeDecisions = (library: Library): string =>
  `# Decisions\n\n${ABOUT_DECISIONS}\n\n${describeList(decisionsOf(library))}`;

export function renderDocument(library: Library, document: LibraryDocument): Page {
  const text = renderMarkdown(document.markdown, (href) => library.resolve(document, href));
  return {
    title: document.title,
    description: firstSentence(document.markdown),
    main: html`${text}${turn(library, document)}`,
    markdown: `${document.path}.md`,
    aside: listsBeside(library, document.path),
  };
}

/** Leads to the documents before and after. Decisions are read among themselves. */
function turn(library: Library, { path: here }: LibraryDocument): Html | undefined {
  const rows = here.startsWith(`${DECISIONS}/`)
    ? decisionsOf(library)
    : GROUPS.flatMap((one) => documentsOf(library, one));
  const at = rows.findIndex(({ path }) => path === here);
  if (at === -1) return undefined;
  const link = (to: LibraryDocument | undefined, rel: string, word: string) =>
    to && html`<a rel="${rel}" href="${to.path}"><span>${word}</span> ${to.title}</a>`;
  return html`<nav class="turn" aria-label="Previous and next">${link(rows[at - 1], 'prev', 'Previous')}${link(rows[at + 1], 'next', 'Next')}</nav>`;
}

function listsBeside(library: Library, here: string): Html {
  const lists = GROUPS.map((one) => {
    const links = documentsOf(library, one).map(({ path, title }) => navigationLink(path, title, path === here));
    return html`<h2>${one.name}</h2><ul>${links}</ul>`;
  });
  return html`${lists}<h2>Why</h2><ul>${navigationLink(DECISIONS, 'Decisions', here.startsWith(DECISIONS))}</ul>`;
}

function firstSentence(markdown: string): string {
  const paragraph = markdown.split('\n\n').find((text) => /^[A-Z*`]/.test(text)) ?? '';
  const [sentence = ''] = paragraph
    .replaceAll(/[*`[\]]|\([^)]*\)/g, '')
    .replaceAll('\n', ' ')
    .split(/(?<=\.) /);
  return sentence.slice(0, 200);
}
