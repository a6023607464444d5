import { formatNumber } from '../../exact/numbers.ts';
import type { SheetDocument } from '../../exact/sheet-schema.ts';
import { type ValueType, withoutBounds } from '../../plan/language/types.ts';

const MAX_ID = 64;

export interface SheetTitle {
  readonly name: string;
  readonly version: string;
  readonly title: string;
}

/**
 * Writes one sheet with all constraints of some sheets, over their unified variables. An id that an earlier constraint has
 * gets a number: `within-2`.
 */
export function writeSheet(
  as: SheetTitle,
  variables: ReadonlyMap<string, ValueType>,
  sheets: readonly SheetDocument[],
): SheetDocument {
  const rules = sheets.flatMap(({ constraints }) => constraints);
  const all = new Set(rules.map(({ id }) => id));
  const taken = new Set<string>();
  const constraints = rules.map(({ id, expr }) => {
    const own = taken.has(id) ? numbered(id, (other) => all.has(other) || taken.has(other)) : id;
    taken.add(own);
    return { id: own, expr };
  });
  const types = [...variables].map(([name, type]) => [name, formatType(type)]);
  return { sheet_format: 1, ...as, variables: Object.fromEntries(types), constraints };
}

function numbered(id: string, isTaken: (id: string) => boolean): string {
  for (let number = 2; ; number += 1) {
    const suffix = `-${number}`;
    const own = id.slice(0, MAX_ID - suffix.length) + suffix;
    if (!isTaken(own)) return own;
  }
}

/** A type as JSON has it, without bounds at the language's limit. */
function formatType(type: ValueType): Readonly<Record<string, unknown>> {
  const widest = withoutBounds(type);
  if (!('min' in type && 'min' in widest)) return type;
  const scale = type.type === 'decimal' ? type.scale : 0;
  const bound = (numerator: bigint) => formatNumber({ numerator, scale });
  return {
    type: type.type,
    ...(type.type === 'decimal' ? { scale } : {}),
    ...(type.min > widest.min ? { min: bound(type.min) } : {}),
    ...(type.max < widest.max ? { max: bound(type.max) } : {}),
  };
}
