import { type Static, Type } from 'typebox';
import { ID_PATTERN } from '../../../workers/exact/document-parts.ts';
import { MAX_TABLE_BYTES, MAX_TABLE_ROWS } from '../../../workers/exact/plan-schema.ts';
import { Timestamp } from './answers.ts';
import { Document, Sha256 } from './arguments.ts';

const closed = { additionalProperties: false } as const;
const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

const Name = Type.String({ pattern: ID_PATTERN, description: 'Name of a tool' });
const Version = Type.String({
  pattern: '^(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})$',
  description: 'Such as 1.0.0',
});

/** Arguments of operations on tools: bodies and paths over HTTP, arguments of tools. */
export const GetToolArguments = Type.Object({ name: Name, version: Version }, closed);

export const CreateToolArguments = Type.Object(
  { tool: Type.Unsafe<unknown>({ ...Document, description: 'A description of a tool, tool_format 2' }) },
  closed,
);

const Effect = Type.String({ enum: ['none', 'write', 'revenue_write'] });

const LIMIT = {
  id: Type.String(),
  most: Type.String({ description: 'The most in one window: a sum of the argument, or a number of acts' }),
  within: Type.String({
    enum: ['hour', 'day', 'week'],
    description: 'Calendar window in UTC; a week begins on Monday',
  }),
};

/** A limit in a list, as it is now. */
export const ListedLimit = Type.Object(
  {
    ...LIMIT,
    of: Nullable(Type.String(), 'The argument that is added up; null: acts are counted'),
    per: Nullable(Type.String(), 'The argument for each value of which the limit is; null: one limit for all acts'),
    used: Nullable(Type.String(), 'What was recorded in this window; null for a limit for each value'),
    left: Nullable(Type.String()),
    window_ends_at: Timestamp,
  },
  closed,
);

export type ListedLimit = Static<typeof ListedLimit>;

/** A limit for one action. */
export const LimitNow = Type.Object(
  {
    ...LIMIT,
    used: Type.String({ description: 'What was recorded in this window' }),
    reserved: Type.String({
      description: 'What is reserved, without what this action and those in done have reserved',
    }),
    left: Type.String({
      description: 'What is left for this action: after what was recorded or reserved, and the actions in done',
    }),
    window_ends_at: Timestamp,
  },
  closed,
);
export type LimitNow = Static<typeof LimitNow>;

const LISTED = {
  name: Name,
  version: Version,
  sha256: Type.Unsafe<string>({ ...Sha256, description: 'SHA-256 by which plans name the description' }),
  effect: Effect,
  origin: Type.String({ enum: ['operator', 'tenant'], description: 'operator: it is there for all tenants' }),
  limits: Type.Array(ListedLimit),
};

export const ListToolsAnswer = Type.Object(
  { tools: Type.Array(Type.Object(LISTED, closed), { description: 'By name and version' }) },
  closed,
);

export const ToolAnswer = Type.Object({ ...LISTED, created_at: Timestamp, tool: Document }, closed);

/** JSON lines of a table. */
export const TABLE_TYPE = 'application/jsonl';

export const TableText = Type.String({
  contentMediaType: TABLE_TYPE,
  description: `One row a line: a JSON object with the same columns in each. At most ${MAX_TABLE_ROWS} rows and ${MAX_TABLE_BYTES / 1024 / 1024} MiB`,
});

export const CreateTableAnswer = Type.Object(
  {
    sha256: Type.Unsafe<string>({ ...Sha256, description: 'SHA-256 of the bytes, by which plans name the table' }),
    rows: Type.Integer({ minimum: 0 }),
    size: Type.Integer({ minimum: 0, description: 'In bytes' }),
    columns: Type.Array(Type.String(), { description: 'Empty for a table without rows' }),
    created_at: Timestamp,
  },
  closed,
);
