import type { Confidence } from '../../../../workers/geocoding/address/address.ts';
import type { Category } from './categories.ts';
import type { Score } from './score.ts';

export interface CategoryResult {
  readonly category: Category;
  readonly scores: readonly Score[];
}

/** One row of the table; shares are 0 to 1. */
export interface Summary {
  readonly category: string;
  readonly cases: number;
  readonly passed: number;
  readonly share: number;
  readonly target: number | undefined;
  /** Undefined if there is no target. */
  readonly isMet: boolean | undefined;
}

export function summarize({ category: { name, target }, scores }: CategoryResult): Summary {
  const passed = scores.length - failuresOf(scores).length;
  const share = scores.length === 0 ? 0 : passed / scores.length;
  return {
    category: name,
    cases: scores.length,
    passed,
    share,
    target,
    isMet: target === undefined ? undefined : share >= target,
  };
}

/** How many of the answers with a confidence are right. `target` is the share that must be. */
export interface ClaimSummary {
  readonly confidence: Confidence;
  readonly answers: number;
  readonly right: number;
  readonly share: number;
  readonly target: number;
}

const LEVELS = ['High', 'Medium', 'Low'] as const;
const CLAIMS = { High: 0.99, Medium: 0.85, Low: 0 } as const;

/** One summary for each confidence. */
export function claimsOf(results: readonly CategoryResult[]): readonly ClaimSummary[] {
  const claims = results.flatMap(({ scores }) => scores.flatMap(({ claim }) => claim ?? []));
  return LEVELS.map((confidence) => {
    const answers = claims.filter((claim) => claim.confidence === confidence);
    const right = answers.filter(({ isRight }) => isRight).length;
    const share = answers.length === 0 ? 1 : right / answers.length;
    return { confidence, answers: answers.length, right, share, target: CLAIMS[confidence] };
  });
}

/** The right ones of the answers with each confidence: a line for each category that has any, and one for all. */
export function formatClaims(results: readonly CategoryResult[]): string {
  const rows = [...results.map((result) => [result]), results].map((some) => ({
    name: some.length === 1 ? (some[0]?.category.name ?? '') : 'all',
    claims: claimsOf(some),
  }));
  const lines = rows
    .filter(({ claims }) => claims.some(({ answers }) => answers > 0))
    .map(({ name, claims }) =>
      toLine([name, ...claims.flatMap(({ answers, right, share }) => [`${right}/${answers}`, percent(share)])]),
    );
  const targets = LEVELS.flatMap((level) => ['', CLAIMS[level] === 0 ? '' : `≥ ${percent(CLAIMS[level])}`]);
  const header = toLine(['\nright', ...LEVELS.flatMap((level) => [level, ''])]);
  return [header, ...lines, toLine(['target', ...targets])].join('\n');
}

export function failuresOf(scores: readonly Score[]): readonly Score[] {
  return scores.filter(({ faults }) => faults.length > 0);
}

/** Widths of all columns except the last, which is not padded. */
const WIDTHS = [18, 10, 10, 10, 12, 10] as const;
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const toLine = (cells: readonly string[]) =>
  cells
    .map((text, index) => text.padEnd(WIDTHS[index] ?? 0))
    .join('')
    .trimEnd();

/** A table with the columns category, cases, passed, share and target. */
export function formatTable(rows: readonly Summary[]): string {
  const lines = rows.map(({ category, cases, passed, share, target, isMet }) =>
    toLine([
      category,
      String(cases),
      String(passed),
      percent(share),
      target === undefined ? '' : `≥ ${percent(target)}`,
      isMet === false ? 'missed' : '',
    ]),
  );
  return [toLine(['category', 'cases', 'passed', 'share', 'target']), ...lines].join('\n');
}

/** The failed cases of one category with their faults and their actual results. Empty if there are none. */
export function formatFailures({ category, scores }: CategoryResult): string {
  const lines = failuresOf(scores).map(
    ({ asked, faults, found }) => `  ${asked}\n    ${faults.join('; ')}\n    ${found}`,
  );
  return lines.length === 0 ? '' : `\n${category.name}\n${lines.join('\n')}`;
}
