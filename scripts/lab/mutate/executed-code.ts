import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A piece of a file, from its first UTF-16 unit to the one after its last, and how often a process executed it. */
interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
}

/**
 * Reads what processes executed of a checkout, from the files that Node wrote to the folder that NODE_V8_COVERAGE named. The types
 * are erased in place, so that offsets are those of the source.
 */
export function readExecutedCode(folder: string, root: string): (path: string, offset: number) => boolean {
  const own = `${pathToFileURL(root).href}/`;
  const executed = new Map<string, (readonly Range[])[]>();
  for (const name of readdirSync(folder)) {
    const { result }: Coverage = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const { url, functions } of result) {
      if (!url.startsWith(own) || url.includes('/node_modules/')) continue;
      const path = relative(root, fileURLToPath(url));
      executed.set(path, [...(executed.get(path) ?? []), functions.flatMap(({ ranges }) => ranges)]);
    }
  }
  return (path, offset) => (executed.get(path) ?? []).some((ranges) => isExecuted(ranges, offset));
}

/** The smallest range that contains a place says whether one process executed it. */
function isExecuted(ranges: readonly Range[], offset: number): boolean {
  let [smallest, count] = [Number.POSITIVE_INFINITY, 0];
  for (const range of ranges) {
    const size = range.endOffset - range.startOffset;
    if (range.startOffset <= offset && offset < range.endOffset && size < smallest) {
      [smallest, count] = [size, range.count];
    }
  }
  return count > 0;
}
