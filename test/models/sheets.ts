import { canonicalText } from '../../workers/exact/canonical-json.ts';
import { hashSheetText } from '../../workers/plan/read/read-sheet.ts';

/** A sheet with one rule: at most a cap is spent. */
export const SPEND_CAP = {
  sheet_format: 1 as const,
  name: 'spend-cap',
  version: '1.0.0',
  title: 'No more is spent than a cap',
  variables: {
    cap: { type: 'decimal', scale: 2, min: '0.00', max: '500.00' },
    spent: { type: 'decimal', scale: 2 },
  },
  constraints: [{ id: 'within', expr: ['<=', ['var', 'spent'], ['var', 'cap']] }],
};

export const textOf = (sheet: unknown): string => canonicalText(sheet);

/** How a plan uses a sheet. */
export function useOf(
  sheet: { readonly name: string; readonly version: string },
  scope: string,
  bind: Record<string, unknown>,
) {
  const { name, version } = sheet;
  return { name, version, sha256: hashSheetText(textOf(sheet)), scope, bind };
}

/** A variable of each type, under constraints that use all of them. */
export const EVERY_TYPE = {
  sheet_format: 1,
  name: 'every.type',
  version: '0.1.0',
  title: 'A variable of each type',
  variables: {
    b: { type: 'bool' },
    d: { type: 'decimal', scale: 1 },
    e: { type: 'enum', values: ['open', 'shut'] },
    i: { type: 'int', min: 0 },
    s: { type: 'string', max: 2 },
  },
  constraints: [
    { id: 'numbers', expr: ['<=', ['var', 'i'], ['var', 'd']] },
    { id: 'texts', expr: ['implies', ['var', 'b'], ['!=', ['var', 's'], ['str', '']]] },
    { id: 'enums', expr: ['=', ['var', 'e'], ['enum', 'open']] },
  ],
};
