import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { listPages } from '../../inputs/pages.ts';
import { PEERS } from '../../inputs/peers.ts';
import { loopOverPages } from '../measure/page-loop.ts';
import type { Scope } from '../measure/scope.ts';

const OURS = 'htmlToMarkdown';
const TARGETS: Readonly<Record<string, number>> = { 'turndown + domino': 5 };

/** Compares our converter, including extraction and metadata, with each peer: the median of the ratios of all pages. */
export const html: Scope = async ({ pages, folder }) => {
  const pageNames = listPages(folder);
  const ours = {
    name: OURS,
    pageNames,
    run: loopOverPages(pages, (page) => htmlToMarkdown({ html: page })),
    peakMegabytes: await measurePeak(OURS, folder),
  };
  const comparisons = [];
  for (const [name, convert] of Object.entries(PEERS)) {
    const peakMegabytes = await measurePeak(name, folder);
    const reference = { name, pageNames, run: loopOverPages(pages, convert), peakMegabytes };
    const target = TARGETS[name];
    comparisons.push({ title: `${pages.length} pages, best time of each`, ours, reference, ...(target && { target }) });
  }
  return { comparisons, stop: async () => {} };
};

/** Measures the peak memory, in MB, of a process that converts every page once. */
async function measurePeak(name: string, folder: string | undefined): Promise<number> {
  const script = fileURLToPath(new URL('../measure/peak-memory.ts', import.meta.url));
  const args = [script, name, ...(folder === undefined ? [] : [folder])];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const megabytes = Number(stdout);
  if (stdout.trim() === '' || Number.isNaN(megabytes)) throw new Error(`${name}: the peak memory is not a number`);
  return megabytes;
}
