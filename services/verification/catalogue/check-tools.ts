import { ServiceError } from '../../platform/grpc/service-error.ts';
import { at } from '../tenants/requests.ts';
import { type PlanTool, plannedIdentityAt } from './plan-tools.ts';
import { isBelow, type ToolList } from './tool-list.ts';

/**
 * Checks the tools of a plan against the list of known tools: names, effects, and where the identity of an action is.
 * @throws {ServiceError} TOOL_NAME_CONFUSABLE, EFFECT_UNDERSTATED, IDENTITY_MISPLACED
 */
export function assertTools(tools: readonly PlanTool[], list: ToolList, prefix: string): void {
  for (const [index, tool] of tools.entries()) {
    const path = `${prefix}/${index}`;
    assertName(tool.name, list, path);
    assertEffect(tool, list, path);
    assertIdentity(tool, list, path);
  }
}

/**
 * Checks a description for the catalogue. A tool that is not listed yet has the effect that the description says.
 * @param list without the versions of the tool that the catalogue has
 * @throws {ServiceError} as `assertTools`
 */
export function assertDescription(tool: PlanTool, list: ToolList, path: string): void {
  assertName(tool.name, list, path);
  if (list.has(tool.name)) assertEffect(tool, list, path);
  assertIdentity(tool, list, path);
}

function assertEffect({ name, effect }: PlanTool, list: ToolList, path: string): void {
  const least = list.effectOf(name);
  if (!isBelow(effect, least)) return;
  const message = list.has(name)
    ? `${name} has at least the effect ${least} here: the operator's list of tools has the last word`
    : `${name} is not listed, so it may move money: have an approver or the operator describe it in the catalogue`;
  throw new ServiceError('EFFECT_UNDERSTATED', at(`${path}/effect`, message));
}

/** Refuses confusable names: one action could be proven twice, under two names that an approver takes for one. */
function assertName(name: string, list: ToolList, path: string): void {
  const lookalike = list.lookalikeOf(name);
  if (lookalike === undefined) return;
  const message = `${name} can be mistaken for ${lookalike}: use that name, or one that is clearly different`;
  throw new ServiceError('TOOL_NAME_CONFUSABLE', at(`${path}/name`, message));
}

/** Refuses another field of the response than the list names: one action would have two identities. */
function assertIdentity(tool: PlanTool, list: ToolList, path: string): void {
  const pinned = list.identityAt(tool.name, tool.version);
  if (tool.effect !== 'revenue_write' || pinned === undefined || plannedIdentityAt(tool) === pinned) return;
  const message = `must name a field of responds that is at ${pinned}: there ${tool.name} has the identity of an act`;
  throw new ServiceError('IDENTITY_MISPLACED', at(`${path}/identity`, message));
}
