import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';

/** A page with the content that people labeled in it. */
export interface LabeledPage {
  readonly id: string;
  /** Page type: article, forum, product, listing, collection, documentation or service. */
  readonly type: string;
  readonly url?: string | undefined;
  readonly html: string;
  readonly title: string | null;
  readonly author: string | null;
  /** Empty if nobody labeled it. */
  readonly mainContent: string;
  /** Snippets that belong to the content. */
  readonly present: readonly string[];
  /** Snippets that do not belong to the content. */
  readonly absent: readonly string[];
}

const GroundTruth = Type.Object({
  url: Type.Optional(Type.String()),
  _internal: Type.Object({ page_type: Type.Object({ primary: Type.String() }) }),
  ground_truth: Type.Object({
    title: Type.Union([Type.String(), Type.Null()]),
    author: Type.Union([Type.String(), Type.Null()]),
    main_content: Type.Optional(Type.String()),
    with: Type.Array(Type.String()),
    without: Type.Array(Type.String()),
  }),
});
const groundTruth = Compile(GroundTruth);

/**
 * Loads a folder with the layout of the Web Content Extraction Benchmark: `html/ID.html.gz` and `ground-truth/ID.json`.
 * @throws {Error} if a ground-truth file does not have the expected shape
 */
export function loadCorpus(folder: string): readonly LabeledPage[] {
  const names = readdirSync(join(folder, 'ground-truth')).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => loadPage(folder, name.slice(0, -'.json'.length)));
}

function loadPage(folder: string, id: string): LabeledPage {
  const file = join(folder, 'ground-truth', `${id}.json`);
  const label: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!groundTruth.Check(label)) throw new Error(`${file} does not have the expected shape`);
  const { title, author, main_content: mainContent = '', with: present, without: absent } = label.ground_truth;
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
