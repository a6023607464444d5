import { foldOfType } from '../../../workers/exact/fold-text.ts';
import type { ToolDocument } from '../../../workers/exact/tool-schema.ts';
import { foldToolName } from '../catalogue/fold-tool-name.ts';
import { findNewest } from '../catalogue/tool-records.ts';
import { readToolDocument } from '../records/stored-documents.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import type { LimitedAct, LimitOfTool } from './charges.ts';

interface Act {
  readonly tool: string;
  readonly tool_version: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface ActsOfPlan {
  readonly actions: readonly Act[];
  /** The descriptions that the plan names. */
  readonly described: readonly ToolDocument[];
  /** JSON pointer to an action, by its index. */
  readonly pathOf: (index: number) => string;
}

/**
 * The limits of actions: those of the description that the plan names, and those of the newest description of the tool.
 * A limit that was tightened binds acts under older plans too.
 */
export async function limitsOfActions(
  transaction: TenantTransaction,
  { actions, described, pathOf }: ActsOfPlan,
): Promise<readonly LimitedAct[]> {
  const names = [...new Set(actions.map(({ tool }) => tool))];
  const newest = new Map(
    (await findNewest(transaction, names))
      .map(({ document }) => readToolDocument(document))
      .map((found) => [foldToolName(found.name), found]),
  );
  return actions.map(({ tool, tool_version, args }, index) => {
    const own = described.find(({ name, version }) => name === tool && version === tool_version);
    const current = newest.get(foldToolName(tool));
    return { args, limits: distinct([...limitsOf(own), ...limitsOf(current)]), path: pathOf(index) };
  });
}

const limitsOf = (tool: ToolDocument | undefined): readonly LimitOfTool[] =>
  tool === undefined
    ? []
    : tool.limits.map((limit) => ({
        tool: tool.name,
        limit,
        fold: limit.per === null ? undefined : foldOfType(tool.args[limit.per]),
      }));

function distinct(limits: readonly LimitOfTool[]): readonly LimitOfTool[] {
  const idOf = ({ limit, fold }: LimitOfTool) => JSON.stringify([Object.entries(limit).sort(), fold ?? null]);
  return [...new Map(limits.map((each) => [idOf(each), each])).values()];
}
