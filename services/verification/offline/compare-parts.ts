import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { tablesNamedBy, toolsNamedBy } from '../catalogue/named-parts.ts';
import { canonicalBytes, digestBytes, digestRecord, digestTool } from '../proof/digests.ts';

/** A plan, and the documents that its records hold. */
export interface HeldParts {
  readonly plan: unknown;
  readonly sheets: readonly unknown[];
  readonly tools: readonly unknown[];
  readonly tables: readonly { readonly sha256: string; readonly content: Buffer }[];
}

/** The part of a plan that names its sheets. */
const SheetUses = Compile(Type.Object({ sheets: Type.Array(Type.Object({ sha256: Type.String() })) }));

/**
 * Compares the sheets, tools and tables of records with those that the plan names by their hashes. The proof has the
 * plan's hash. @returns how they differ
 */
export function comparePartsOf({ plan, sheets, tools, tables }: HeldParts): string | undefined {
  if (!SheetUses.Check(plan)) return 'the plan of the records does not name its sheets';
  const wrong = tables.find(({ sha256, content }) => digestBytes(content) !== sha256);
  if (wrong !== undefined) return 'the records hold a table with another hash than they say';
  return (
    compare(
      'sheet',
      plan.sheets,
      sheets.map((sheet) => digestRecord('sheet', sheet)),
    ) ??
    compare(
      'tool',
      toolsNamedBy(plan),
      tools.map((tool) => digestTool(canonicalBytes(tool))),
    ) ??
    compare(
      'table',
      tablesNamedBy(plan),
      tables.map(({ sha256 }) => sha256),
    )
  );
}

interface Named {
  readonly sha256: string;
}

function compare(what: string, uses: readonly Named[], hashes: readonly string[]): string | undefined {
  const named = new Set(uses.map(({ sha256 }) => sha256));
  const held = new Set(hashes);
  if (held.size < hashes.length || ![...held].every((sha256) => named.has(sha256))) {
    return `the records hold a ${what} that the plan does not use`;
  }
  return held.size < named.size ? `the records lack a ${what} that the plan uses` : undefined;
}
