import { parseArgs } from 'node:util';
import { createProgress } from '../../../launch/output/progress.ts';
import type { Measure } from '../measure/measure.ts';
import { type CaseSet, loadCases } from './cases.ts';
import { CATEGORIES, type Category } from './categories.ts';
import { openFinder, type PlaceFinder } from './finder.ts';
import {
  type CategoryResult,
  claimsOf,
  failuresOf,
  formatClaims,
  formatFailures,
  formatTable,
  summarize,
} from './report.ts';
import { formatScan, openScanned, runScan } from './scans/scan.ts';
import { SCANS } from './scans/scans.ts';
import { scoreForward, scoreReverse, scoreTrap } from './score.ts';

/** Measures how often the first result of geocoding and reverse geocoding is right. */
export const maps: Measure = {
  usage:
    '[--category NAME] [--worst] [--json] | --scan   --worst: print the failed cases too; --scan: check all places',
  run: async (args) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        category: { type: 'string' },
        worst: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        scan: { type: 'boolean', default: false },
      },
    });
    if (values.scan) {
      const scanned = await openScanned();
      for (const scan of SCANS) {
        using progress = createProgress({ title: `quality maps, ${scan.name}`, total: scanned.gazetteer.places.count });
        const result = runScan(scan, scanned, () => progress.add(1));
        console.log(formatScan(result));
      }
      return true;
    }
    const categories = CATEGORIES.filter(({ name }) => name === (values.category ?? name));
    if (categories.length === 0) return false;
    const results = measureMaps(await openFinder(), categories);
    if (values.json) console.log(JSON.stringify(results.map(toJson), null, 2));
    else print(results, values.worst);
    return true;
  },
};

/** Scores the answers of `finder` to the labeled cases of `categories`. */
export function measureMaps(
  finder: PlaceFinder,
  categories: readonly Category[] = CATEGORIES,
): readonly CategoryResult[] {
  return categories.map((category) => measure(finder, loadCases(category)));
}

function measure(finder: PlaceFinder, { category, forward, traps, reverse }: CaseSet): CategoryResult {
  return {
    category,
    scores: [
      ...forward.map((labeled) => scoreForward(labeled, finder)),
      ...traps.map((labeled) => scoreTrap(labeled, finder)),
      ...reverse.map((labeled) => scoreReverse(labeled, finder)),
    ],
  };
}

function toJson(result: CategoryResult) {
  return { ...summarize(result), claims: claimsOf([result]), failures: failuresOf(result.scores) };
}

function print(results: readonly CategoryResult[], isWorst: boolean): void {
  console.log(formatTable(results.map(summarize)));
  console.log(formatClaims(results));
  if (!isWorst) return;
  for (const text of results.map(formatFailures).filter((text) => text !== '')) console.log(text);
}
