import { digestRecord } from '../proof/digests.ts';

/** What an agent means to do: the part of an action that stands before it is done. */
export interface Intent {
  readonly step_id: string;
  readonly tool: string;
  readonly tool_version: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What it says it did. Times are RFC 3339, UTC, with microseconds. */
export interface RecordedAction extends Intent {
  readonly response: unknown;
  readonly started_at: string;
  readonly ended_at: string;
}

/** What is known of an artifact besides its bytes. */
export interface ArtifactRecord {
  readonly artifact_id: string;
  /** Of the action that it bears out, among those of its execution, from 0. */
  readonly seq: number;
  readonly kind: string;
  readonly media_type: string;
  /** Of its bytes, in lower-case hex. */
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
}

/** Everything that a verification reads, by its hashes. */
export interface RecordHashes {
  readonly plan_hash: string;
  readonly intents_hash: string;
  readonly execution_hash: string;
  readonly evidence_hash: string;
  /** Of all of them, of what was proposed, and of when the plan was approved and the execution came. */
  readonly inputs_hash: string;
}

export interface HashedRecords {
  /** The plan as it was sent. */
  readonly plan: unknown;
  readonly actions: readonly RecordedAction[];
  readonly artifacts: readonly ArtifactRecord[];
  readonly approvedAt: string;
  readonly receivedAt: string;
  /** Hash of the intents that were checked before. */
  readonly proposedIntents: string;
}

/** The plan as it was sent, no defaults filled in: an approval names this hash. */
export const hashPlan = (plan: unknown): string => digestRecord('plan', plan);

export function hashIntents(actions: readonly Intent[]): string {
  const intents = actions.map(({ step_id, tool, tool_version, args }) => ({ step_id, tool, tool_version, args }));
  return digestRecord('intents', intents);
}

export function hashExecution(planHash: string, actions: readonly RecordedAction[]): string {
  return digestRecord('execution', { plan_hash: planHash, actions });
}

export function hashRecords(records: HashedRecords): RecordHashes {
  const { plan, actions, artifacts, approvedAt, receivedAt, proposedIntents } = records;
  const planHash = hashPlan(plan);
  const hashes = {
    plan_hash: planHash,
    intents_hash: hashIntents(actions),
    execution_hash: hashExecution(planHash, actions),
    evidence_hash: digestRecord('evidence', artifacts.toSorted(byId)),
  };
  const before = { approved_at: approvedAt, received_at: receivedAt, proposed_intents_hash: proposedIntents };
  return { ...hashes, inputs_hash: digestRecord('inputs', { ...hashes, ...before }) };
}

function byId(one: ArtifactRecord, other: ArtifactRecord): number {
  return one.artifact_id < other.artifact_id ? -1 : 1;
}
