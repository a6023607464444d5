import { parseArgs } from 'node:util';
import { htmlToMarkdown } from '../../../workers/html-to-markdown/html-to-markdown.ts';
import { PEERS } from '../../peers/html-to-markdown.ts';
import type { Measure } from '../measure.ts';
import { type LabelledPage, loadCorpus } from './corpus.ts';
import { type Summary, summarise } from './report.ts';
import { type Converted, type PageScore, scorePage } from './score.ts';

const OURS = 'htmlToMarkdown';

interface Result {
  readonly name: string;
  readonly summary: readonly Summary[];
  readonly pages: readonly PageScore[];
}

/** How much of the labelled pages' content, titles and authors comes out, and how much else. */
export const html: Measure = {
  usage: 'DIR [--peers] [--worst N] [--only even|odd] [--json]   DIR holds html/ID.html.gz and ground-truth/ID.json',
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        peers: { type: 'boolean', default: false },
        worst: { type: 'string', default: '0' },
        only: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const [folder] = positionals;
    if (folder === undefined) return false;
    const corpus = loadCorpus(folder).filter(({ id }) => isChosen(id, values.only));
    const results = [score(OURS, corpus, (page) => htmlToMarkdown({ html: page.html, sourceUrl: page.url }))];
    if (values.peers) {
      for (const [name, convert] of Object.entries(PEERS))
        results.push(score(name, corpus, ({ html }) => convert(html)));
    }
    if (values.json) console.log(JSON.stringify(results, null, 2));
    else for (const result of results) print(result, Number(values.worst));
    return true;
  },
};

/** Rules tuned on the pages of even number prove themselves on the odd ones. */
function isChosen(id: string, only: string | undefined): boolean {
  return only === undefined || (Number(id) % 2 === 0) === (only === 'even');
}

function score(name: string, corpus: readonly LabelledPage[], convert: (page: LabelledPage) => Converted): Result {
  const pages = corpus.map((page) => scorePage(page, convertOrNothing(page, convert)));
  return { name, pages, summary: summarise(pages) };
}

/** A page that a converter throws on counts as one of which nothing came out. */
function convertOrNothing(page: LabelledPage, convert: (page: LabelledPage) => Converted): Converted {
  try {
    return convert(page);
  } catch {
    return { markdown: '' };
  }
}

const COLUMNS = ['f1', 'precision', 'recall', 'present', 'absent', 'title', 'author', 'falseAuthor'] as const;

function print({ name, summary, pages }: Result, worst: number): void {
  console.log(`\n${name}`);
  console.log(['', 'pages', ...COLUMNS].map((text, index) => text.padEnd(index === 0 ? 15 : 12)).join(''));
  for (const row of summary) {
    const figures = COLUMNS.map((column) => (row[column]?.toFixed(3) ?? '').padEnd(12));
    console.log(`${row.type.padEnd(15)}${String(row.pages).padEnd(12)}${figures.join('')}`);
  }
  const scored = pages.filter(({ f1 }) => f1 !== undefined).toSorted((a, b) => (a.f1 ?? 0) - (b.f1 ?? 0));
  for (const { id, type, f1, precision, recall } of scored.slice(0, worst)) {
    console.log(
      `${id} ${type.padEnd(14)} f1 ${f1?.toFixed(3)}, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
    );
  }
}
