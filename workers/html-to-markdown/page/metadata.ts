import type { TreeNode } from '../parse/tree.ts';

export interface Metadata {
  readonly title: string | null;
  readonly byline: string | null;
  readonly excerpt: string | null;
}

/** White space folded and ends trimmed; nothing left is null. */
function clean(text: string | null | undefined): string | null {
  const folded = text?.replace(/\s+/gu, ' ').trim();
  return folded ? folded : null;
}

/** Title, author and description as the page states them. */
export function readMetadata(document: TreeNode): Metadata {
  const meta = new Map<string, string>();
  let title: string | null = null;
  let author: string | null = null;
  let paragraph: string | null = null;
  const headings: string[] = [];
  for (const node of document.descendants()) {
    if (node.nodeName === 'META') {
      const name = (node.getAttribute('property') ?? node.getAttribute('name') ?? '').toLowerCase();
      const content = clean(node.getAttribute('content'));
      if (name !== '' && content !== null && !meta.has(name)) meta.set(name, content);
    } else if (node.nodeName === 'TITLE') title ??= clean(node.textContent);
    else if (node.nodeName === 'H1') headings.push(clean(node.textContent) ?? '');
    else if (node.nodeName === 'A' && node.getAttribute('rel') === 'author') author ??= clean(node.textContent);
    else if (node.nodeName === 'P' && paragraph === null && node.textContent.length >= 80)
      paragraph = clean(node.textContent);
  }
  const stated = meta.get('og:title') ?? title;
  const matching = headings.find((heading) => heading !== '' && stated?.includes(heading));
  const only = headings.length === 1 ? headings[0] : undefined;
  return {
    title: matching ?? (only || undefined) ?? stated ?? null,
    byline: author ?? notUrl(meta.get('author')) ?? notUrl(meta.get('article:author')),
    excerpt: meta.get('description') ?? meta.get('og:description') ?? paragraph,
  };
}

function notUrl(text: string | undefined): string | null {
  return text === undefined || /^https?:/i.test(text) ? null : text;
}
