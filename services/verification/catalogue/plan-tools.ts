import type { InlineTool, PlanDocument } from '../../../workers/exact/plan-schema.ts';
import type { ToolDocument } from '../../../workers/exact/tool-schema.ts';

/** A tool of a plan: described in the plan itself, or in the catalogue. */
export type PlanTool = Pick<InlineTool | ToolDocument, 'name' | 'version' | 'effect' | 'identity' | 'responds'>;

/**
 * The tools of a plan, in its order.
 * @param described the descriptions that the plan names
 * @throws {Error} if one of them is missing: a stored plan has all of them
 */
export function toolsOf(plan: PlanDocument, described: readonly ToolDocument[]): readonly PlanTool[] {
  return plan.tools.map((tool) => {
    if (!('sha256' in tool)) return tool;
    const found = described.find(({ name, version }) => name === tool.name && version === tool.version);
    if (found === undefined) throw new Error(`the description of ${tool.name}@${tool.version} is not stored`);
    return found;
  });
}

/** JSON pointer to the field of the response that a plan names as the identity of an action. */
export function plannedIdentityAt({ identity, responds }: Pick<PlanTool, 'identity' | 'responds'>): string | undefined {
  const field = identity === null ? undefined : responds[identity];
  return typeof field === 'object' && field !== null && 'at' in field && typeof field.at === 'string'
    ? field.at
    : undefined;
}
