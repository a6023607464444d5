import { createHash } from 'node:crypto';
import type { WorkerAnswer } from '../../../services/platform/pools/pool.ts';
import { mutate } from '../inputs/mutate.ts';
import { loadPages } from '../inputs/pages.ts';
import { convertToText, findFault } from './fuzz-conversion.ts';

export interface FuzzTask {
  readonly folder: string | undefined;
  readonly firstSeed: number;
  readonly count: number;
}

export interface FuzzResult {
  /** SHA-256 of all results, in hexadecimal. */
  readonly digest: string;
  readonly faults: readonly { readonly seed: number; readonly fault: string }[];
}

const pagesOf = new Map<string | undefined, readonly string[]>();

export default function fuzz({ folder, firstSeed, count }: FuzzTask): WorkerAnswer<FuzzResult> {
  const pages = pagesOf.get(folder) ?? loadPages(folder);
  pagesOf.set(folder, pages);
  const digest = createHash('sha256');
  const faults: { seed: number; fault: string }[] = [];
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const html = mutate(pages, seed);
    try {
      digest.update(convertToText(html));
      const fault = findFault(html);
      if (fault !== undefined) faults.push({ seed, fault });
    } catch (error) {
      faults.push({ seed, fault: String(error) });
    }
  }
  return { ok: true, value: { digest: digest.digest('hex'), faults } };
}
