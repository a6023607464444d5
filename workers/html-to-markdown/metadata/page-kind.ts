import type { LinkedData } from './json-ld.ts';
import type { PageSignals } from './page-signals.ts';

/**
 * Whose words a page is: an article has authors, a thread somebody who began it. What is listed or sold on the others
 * has authors too, but they are not the page's.
 */
export type PageKind = 'home' | 'thread' | 'article' | 'list' | 'product' | 'other';

const THREAD_ITEM = /\/(?:Question|DiscussionForumPosting|QAPage)\/?$/;
const ARTICLE_ITEM = /\/\w*(?:Article|BlogPosting)\/?$/;
const LIST_ITEM = /\/(?:CollectionPage|SearchResultsPage|ItemList)\/?$/;
/** Where forums and their like keep threads: what is listed there has no number. */
const THREAD_PATH =
  /\/(?:threads?|topics?|questions?|discussions?|viewtopic|showthread|forums?|issues|t)(?:[/.?-]).*\d|\/comments\/\w|[?&](?:topic|thread|t)=\d/i;
const HOME_ADDRESS = /^\s*https?:\/\/[^/?#]+\/?(?:[?#].*)?$/i;
const MAX_ADDRESS_CHARACTERS = 500;
/** A page with so many articles of different titles is about none of them. */
const LEAST_LISTED = 3;

export function kindOfPage({ canonical, meta, itemTypes }: PageSignals, linked: LinkedData): PageKind {
  const address = (canonical ?? meta.get('og:url')?.[0] ?? '').slice(0, MAX_ADDRESS_CHARACTERS);
  const stated = meta.get('og:type')?.[0]?.toLowerCase() ?? '';
  const hasItem = (type: RegExp) => itemTypes.some((itemType) => type.test(itemType));
  if (HOME_ADDRESS.test(address)) return 'home';
  if (linked.hasThread) return 'thread';
  if (linked.hasProduct && linked.articleTitles.length === 0) return 'product';
  if (hasItem(THREAD_ITEM) || THREAD_PATH.test(address)) return 'thread';
  if (linked.isList || linked.articleTitles.length >= LEAST_LISTED) return 'list';
  if (linked.articleTitles.length > 0) return 'article';
  if (stated.startsWith('product')) return 'product';
  if (hasItem(LIST_ITEM)) return 'list';
  return stated === 'article' || hasItem(ARTICLE_ITEM) ? 'article' : 'other';
}
