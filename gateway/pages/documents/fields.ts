import { cell } from '../site/render-markdown.ts';

export interface Field {
  readonly type?: string;
  readonly description?: string;
  readonly anyOf?: readonly Field[];
  readonly properties?: Readonly<Record<string, Field>>;
  readonly items?: Field;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
}

interface Row {
  readonly name: string;
  readonly field: Field;
  readonly isRequired: boolean;
}

/** A Markdown table of every field of a schema, with its constraints. Fields inside objects and lists follow their parent. */
export function fieldTable(schema: object): string {
  const rows = rowsOf(schema).map(({ name, field, isRequired }) => {
    const says = [field.description, valuesOf(field)].filter(Boolean).join('. ');
    return `| \`${name}\` | ${typesOf(field)} | ${isRequired ? 'yes' : 'no'} | ${cell(boundsOf(field))} | ${cell(says)} |`;
  });
  return ['| Field | Type | Required | Bounds | Meaning |', '|---|---|---|---|---|', ...rows].join('\n');
}

function rowsOf(schema: Field & { readonly required?: readonly string[] }, prefix = ''): readonly Row[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = prefix + key;
    const inner = field.items === undefined ? rowsOf(field, `${name}.`) : rowsOf(field.items, `${name}[].`);
    return [{ name, field, isRequired: required.includes(key) }, ...inner];
  });
}

function typesOf({ type, anyOf, items }: Field): string {
  const own = type ?? anyOf?.map((one) => one.type).join(' or ') ?? '';
  return items?.type === undefined ? own : `${own} of ${items.type}`;
}

function boundsOf(field: Field): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, default: otherwise } = field;
  const inner = field.anyOf?.find(({ type }) => type !== 'null');
  const ranges = [
    range(minLength, maxLength, 'characters'),
    range(minimum, maximum, ''),
    range(minItems, maxItems, 'items'),
    otherwise === undefined ? '' : `default ${JSON.stringify(otherwise)}`,
    inner === undefined ? '' : boundsOf(inner),
  ];
  return ranges.filter((text) => text !== '').join(', ');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return '';
  if (most === undefined) return `at least ${least} ${unit}`.trim();
  if (least === undefined) return `at most ${most} ${unit}`.trim();
  return `${least} to ${most} ${unit}`.trim();
}

function valuesOf({ enum: own, anyOf = [], items, const: only }: Field): string {
  if (only !== undefined) return `Always \`${JSON.stringify(only)}\``;
  const values = own ?? items?.enum ?? anyOf.find((one) => one.enum !== undefined)?.enum;
  return values === undefined ? '' : `One of: ${values.join(', ')}`;
}
