import kreuzberg from '@kreuzberg/html-to-markdown-node';
import { htmlToMarkdown as mdreamJs } from '@mdream/js';
import { Readability } from '@mozilla/readability';
import { JSDOM, VirtualConsole } from 'jsdom';
import { NodeHtmlMarkdown } from 'node-html-markdown';
import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import TurndownService from 'turndown';
import { unified } from 'unified';

/** A converted page. Title and author are there if the peer extracts them. */
export interface PeerResult {
  readonly markdown: string;
  readonly title?: string | null | undefined;
  readonly byline?: string | null | undefined;
}

export type Peer = (html: string) => PeerResult;

const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
const nodeHtmlMarkdown = new NodeHtmlMarkdown();
const remark = unified().use(rehypeParse).use(rehypeRemark).use(remarkGfm).use(remarkStringify);
/** Without it, jsdom prints the errors in style sheets. */
const silent = new VirtualConsole();

function readArticle(html: string): PeerResult {
  const { window } = new JSDOM(html, { virtualConsole: silent });
  try {
    const article = new Readability(window.document).parse();
    // Readability finds no article in some pages.
    const markdown = turndown.turndown(article?.content ?? '');
    return { markdown, title: article?.title, byline: article?.byline };
  } finally {
    window.close();
  }
}

/** npm does not install its binary if npm runs on a Node version before 22. */
const mdream = await import('mdream').catch(() => undefined);
if (mdream === undefined) console.error('mdream is not compared, because its binary is not installed');

/** Other HTML-to-Markdown converters, set up as in their documentation. */
export const PEERS: Readonly<Record<string, Peer>> = {
  'turndown + domino': (html) => ({ markdown: turndown.turndown(html) }),
  'turndown on jsdom with Readability': readArticle,
  'node-html-markdown': (html) => ({ markdown: nodeHtmlMarkdown.translate(html) }),
  '@mdream/js': (html) => ({ markdown: mdreamJs(html) }),
  ...(mdream && { mdream: (html: string) => ({ markdown: mdream.htmlToMarkdown(html) }) }),
  '@kreuzberg/html-to-markdown-node': (html) => ({ markdown: kreuzberg.convert(html).content ?? '' }),
  'rehype-remark': (html) => ({ markdown: String(remark.processSync(html)) }),
};
