import { createPool } from '../../../../services/platform/pools/pool.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import type { HtmlBatch, MarkdownBatch } from '../../../../workers/html-to-markdown/worker.ts';
import { keepInFlight } from '../measure/compare.ts';
import type { Scope } from '../measure/scope.ts';

/** Compares one worker thread with the converter on this thread, and two worker threads with one. */
export const workers: Scope = async ({ pages }) => {
  const worker = new URL('../../../../workers/html-to-markdown/worker.ts', import.meta.url);
  const one = createPool<HtmlBatch, MarkdownBatch>({ worker, threads: 1 });
  const two = createPool<HtmlBatch, MarkdownBatch>({ worker, threads: 2 });
  const pageAt = (index: number) => ({ html: defined(pages[index % pages.length]) });
  const inOne = { name: 'one worker', run: keepInFlight(2, (index) => one.run({ documents: [pageAt(index)] })) };
  const direct = {
    name: 'called on this thread',
    run: keepInFlight(1, async (index) => htmlToMarkdown(pageAt(index))),
  };
  const inTwo = { name: 'two workers', run: keepInFlight(4, (index) => two.run({ documents: [pageAt(index)] })) };
  return {
    comparisons: [
      { title: `htmlToMarkdown, ${pages.length} pages`, ours: inOne, reference: direct },
      { title: `htmlToMarkdown, ${pages.length} pages`, ours: inTwo, reference: inOne },
    ],
    async stop() {
      await one.close();
      await two.close();
    },
  };
};
