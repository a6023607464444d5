import { Type } from 'typebox';
import { Compile } from 'typebox/schema';

const MAX_TOOLS = 64;
const MAX_TABLES = 64;

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Tools = Compile(Type.Object({ tools: Type.Array(Type.Unknown(), { maxItems: MAX_TOOLS }) }));
const ToolRef = Compile(Type.Object({ name: Type.String(), version: Type.String(), sha256: Sha256 }));
const Tables = Compile(Type.Object({ tables: Type.Record(Type.String(), Type.Unknown()) }));
const TableRef = Compile(Type.Object({ sha256: Sha256 }));

export interface NamedTool {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  /** Its index in the plan. */
  readonly index: number;
}

/** The descriptions of the catalogue that an unchecked plan names. The solver reports what is malformed. */
export function toolsNamedBy(plan: unknown): readonly NamedTool[] {
  if (!Tools.Check(plan)) return [];
  return plan.tools.flatMap((tool, index) => {
    if (!ToolRef.Check(tool)) return [];
    const { name, version, sha256 } = tool;
    return [{ name, version, sha256, index }];
  });
}

export interface NamedTable {
  /** Its name in the plan. */
  readonly name: string;
  readonly sha256: string;
}

/** The stored tables that an unchecked plan names. */
export function tablesNamedBy(plan: unknown): readonly NamedTable[] {
  if (!Tables.Check(plan)) return [];
  return Object.entries(plan.tables)
    .slice(0, MAX_TABLES)
    .flatMap(([name, table]) => (TableRef.Check(table) ? [{ name, sha256: table.sha256 }] : []));
}
