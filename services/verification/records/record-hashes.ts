import type { ActionDocument } from '../../../workers/exact/action-schema.ts';
import { digestRecord } from '../proof/digests.ts';

/** What an agent intends to do: the part of an action that is known before it is done. */
export interface Intent {
  readonly step_id: string;
  readonly tool: string;
  readonly tool_version: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** An artifact without its bytes. */
export interface ArtifactRecord {
  readonly artifact_id: string;
  /** Index of the action that it is evidence for, from 0. */
  readonly seq: number;
  readonly kind: string;
  readonly media_type: string;
  /** Digest of its bytes, in lower-case hex. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** The hashes of everything that a verification reads. */
export interface RecordHashes {
  readonly plan_hash: string;
  readonly intents_hash: string;
  readonly execution_hash: string;
  readonly evidence_hash: string;
  /** Hash over the other hashes, the proposed intents, the approvals, and the times of approval and of recording. */
  readonly inputs_hash: string;
}

export interface HashedRecords {
  /** The plan as it was sent. */
  readonly plan: unknown;
  readonly actions: readonly ActionDocument[];
  readonly artifacts: readonly ArtifactRecord[];
  readonly approvedAt: string;
  readonly receivedAt: string;
  /** Hash of the intents that were checked before. */
  readonly proposedIntents: string;
  readonly approvals: readonly ApprovalFact[];
  /** The runs that were recorded before. Undefined if the plan has no rules over its runs. */
  readonly runs?: readonly { readonly execution_id: string; readonly execution_hash: string }[] | undefined;
}

/** Who approved a plan, and when. */
export interface ApprovalFact {
  readonly by: string;
  readonly group: string;
  readonly at: string;
}

/** Hash of a plan as sent. An approval names it. */
export const hashPlan = (plan: unknown): string => digestRecord('plan', plan);

export function hashIntents(actions: readonly Intent[]): string {
  const intents = actions.map(({ step_id, tool, tool_version, args }) => ({ step_id, tool, tool_version, args }));
  return digestRecord('intents', intents);
}

export function hashExecution(planHash: string, actions: readonly ActionDocument[]): string {
  return digestRecord('execution', { plan_hash: planHash, actions });
}

/** A run of the plan that was recorded before another one, as it was then. */
export interface EarlierRun {
  readonly execution_id: string;
  readonly actions: readonly ActionDocument[];
}

/** What a task of the solver says of the runs that were recorded before. */
export const runsFact = (runs: readonly EarlierRun[] | undefined): { readonly runs?: string } =>
  runs === undefined ? {} : { runs: JSON.stringify(runs.map(({ actions }) => actions)) };

/** The runs as hashes have them. */
export const hashRuns = (planHash: string, runs: readonly EarlierRun[]) =>
  runs.map(({ execution_id, actions }) => ({ execution_id, execution_hash: hashExecution(planHash, actions) }));

export function hashRecords(records: HashedRecords): RecordHashes {
  const { plan, actions, artifacts, approvedAt, receivedAt, proposedIntents, approvals, runs } = records;
  const planHash = hashPlan(plan);
  const hashes = {
    plan_hash: planHash,
    intents_hash: hashIntents(actions),
    execution_hash: hashExecution(planHash, actions),
    evidence_hash: digestRecord('evidence', artifacts.toSorted(byId)),
  };
  const before = {
    approved_at: approvedAt,
    received_at: receivedAt,
    proposed_intents_hash: proposedIntents,
    approvals,
    ...(runs === undefined ? {} : { runs }),
  };
  return { ...hashes, inputs_hash: digestRecord('inputs', { ...hashes, ...before }) };
}

function byId(one: ArtifactRecord, other: ArtifactRecord): number {
  return one.artifact_id < other.artifact_id ? -1 : 1;
}
