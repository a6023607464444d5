import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defined } from '../../../workers/exact/defined.ts';

/** A document of `docs/`. */
export interface LibraryDocument {
  /** Path of its page: `/docs/api`. */
  readonly path: string;
  /** Its file in `docs/`: `api.md`. */
  readonly file: string;
  readonly title: string;
  readonly markdown: string;
}

/** A file that documents refer to: an example of a plan, a table, a record. */
export interface LibraryFile {
  readonly path: string;
  readonly text: string;
}

export interface Library {
  /** By path, in the order of the paths. */
  readonly documents: ReadonlyMap<string, LibraryDocument>;
  readonly files: ReadonlyMap<string, LibraryFile>;
  /** Where a link of a document leads on the site. Undefined: its target is not published. */
  resolve(from: LibraryDocument, href: string): string | undefined;
}

const FOLDER = fileURLToPath(new URL('../../../docs/', import.meta.url));
const TITLE = /^# (.+)$/m;
const ELSEWHERE = /^(?:https?:|mailto:|#|\/)/;

/** Reads the documents that come with the product. */
export async function readLibrary(folder: string = FOLDER): Promise<Library> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  const texts = await Promise.all(
    names.map(async (file) => ({ file, text: await readFile(join(folder, file), 'utf8') })),
  );
  const documents = new Map<string, LibraryDocument>();
  const files = new Map<string, LibraryFile>();
  for (const { file, text } of texts) {
    if (file.endsWith('.md')) {
      const path = pathOf(file);
      documents.set(path, { path, file, title: TITLE.exec(text)?.[1]?.replaceAll('`', '') ?? file, markdown: text });
    } else files.set(`/docs/${file}`, { path: `/docs/${file}`, text });
  }
  return { documents, files, resolve: (from, href) => resolve({ documents, files }, from, href) };
}

/** `api.md` has the page `/docs/api`, and `verified-execution/README.md` the page `/docs/verified-execution`. */
const pathOf = (file: string): string => `/docs/${file.replace(/(?:\/README)?\.md$/, '')}`;

function resolve(
  { documents, files }: Pick<Library, 'documents' | 'files'>,
  { file }: LibraryDocument,
  href: string,
): string | undefined {
  if (ELSEWHERE.test(href)) return href;
  const [target, fragment] = href.split('#');
  const inside = posix.normalize(posix.join(dirname(file), defined(target))).replace(/\/$/, '');
  const list = inside === 'decisions' ? '/docs/decisions' : undefined;
  const page = documents.get(pathOf(inside))?.path ?? files.get(`/docs/${inside}`)?.path ?? list;
  if (page === undefined) return undefined;
  return fragment === undefined ? page : `${page}#${fragment}`;
}
