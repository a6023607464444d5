import { CLOCK_TOLERANCE, parseInstant } from '../../exact/instants.ts';
import { usesEnds } from '../../plan/expressions.ts';
import { createNodeBudget, type SpendNodes } from '../../plan/language/expand.ts';
import { literal, type Term, variable } from '../../plan/language/terms.ts';
import { TIME, type ValueType } from '../../plan/language/types.ts';
import type { Value } from '../../plan/language/values.ts';
import type { Plan } from '../../plan/plan.ts';
import type { EncodingSession } from '../elaborate/scope.ts';
import type { Action, EarlierRuns } from './action.ts';
import type { Start } from './times.ts';

/** What is known about a run besides its plan and its actions. */
export interface RunContext {
  /** One for each approver. Undefined if the plan is not approved yet. */
  readonly approvals?: readonly Approval[] | undefined;
  /** When the first action that is not done yet starts. Undefined: at any time. */
  readonly start?: Start | undefined;
  /** The runs that were recorded before. Undefined: none. */
  readonly earlier?: EarlierRuns | undefined;
  /** How acts of no certain outcome turned out: values of what is open about them. Undefined: nobody knows. */
  readonly turnedOut?: ReadonlyMap<string, Value> | undefined;
}

/** A run, and what is known about its approval. */
export interface PlannedRun {
  readonly plan: Plan;
  readonly actions: readonly Action[];
  readonly runContext?: RunContext | undefined;
}

/** When an approver approved. `group` is that of the approver's key, or the id of a key without one. */
export interface Approval {
  /** UTC with microseconds. */
  readonly at: string;
  readonly group: string;
}

export const BOOL: ValueType = { type: 'bool' };

/** Nodes of the rules of a run: 1,000 actions under rules that compare each with a row of a table take 100,000. */
export const MAX_NODES = 1_000_000;

const NOTHING: ReadonlyMap<string, Value> = new Map();

export interface SessionOptions {
  readonly runContext?: RunContext | undefined;
  /** Values of variables that would be open. */
  readonly assigned?: ReadonlyMap<string, Value> | undefined;
  /** A budget that several runs share. */
  readonly spend?: SpendNodes;
  /** When the first action started, if it is done. */
  readonly began?: string | undefined;
}

export function createSession(
  plan: Plan,
  { runContext, assigned = NOTHING, spend = createNodeBudget(MAX_NODES), began }: SessionOptions = {},
): EncodingSession {
  const variables = new Map<string, ValueType>();
  const turnedOut = runContext?.turnedOut ?? NOTHING;
  const open = (key: string, type: ValueType): Term => {
    const value = assigned.get(key) ?? turnedOut.get(key);
    if (value !== undefined) return literal(value);
    variables.set(key, type);
    return variable(key);
  };
  return {
    tables: plan.tables,
    run: runFacts(plan, approvalsOf(plan, runContext, began), open),
    variables,
    open,
    facts: [],
    expiresAt: parseInstant(plan.expiresAt, '/expires_at') + CLOCK_TOLERANCE,
    times: [],
    usesEnds: usesEnds(plan),
    spend,
    elements: new Map(),
    indexes: new WeakMap(),
  };
}

interface ParsedApproval {
  /** Microseconds since the epoch. */
  readonly at: bigint;
  readonly group: string;
}

/**
 * Approvals of a run in the order of their times: those that the plan needs, and those that were given before the first
 * action started. Later ones do not count, or an act could be approved after it was done.
 */
function approvalsOf(
  plan: Plan,
  runContext: RunContext | undefined,
  began: string | undefined,
): readonly ParsedApproval[] {
  const given = (runContext?.approvals ?? [])
    .map(({ at, group }, index) => ({ at: parseInstant(at, `/approvals/${index}/at`), group }))
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const start = began === undefined ? undefined : parseInstant(began, '/actions/0/started_at');
  return given.filter(
    ({ at }, index) => index < plan.approvals || start === undefined || at <= start + CLOCK_TOLERANCE,
  );
}

/**
 * The plan is approved by enough approvers, or nothing of it is known. A plan that still lacks approvals can only run once it
 * has them, so it counts as one of which nothing is known.
 */
function runFacts(
  plan: Plan,
  approvals: readonly ParsedApproval[],
  open: EncodingSession['open'],
): EncodingSession['run'] {
  const needed = approvals[plan.approvals - 1];
  if (needed === undefined) {
    const count: ValueType = { type: 'int', min: BigInt(plan.approvals), max: 1000n };
    return {
      approvedAt: open('/run/approved_at', TIME),
      approvals: open('/run/approvals', count),
      approvedBy: (group) => open(`/run/approved_by/${group}`, BOOL),
    };
  }
  const groups = new Set(approvals.map(({ group }) => group));
  return {
    approvedAt: literal(needed.at),
    approvals: literal(BigInt(approvals.length)),
    approvedBy: (group) => literal(groups.has(group)),
  };
}
