import TurndownService from 'turndown';
import type { TreeNode } from '../parse/tree.ts';

export interface MarkdownOptions {
  /** The address to write for the one in the source; null: it is not to be followed, and only its text is written. */
  readonly resolve: (address: string) => string | null;
}

/** Writes what is below a node as GitHub Flavored Markdown: LF only, one final newline, or nothing at all. */
export function renderMarkdown(root: TreeNode, { resolve }: MarkdownOptions): string {
  return finish(createTurndown(resolve).turndown(root as unknown as TurndownService.Node));
}

type Rule = TurndownService.Rule & { readonly replacement: (content: string, node: unknown) => string };

function createTurndown(resolve: (address: string) => string | null): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    hr: '---',
    bulletListMarker: '-',
    emDelimiter: '*',
  });
  const rules: Readonly<Record<string, Rule>> = {
    link: {
      filter: 'a',
      replacement: (content, node) => {
        const address = resolve((node as TreeNode).getAttribute('href') ?? '');
        return address === null || content.trim() === '' ? content : `[${content}](${address})`;
      },
    },
    image: {
      filter: 'img',
      replacement: (_, node) => {
        const image = node as TreeNode;
        const alternative = (image.getAttribute('alt') ?? '').replace(/\s+/g, ' ').replace(/[[\]\\]/g, '\\$&');
        const address = resolve(image.getAttribute('src') ?? '');
        return address === null ? alternative : `![${alternative}](${address})`;
      },
    },
  };
  for (const [name, rule] of Object.entries(rules)) service.addRule(name, rule as TurndownService.Rule);
  return service;
}

/** LF only, no NUL, no lone surrogate, one final newline. */
function finish(markdown: string): string {
  const text = markdown.replace(/\r\n?/g, '\n').replaceAll('\0', '').toWellFormed().trim();
  return text === '' ? '' : `${text}\n`;
}
