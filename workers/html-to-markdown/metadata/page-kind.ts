import { isArticleAddress } from './article-address.ts';
import type { LinkedData } from './json-ld.ts';
import type { PageSignals } from './page-signals.ts';

/**
 * The kind of a page, which decides who its author is. An article has authors, and a thread has a first poster. Other pages
 * list or sell things, whose authors are not those of the page.
 */
export type PageKind = 'home' | 'thread' | 'article' | 'list' | 'product' | 'other';

const THREAD_ITEM = /\/(?:Question|DiscussionForumPosting|QAPage)\/?$/;
const ARTICLE_ITEM = /\/\w*(?:Article|BlogPosting)\/?$/;
const LIST_ITEM = /\/(?:CollectionPage|SearchResultsPage|ItemList)\/?$/;
/** Paths of threads in forums and the like. Paths of lists of threads have no number. */
const THREAD_PATH =
  /\/(?:threads?|topics?|questions?|discussions?|viewtopic|showthread|forums?|issues|t)(?:[/.?-]).*\d|\/comments\/\w|[?&](?:topic|thread|t)=\d/i;
const HOME_ADDRESS = /^\s*https?:\/\/[^/?#]+\/?(?:[?#].*)?$/i;
const MAX_ADDRESS_CHARACTERS = 500;
/** A page with at least this many articles of different titles is a list. */
const LEAST_LISTED = 3;

export function kindOfPage(signals: PageSignals, linked: LinkedData): PageKind {
  // A page need not state its address or its type. No pattern matches ''.
  const [ogType = ''] = signals.firstMeta('og:type');
  const address = addressOf(signals);
  const stated = ogType.toLowerCase();
  const hasItem = (type: RegExp) => signals.itemTypes.some((itemType) => type.test(itemType));
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

/** The kind of the content. A page without other signs is an article if its address has a title. */
export function kindOfContent(kind: PageKind, signals: PageSignals): PageKind {
  return kind === 'other' && isArticleAddress(addressOf(signals)) ? 'article' : kind;
}

function addressOf(signals: PageSignals): string {
  const [ogUrl = ''] = signals.firstMeta('og:url');
  return (signals.canonical ?? ogUrl).slice(0, MAX_ADDRESS_CHARACTERS);
}
