import type { EvidenceDocument, PlanDocument } from '../../../workers/exact/plan-schema.ts';
import type { ActionRecord } from './execution-records.ts';
import type { RecordedAction } from './record-hashes.ts';

/** How many artifacts of a kind an action still wants. */
export interface EvidenceWanted {
  readonly action_id: string;
  readonly kind: string;
  readonly min: number;
}

/** The kinds of evidence that an action's step declares; none where the action is no step of the plan with its tool. */
export function evidenceOf(plan: PlanDocument, action: RecordedAction): readonly EvidenceDocument[] {
  const step = plan.steps.find(({ step_id, tool }) => step_id === action.step_id && tool === toolOf(action));
  return step?.evidence ?? [];
}

const toolOf = ({ tool, tool_version }: RecordedAction): string => `${tool}@${tool_version}`;

export interface EvidenceGiven {
  readonly action_id: string;
  readonly kind: string;
}

/** What is still wanted, in the order of the actions. */
export function evidenceWanted(
  plan: PlanDocument,
  actions: readonly RecordedAction[],
  { ids, given }: { readonly ids: readonly ActionRecord[]; readonly given: readonly EvidenceGiven[] },
): readonly EvidenceWanted[] {
  return ids.flatMap(({ seq, action_id }) => {
    const action = actions[seq];
    if (action === undefined) return [];
    return evidenceOf(plan, action).flatMap(({ kind, min }) => {
      const have = given.filter((artifact) => artifact.action_id === action_id && artifact.kind === kind).length;
      return have < min ? [{ action_id, kind, min: min - have }] : [];
    });
  });
}
