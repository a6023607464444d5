import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** What people found in a page. */
export interface LabelledPage {
  readonly id: string;
  /** article, forum, product, listing, collection, documentation, service */
  readonly type: string;
  readonly url: string;
  readonly html: string;
  readonly title: string | null;
  readonly author: string | null;
  readonly mainContent: string;
  /** Snippets that belong to the content, and snippets that do not. */
  readonly present: readonly string[];
  readonly absent: readonly string[];
}

interface GroundTruth {
  readonly url: string;
  readonly _internal: { readonly page_type: { readonly primary: string } };
  readonly ground_truth: {
    readonly title: string | null;
    readonly author: string | null;
    readonly main_content: string;
    readonly with: readonly string[];
    readonly without: readonly string[];
  };
}

/** A folder in the layout of the Web Content Extraction Benchmark: `html/ID.html.gz`, `ground-truth/ID.json`. */
export function loadCorpus(folder: string): readonly LabelledPage[] {
  const names = readdirSync(join(folder, 'ground-truth')).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => loadPage(folder, name.slice(0, -'.json'.length)));
}

function loadPage(folder: string, id: string): LabelledPage {
  const label = JSON.parse(readFileSync(join(folder, 'ground-truth', `${id}.json`), 'utf8')) as GroundTruth;
  const { title, author, main_content: mainContent, with: present, without: absent } = label.ground_truth;
  const html = gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))).toString('utf8');
  return {
    id,
    type: label._internal.page_type.primary,
    url: label.url,
    html,
    title,
    author,
    mainContent,
    present,
    absent,
  };
}
