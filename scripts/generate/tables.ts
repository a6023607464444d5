import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Generated } from './generated.ts';

const MIGRATIONS = 'services/store/migrations';
const FILE = 'services/store/tables.ts';

interface Column {
  readonly table: string;
  readonly name: string;
  /** Of a domain: the type that it is based on. */
  readonly type: string;
  readonly nullable: boolean;
  readonly default: 'none' | 'given' | 'always';
  /** Conditions of the column alone, and of its domain. */
  readonly checks: string;
}

/** The columns of the tables of kysely's queries. Of the ledger, whose functions read and write it, that is one. */
const COLUMNS = `
  SELECT CASE nspname WHEN 'public' THEN relname ELSE nspname || '.' || relname END AS table, attname AS name,
    (WITH RECURSIVE base AS (
        SELECT atttypid AS oid UNION ALL SELECT typbasetype FROM base JOIN pg_type USING (oid) WHERE typbasetype <> 0)
      SELECT format_type(oid, NULL) FROM base JOIN pg_type USING (oid) WHERE typbasetype = 0) AS type,
    NOT attnotnull AS nullable,
    CASE WHEN attidentity = 'a' OR attgenerated = 's' THEN 'always' WHEN atthasdef THEN 'given' ELSE 'none' END AS default,
    coalesce((SELECT string_agg(pg_get_constraintdef(oid), ' ') FROM pg_constraint
      WHERE contype = 'c' AND (conrelid = attrelid AND conkey = ARRAY[attnum] OR contypid = atttypid)), '') AS checks
  FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0 AND NOT attisdropped
    AND (nspname IN ('public', 'verification') OR nspname = 'ledger' AND relname = 'payment_claim')
    AND relname NOT IN ('channel_claim', 'limit_use', 'payment_reconciliation', 'schema_compatibility')
  ORDER BY nspname, relname, attnum`;

/** What `openDatabase` reads. Times may be written as text. */
const TYPES: Readonly<Record<string, string>> = {
  uuid: 'string',
  text: 'string',
  date: 'string',
  numeric: 'string',
  smallint: 'number',
  integer: 'number',
  bigint: 'bigint',
  boolean: 'boolean',
  bytea: 'Buffer',
  jsonb: 'unknown',
  'text[]': 'string[]',
  'timestamp with time zone': 'Date',
};

/** Generates the types of the tables from the migrations, which PostgreSQL runs in this process. */
export async function generateTables(root: string): Promise<Generated> {
  const database = await PGlite.create();
  for (const file of readdirSync(join(root, MIGRATIONS)).toSorted()) {
    await database.exec(readFileSync(join(root, MIGRATIONS, file), 'utf8'));
  }
  const { rows } = await database.query<Column>(COLUMNS);
  await database.close();
  const tables = Array.from(
    Map.groupBy(rows, ({ table }) => table),
    ([table, columns]) => [
      `  ${table.includes('.') ? `'${table}'` : table}: {`,
      ...columns.map((column) => `    ${column.name}: ${typeOf(column)};`),
      '  };',
    ],
  );
  const lines = [
    '// Generated from the migrations by `npm run generate`.',
    "import type { ColumnType, Generated, GeneratedAlways } from 'kysely';",
    '',
    'export interface Tables {',
    ...tables.flat(),
    '}',
    '',
  ];
  return { owned: FILE, files: new Map([[FILE, lines.join('\n')]]) };
}

function typeOf({ name, type, nullable, default: byDefault, checks }: Column): string {
  const orNull = nullable ? ' | null' : '';
  const read = TYPES[type];
  if (read === undefined) throw new Error(`no TypeScript type is known for ${type}, of the column ${name}`);
  if (byDefault === 'always') return `GeneratedAlways<${read}${orNull}>`;
  const omitted = nullable || byDefault === 'given' ? ' | undefined' : '';
  if (read === 'Date') return `ColumnType<Date${orNull}, Date | string${orNull}${omitted}, Date | string${orNull}>`;
  if (read === 'unknown') return 'ColumnType<unknown, string>';
  const values = checks.match(/(?<== ANY \(|<@ )\(?ARRAY\[([^\]]*)\]/)?.[1];
  const union = values?.match(/'[^']*'/g)?.join(' | ');
  const one = union === undefined ? read : type === 'text[]' ? `(${union})[]` : union;
  return byDefault === 'given' ? `Generated<${one}${orNull}>` : `${one}${orNull}`;
}
