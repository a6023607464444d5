import { type ActionDocument, reportedOutcome } from '../../../workers/exact/action-schema.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { EvidenceDocument, PlanDocument } from '../../../workers/exact/plan-schema.ts';
import type { ActionRecord } from './execution-records.ts';

/** Number of artifacts of a kind that an action still needs. */
export interface EvidenceWanted {
  readonly action_id: string;
  readonly kind: string;
  readonly min: number;
}

/** The kinds of evidence that an action's step declares. An action that is not a step of the plan needs none. */
export function evidenceOf(plan: PlanDocument, action: ActionDocument): readonly EvidenceDocument[] {
  const step = plan.steps.find(({ step_id, tool }) => step_id === action.step_id && tool === toolOf(action));
  return step === undefined ? [] : step.evidence;
}

const toolOf = ({ tool, tool_version }: ActionDocument): string => `${tool}@${tool_version}`;

export interface EvidenceGiven {
  readonly action_id: string;
  readonly kind: string;
}

/** Evidence that is still needed, in the order of the actions. */
export function evidenceWanted(
  plan: PlanDocument,
  actions: readonly ActionDocument[],
  { ids, given }: { readonly ids: readonly ActionRecord[]; readonly given: readonly EvidenceGiven[] },
): readonly EvidenceWanted[] {
  const counts = new Map<string, number>();
  for (const artifact of given) counts.set(slotOf(artifact), (counts.get(slotOf(artifact)) ?? 0) + 1);
  return ids.flatMap(({ seq, action_id }) => {
    const action = defined(actions[seq]);
    // Of an act without a response, none is asked.
    if (reportedOutcome(action) !== 'done') return [];
    return evidenceOf(plan, action).flatMap(({ kind, min }) => {
      // What was not given is not in the map.
      const have = counts.get(slotOf({ action_id, kind })) ?? 0;
      return have < min ? [{ action_id, kind, min: min - have }] : [];
    });
  });
}

const slotOf = ({ action_id, kind }: EvidenceGiven): string => `${action_id} ${kind}`;
