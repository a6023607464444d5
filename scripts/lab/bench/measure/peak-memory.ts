// Prints the growth of the resident memory of this process, in MB, while it converts a folder of pages with one converter.
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { loadPages } from '../../inputs/pages.ts';
import { PEERS } from '../../inputs/peers.ts';

const [name = '', folder] = process.argv.slice(2);
const convert = PEERS[name] ?? ((html: string) => htmlToMarkdown({ html }));
const pages = loadPages(folder);
const before = process.memoryUsage.rss();
for (const page of pages) {
  try {
    convert(page);
  } catch {
    // Some peers throw for some pages.
  }
}
console.log(((process.resourceUsage().maxRSS * 1024 - before) / 1e6).toFixed(0));
