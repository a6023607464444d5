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
    for (const { url, functions } of readCoverage(join(folder, name))) {
      if (!url.startsWith(own) || url.includes('/node_modules/')) continue;
      const path = relative(root, fileURLToPath(url));
      executed.set(path, [...(executed.get(path) ?? []), functions.flatMap(({ ranges }) => ranges)]);
    }
  }
  return (path, offset) => (executed.get(path) ?? []).some((ranges) => isExecuted(ranges, offset));
}

/** Nothing for a process that was killed while it wrote: only those that ended by themselves count. */
function readCoverage(file: string): Coverage['result'] {
  try {
    const { result }: Coverage = JSON.parse(readFileSync(file, 'utf8'));
    return result;
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
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
