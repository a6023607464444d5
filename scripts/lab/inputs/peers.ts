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

/** What a peer makes of a page; title and author where it looks for them. */
export interface PeerResult {
  readonly markdown: string;
  readonly title?: string | null | undefined;
  readonly byline?: string | null | undefined;
}

export type Peer = (html: string) => PeerResult;

const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
const nodeHtmlMarkdown = new NodeHtmlMarkdown();
const remark = unified().use(rehypeParse).use(rehypeRemark).use(remarkGfm).use(remarkStringify);
/** jsdom would print what it finds wrong in style sheets. */
const silent = new VirtualConsole();

function readArticle(html: string): PeerResult {
  const { window } = new JSDOM(html, { virtualConsole: silent });
  try {
    const article = new Readability(window.document).parse();
    const markdown = turndown.turndown(article?.content ?? '');
    return { markdown, title: article?.title, byline: article?.byline };
  } finally {
    window.close();
  }
}

/** Its binary asks for Node 22, and npm leaves it out where npm itself runs on an older one. */
const mdream = await import('mdream').catch(() => undefined);
if (mdream === undefined) console.error('mdream has no binary here: it is not compared');

/** Other ways from HTML to Markdown, as their own documentation starts them. */
export const PEERS: Readonly<Record<string, Peer>> = {
  'turndown + domino': (html) => ({ markdown: turndown.turndown(html) }),
  'turndown on jsdom with Readability': readArticle,
  'node-html-markdown': (html) => ({ markdown: nodeHtmlMarkdown.translate(html) }),
  '@mdream/js': (html) => ({ markdown: mdreamJs(html) }),
  ...(mdream && { mdream: (html: string) => ({ markdown: mdream.htmlToMarkdown(html) }) }),
  '@kreuzberg/html-to-markdown-node': (html) => ({ markdown: kreuzberg.convert(html).content ?? '' }),
  'rehype-remark': (html) => ({ markdown: String(remark.processSync(html)) }),
};
