import { isArticleAddress } from './article-address.ts';
import type { LinkedData } from './json-ld.ts';
import type { PageSignals } from './page-signals.ts';

/**
 * The kind of a page, which decides who its author is. An article has authors, and a thread has a first poster. Other pages
 * list or sell things, whose authors are not those of the page.
 */
export type PageKind = 'home' | 'thread' | 'article' | 'list' | 'product' | 'other';

const THREAD_ITEM = /\/(?:Question|DiscussionForumPosting|QAPage)\/?$/;
const POST_ITEM = /\/DiscussionForumPosting\/?$/;
const ARTICLE_ITEM = /\/\w*(?:Article|BlogPosting)\/?$/;
const LIST_ITEM = /\/(?:CollectionPage|SearchResultsPage|ItemList)\/?$/;
/** Paths of threads in forums and the like. Paths of lists of threads have no number. */
const THREAD_PATH =
  /\/(?:threads?|topics?|questions?|discussions?|viewtopic|showthread|issues|t)(?:[/.?-]).*\d|\/forums?\/[^/]+\/.*\d|\/comments\/\w|[?&](?:topic|thread|t)=\d/i;
/** Paths of lists of threads, which begin like those of threads. */
const LIST_PATH =
  /\/forums?\/forum\/|\/(?:questions|discussions|topics|issues|t)\/(?:tagged|tags?|categor(?:y|ies)|labels?)\b|\/(?:latest|unanswered|hot|top|new)\/?(?:[?#]|$)/i;
const HOME_ADDRESS = /^\s*https?:\/\/[^/?#]+\/?(?:[?#].*)?$/i;
/** Paths of the pages of products in shops. */
const PRODUCT_PATH = /\/(?:products?|dp|itm|pdp|p)\/[^/?#]+\/?(?:[?#]|$)/i;
const MAX_ADDRESS_CHARACTERS = 500;
/** A page with at least this many articles or threads of different titles is a list. */
const LEAST_LISTED = 3;

export function kindOfPage(signals: PageSignals, linked: LinkedData): PageKind {
  // A page need not state its address or its type. No pattern matches ''.
  const [ogType = ''] = signals.firstMeta('og:type');
  const address = addressOf(signals);
  const stated = ogType.toLowerCase();
  const hasItem = (type: RegExp) => signals.itemTypes.some((itemType) => type.test(itemType));
  const count = (type: RegExp) => signals.itemTypes.filter((itemType) => type.test(itemType)).length;
  // Several questions are answers to expected questions, which articles have too.
  const threadItems = count(THREAD_ITEM);
  if (HOME_ADDRESS.test(address)) return 'home';
  if (linked.threads >= LEAST_LISTED) return 'list';
  if (linked.threads > 0) return 'thread';
  if (linked.hasProduct && linked.articleTitles.length === 0) return 'product';
  if (threadItems > 0 && threadItems < LEAST_LISTED) return 'thread';
  if (count(POST_ITEM) >= LEAST_LISTED) return 'list';
  if (THREAD_PATH.test(address) && !LIST_PATH.test(address) && !linked.isList) return 'thread';
  if (linked.isList || linked.articleTitles.length >= LEAST_LISTED) return 'list';
  if (linked.articleTitles.length > 0) return 'article';
  if (stated.startsWith('product')) return 'product';
  if (hasItem(LIST_ITEM)) return 'list';
  return stated === 'article' || hasItem(ARTICLE_ITEM) ? 'article' : 'other';
}

/** The kind of the content. A page without other signs is an article if its address has a title. */
export function kindOfContent(kind: PageKind, signals: PageSignals): PageKind {
  if (kind !== 'other') return kind;
  const address = addressOf(signals);
  if (PRODUCT_PATH.test(address)) return 'product';
  return isArticleAddress(address) ? 'article' : kind;
}

function addressOf(signals: PageSignals): string {
  const [ogUrl = ''] = signals.firstMeta('og:url');
  return (signals.canonical ?? ogUrl).slice(0, MAX_ADDRESS_CHARACTERS);
}
