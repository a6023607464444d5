import { parseArgs } from 'node:util';
import { defined } from '../../../../workers/exact/defined.ts';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { readAbout } from '../../../../workers/html-to-markdown/metadata/metadata.ts';
import { readPage } from '../../../../workers/html-to-markdown/page/page.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';
import { createProgress } from '../../../launch/output/progress.ts';
import { PEERS } from '../../inputs/peers.ts';
import { readPageFile } from '../loss/found-pages.ts';
import type { Measure } from '../measure/measure.ts';
import { type LabeledPage, loadCorpus } from './corpus.ts';
import { PeerRunner } from './peer-runner.ts';
import { type Summary, summarize } from './report.ts';
import { type Converted, type PageScore, scorePage } from './score.ts';

const OURS = 'htmlToMarkdown';
/** If a peer takes longer for a page, its result counts as empty. */
const PEER_TIMEOUT_MS = 10_000;
const NOTHING: Converted = { markdown: '' };

interface Result {
  readonly name: string;
  readonly summary: readonly Summary[];
  readonly pages: readonly PageScore[];
}

/** Measures how much of the labeled content, titles and authors the converters extract, and how much other text. */
export const html: Measure = {
  usage:
    'DIR [--peers] [--worst N] [--only even|odd] [--json]   DIR holds html/ID.html.gz and ground-truth/ID.json\n' +
    '  npm run quality -- html --why FILE   which rule leaves out which part of a page (.html, or .gz of it)',
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        peers: { type: 'boolean', default: false },
        worst: { type: 'string', default: '0' },
        only: { type: 'string' },
        json: { type: 'boolean', default: false },
        why: { type: 'string' },
      },
    });
    if (values.why !== undefined) {
      explain(values.why);
      return true;
    }
    const [folder] = positionals;
    if (folder === undefined) return false;
    const corpus = loadCorpus(folder).filter(({ id }) => isChosen(id, values.only));
    const results: Result[] = [];
    const report = (result: Result) => {
      results.push(result);
      if (!values.json) print(result, Number(values.worst));
    };
    report(await score(OURS, corpus, async (page) => htmlToMarkdown({ html: page.html, sourceUrl: page.url })));
    if (values.peers) await scorePeers(corpus, report);
    if (values.json) console.log(JSON.stringify(results, null, 2));
    return true;
  },
};

const MAX_SHOWN = 80;

/** Prints each part that is left out: the rule, the element, and the beginning of its text. */
function explain(file: string): void {
  const parsed = parseHtml(readPageFile(file));
  readPage(parsed, readAbout(parsed.document), ({ name }, { survey, roots }) => {
    for (const root of roots) {
      const { nodeName, classes, textContent } = defined(survey.elements[root]);
      const tag = `<${nodeName.toLowerCase()}${classes === '' ? '' : ` class="${classes}"`}>`;
      console.log(`${name.padEnd(20)} ${tag} ${textContent.replace(/\s+/g, ' ').trim().slice(0, MAX_SHOWN)}`);
    }
  });
}

/** Rules that were tuned on pages with even ids can be verified on pages with odd ids. */
function isChosen(id: string, only: string | undefined): boolean {
  return only === undefined || (Number(id) % 2 === 0) === (only === 'even');
}

async function scorePeers(corpus: readonly LabeledPage[], report: (result: Result) => void): Promise<void> {
  await using runner = new PeerRunner(PEER_TIMEOUT_MS);
  for (const name of Object.keys(PEERS)) {
    report(await score(name, corpus, async ({ html }) => (await runner.convert({ name, html })) ?? NOTHING));
  }
}

async function score(
  name: string,
  corpus: readonly LabeledPage[],
  convert: (page: LabeledPage) => Promise<Converted>,
): Promise<Result> {
  const pages: PageScore[] = [];
  using progress = createProgress({ title: `quality html, ${name}`, total: corpus.length });
  for (const page of corpus) {
    pages.push(scorePage(page, await convert(page)));
    progress.add(1);
  }
  return { name, pages, summary: summarize(pages) };
}

const COLUMNS = [
  ...(['f1', 'precision', 'recall', 'shingleF1', 'shinglePrecision', 'shingleRecall'] as const),
  ...(['present', 'absent', 'title', 'author', 'falseAuthor'] as const),
] as const;
const COLUMN_WIDTH = 18;

function print({ name, summary, pages }: Result, worst: number): void {
  console.log(`\n${name}`);
  console.log(['', 'pages', ...COLUMNS].map((text, index) => text.padEnd(index === 0 ? 15 : COLUMN_WIDTH)).join(''));
  for (const row of summary) {
    const figures = COLUMNS.map((column) => (row[column]?.toFixed(3) ?? '').padEnd(COLUMN_WIDTH));
    console.log(`${row.type.padEnd(15)}${String(row.pages).padEnd(COLUMN_WIDTH)}${figures.join('')}`);
  }
  const scored = pages.filter(({ f1 }) => f1 !== undefined).toSorted((a, b) => defined(a.f1) - defined(b.f1));
  for (const { id, type, f1, precision, recall } of scored.slice(0, worst)) {
    console.log(
      `${id} ${type.padEnd(14)} f1 ${defined(f1).toFixed(3)}, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`,
    );
  }
}
