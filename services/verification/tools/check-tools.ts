import type { PlanDocument } from '../../../workers/exact/plan-schema.ts';
import type { Fault } from '../../../workers/solver/run/checked.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { at } from '../requests/requests.ts';
import { foldToolName } from './fold-tool-name.ts';
import { isBelow, plannedIdentityAt, type ToolDocument, type ToolList } from './tool-list.ts';

/**
 * Checks the tools of a plan against the operator's list: names, effects, and where the identity of an action is.
 * @throws {ServiceError} TOOL_NAME_CONFUSABLE, EFFECT_UNDERSTATED, IDENTITY_MISPLACED
 */
export function assertTools({ tools }: PlanDocument, list: ToolList): void {
  for (const [index, tool] of tools.entries()) {
    const path = `/plan/tools/${index}`;
    assertName(tool.name, tools.slice(0, index), list, path);
    const least = list.effectOf(tool.name);
    if (isBelow(tool.effect, least)) {
      const message = `${tool.name} has at least the effect ${least} here: the operator's list of tools has the last word`;
      throw new ServiceError('EFFECT_UNDERSTATED', at(`${path}/effect`, message));
    }
    assertIdentity(tool, list, path);
  }
}

/** Refuses confusable names: one action could be proven twice, under two names that an approver takes for one. */
function assertName(name: string, before: readonly ToolDocument[], list: ToolList, path: string): void {
  const listed = list.lookalikeOf(name);
  const other = before.find((tool) => tool.name !== name && foldToolName(tool.name) === foldToolName(name));
  const areListed = other !== undefined && list.has(name) && list.has(other.name);
  const lookalike = listed ?? (areListed ? undefined : other?.name);
  if (lookalike === undefined) return;
  const message = `${name} can be mistaken for ${lookalike}: use that name, or one that is clearly different`;
  throw new ServiceError('TOOL_NAME_CONFUSABLE', at(`${path}/name`, message));
}

/** Refuses another field of the response than the list names: one action would have two identities. */
function assertIdentity(tool: ToolDocument, list: ToolList, path: string): void {
  const pinned = list.identityAt(tool.name);
  if (tool.effect !== 'revenue_write' || pinned === undefined || plannedIdentityAt(tool) === pinned) return;
  const message = `must name a field of responds that is at ${pinned}: there ${tool.name} has the identity of an act`;
  throw new ServiceError('IDENTITY_MISPLACED', at(`${path}/identity`, message));
}

/** Warnings for tools that move money without an identity in the operator's list. */
export function lintTools({ tools }: PlanDocument, list: ToolList): readonly Fault[] {
  return tools.flatMap(({ name, effect }, index): Fault[] => {
    if (effect !== 'revenue_write' || list.identityAt(name) !== undefined) return [];
    const message = `the operator's list of tools does not say where ${name} has the identity of an act`;
    return [{ code: 'IDENTITY_NOT_PINNED', path: `/tools/${index}/identity`, message }];
  });
}
