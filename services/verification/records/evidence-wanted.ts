import { defined } from '../../../workers/exact/defined.ts';
import type { EvidenceDocument, PlanDocument } from '../../../workers/exact/plan-schema.ts';
import type { ActionRecord } from './execution-records.ts';
import type { RecordedAction } from './record-hashes.ts';

/** Number of artifacts of a kind that an action still needs. */
export interface EvidenceWanted {
  readonly action_id: string;
  readonly kind: string;
  readonly min: number;
}

/** The kinds of evidence that an action's step declares. An action that is not a step of the plan needs none. */
export function evidenceOf(plan: PlanDocument, action: RecordedAction): readonly EvidenceDocument[] {
  const step = plan.steps.find(({ step_id, tool }) => step_id === action.step_id && tool === toolOf(action));
  return step === undefined ? [] : step.evidence;
}

const toolOf = ({ tool, tool_version }: RecordedAction): string => `${tool}@${tool_version}`;

export interface EvidenceGiven {
  readonly action_id: string;
  readonly kind: string;
}

/** Evidence that is still needed, in the order of the actions. */
export function evidenceWanted(
  plan: PlanDocument,
  actions: readonly RecordedAction[],
  { ids, given }: { readonly ids: readonly ActionRecord[]; readonly given: readonly EvidenceGiven[] },
): readonly EvidenceWanted[] {
  return ids.flatMap(({ seq, action_id }) => {
    return evidenceOf(plan, defined(actions[seq])).flatMap(({ kind, min }) => {
      const have = given.filter((artifact) => artifact.action_id === action_id && artifact.kind === kind).length;
      return have < min ? [{ action_id, kind, min: min - have }] : [];
    });
  });
}
