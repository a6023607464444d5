import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { ConversionError } from '../../../../workers/html-to-markdown/parse/conversion-error.ts';
import { createProgress } from '../../../launch/output/progress.ts';
import type { Measure } from '../measure/measure.ts';
import { type Block, readBlocks } from './blocks.ts';
import { countLoss } from './count.ts';
import { type FoundPage, findPages, readPageFile } from './found-pages.ts';
import { type LabeledPage, loadLabeledPages } from './labeled-pages.ts';
import { formatTotals, formatWorst, type PageLoss } from './report.ts';

/** A page with fewer blocks only leads to others: a frame set, a redirect. */
const MIN_BLOCKS = 4;
const SHOWN_CHARACTERS = 70;
const SOURCE_URL = 'https://docs.example/page.html';

/** Counts what of the main part of pages is not in their Markdown. */
export const loss: Measure = {
  usage: '[DIR] [--worst N]   DIR holds pages (.html, .htm or .gz of them); without it, the pages of the project',
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { worst: { type: 'string', default: '0' } },
    });
    const [folder, ...rest] = positionals;
    if (rest.length > 0) return false;
    const pages = folder === undefined ? loadLabeledPages().map(lossOfLabeled) : lossesBelow(folder);
    console.log(formatTotals(pages));
    const worst = formatWorst(pages, Number(values.worst));
    if (worst !== '') console.log(worst);
    return true;
  },
};

/** What a labeled page loses, what of its frame it keeps, and whether its title is wrong. */
export function lossOfLabeled({ name, html, stays, goes, title }: LabeledPage): PageLoss {
  const converted = htmlToMarkdown({ html, sourceUrl: SOURCE_URL });
  const isLeft = (text: string) => converted.markdown.includes(text);
  const lost = stays.filter((text) => !isLeft(text));
  return {
    name,
    group: name,
    headings: stays.filter(isHeading).length,
    lostHeadings: lost.filter(isHeading).length,
    blocks: stays.length,
    lost,
    faults: [
      ...goes.filter(isLeft).map((text) => `kept: ${text}`),
      ...([title].flat().some((right) => right === converted.title) ? [] : [`title: ${converted.title}`]),
    ],
  };
}

function isHeading(text: string): boolean {
  return text.startsWith('#');
}

function lossesBelow(root: string): readonly PageLoss[] {
  const pages = findPages(root);
  using progress = createProgress({ title: 'quality loss', total: pages.length });
  return pages.flatMap((page) => {
    progress.add(1);
    return lossOfFound(page, readPageFile(join(root, page.name))) ?? [];
  });
}

function lossOfFound({ name, folder }: FoundPage, html: string): PageLoss | undefined {
  const blocks = readBlocks(html);
  if (blocks.length < MIN_BLOCKS) return undefined;
  const page = { name, group: folder };
  try {
    const { blocks: counted, lost } = countLoss(blocks, htmlToMarkdown({ html, sourceUrl: SOURCE_URL }));
    return {
      ...page,
      headings: headingsIn(counted),
      lostHeadings: headingsIn(lost),
      blocks: counted.length,
      lost: lost.map(describe),
      faults: [],
    };
  } catch (error) {
    // A page that is too large is refused as a whole. It is not a loss.
    if (!(error instanceof ConversionError)) throw error;
    return { ...page, headings: 0, lostHeadings: 0, blocks: 0, lost: [], faults: [`refused: ${error.code}`] };
  }
}

function headingsIn(blocks: readonly Block[]): number {
  return blocks.filter(({ kind }) => kind === 'heading').length;
}

function describe({ kind, parts }: Block): string {
  return `${kind}: ${parts.join(' … ').replace(/\s+/g, ' ').trim().slice(0, SHOWN_CHARACTERS)}`;
}
