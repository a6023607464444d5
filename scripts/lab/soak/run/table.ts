import { defined } from '../../../../workers/exact/defined.ts';
import type { Books } from './books.ts';

/** Prints the number of calls by outcome, of faults, and of compared records. */
export function printTable(
  { counts, trials, payments, channels, proofs, contradictions }: Books,
  faults: ReadonlyMap<string, number>,
) {
  const rows: [string, string, number][] = [];
  for (const [kind, outcomes] of counts) {
    for (const [outcome, count] of [...outcomes].toSorted(([, a], [, b]) => b - a)) rows.push([kind, outcome, count]);
  }
  for (const [fault, count] of [...faults].toSorted()) rows.push(['fault', fault, count]);
  rows.push(['compared', 'trials', trials.length]);
  rows.push(['compared', 'payments', payments.length]);
  rows.push(['compared', 'channels', channels.length]);
  rows.push(['compared', 'proofs', proofs.length]);
  rows.push(['compared', 'contradictions', contradictions.length]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => String(row[column]).length)));
  console.log('');
  for (const [kind, outcome, count] of rows) {
    console.log(
      `${kind.padEnd(defined(widths[0]))}  ${outcome.padEnd(defined(widths[1]))}  ${String(count).padStart(7)}`,
    );
  }
}
