import type { TreeNode } from '../parse/tree.ts';
import { chooseByline } from './byline.ts';
import { hostOf } from './hosts.ts';
import { readLinkedData } from './json-ld.ts';
import { kindOfContent, kindOfPage, type PageKind } from './page-kind.ts';
import { collectSignals, type PageSignals } from './page-signals.ts';
import { decodeReferences, hasReferences, toPlainString } from './plain-string.ts';
import { SiteNames } from './site-names.ts';
import { chooseTitle } from './title.ts';

/** One line each. Title and byline have at most 1,000 UTF-16 code units, and the description has at most 2,000. */
export interface Metadata {
  readonly title: string | null;
  readonly byline: string | null;
  readonly description: string | null;
}

/** What a page states about itself. */
export interface About {
  readonly kind: PageKind;
  readonly metadata: Metadata;
  /** The host of the page. Null if nothing tells it. */
  readonly host: string | null;
}

const MAX_DESCRIPTION_CHARACTERS = 2000;

/** Kind, title, author and description of a page. It reads scripts, so call it before they are removed. */
export function readAbout(document: TreeNode, sourceUrl?: string): About {
  const signals = collectSignals(document);
  const linked = readLinkedData(signals.scripts);
  const kind = kindOfPage(signals, linked);
  const first = (...names: string[]) => names.flatMap((name) => signals.firstMeta(name))[0] ?? null;
  const siteNames = [
    first('og:site_name'),
    first('application-name'),
    first('apple-mobile-web-app-title'),
    ...linked.siteNames,
  ].filter((name) => name !== null);
  const metadata = {
    title: chooseTitle({
      headings: signals.headings,
      stated: first('og:title', 'twitter:title'),
      documentTitle: signals.title,
      headline: linked.headline,
      site: new SiteNames(siteNames, [signals.canonical ?? '', ...signals.firstMeta('og:url'), sourceUrl ?? ''], []),
      isHome: kind === 'home',
    }),
    byline: chooseByline({ signals, linked, kind, siteNames }),
    description: toPlainString(
      describe(first('description', 'og:description', 'twitter:description'), signals),
      MAX_DESCRIPTION_CHARACTERS,
    ),
  };
  const addresses = [sourceUrl, signals.canonical, first('og:url')];
  const host = addresses.map((address) => hostOf(address ?? '')).find((found) => found !== null) ?? null;
  return { kind: kindOfContent(kind, signals), metadata, host };
}

/** A description. Programs write it, and many escape it twice. A page with references in its title is about them. */
function describe(description: string | null, { title, headings }: PageSignals): string | null {
  if (description === null || [title, ...headings].some(hasReferences)) return description;
  return decodeReferences(description.slice(0, 4 * MAX_DESCRIPTION_CHARACTERS));
}
