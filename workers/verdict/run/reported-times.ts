import { CLOCK_TOLERANCE, parseInstant } from '../../exact/instants.ts';
import { type Term, variable } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import type { Value } from '../../plan/language/values.ts';
import type { Formula, Problem } from '../decide/problem.ts';
import type { PlannedRun } from './encoding-session.ts';

/** Facts about a run besides plan, actions and artifacts. Times are RFC 3339, UTC, with microseconds. */
export interface ReportedContext {
  readonly approvedAt: string;
  readonly receivedAt: string;
  /** Hashes of the intents that were checked and of those that were recorded. */
  readonly proposedIntents: string;
  readonly recordedIntents: string;
  /** One for each approver. `group` is that of the approver's key, or the id of a key without one. */
  readonly approvals?: readonly { readonly at: string; readonly group: string }[];
}

const HASH: ValueType = { type: 'string', max: 128 };
/** Microseconds since the epoch: the years 0 to 9999. */
const INSTANT: ValueType = { type: 'int', min: -(10n ** 17n), max: 10n ** 18n };

/**
 * Adds rules to the alignment of a recorded run: those of `withReportedTimes`, and that the actions are the proposed ones, as
 * `/intents`.
 * @throws {DocumentError} MALFORMED_VALUE
 */
export function withReportedContext(
  alignment: Problem,
  run: Pick<PlannedRun, 'plan' | 'actions'>,
  { proposedIntents, recordedIntents, ...known }: ReportedContext,
): Problem {
  const { rules, ...timed } = withReportedTimes(alignment, run, known);
  const variables = new Map(timed.variables);
  const values = new Map(timed.values);
  const term = (key: string, value: string): Term => {
    variables.set(key, HASH);
    values.set(key, value);
    return variable(key);
  };
  const isProposed: Formula = {
    id: '/intents',
    term: {
      op: '=',
      left: term('/intents/recorded', recordedIntents),
      right: term('/intents/proposed', proposedIntents),
    },
  };
  return { ...timed, variables, values, rules: [...rules, isProposed] };
}

/** Undefined: not known. */
interface KnownTimes {
  readonly approvedAt?: string | undefined;
  readonly receivedAt?: string | undefined;
}

/**
 * Adds rules to the alignment: actions that were done began after the approval and before the plan expired, ended before the
 * receipt, and are in order. An agent states its own times, so they can refute a run but never support it. Ids of rules:
 * `/actions/0/started_at/approved`, `/actions/0/started_at/expired`, `/actions/0/ended_at/started`,
 * `/actions/0/ended_at/received`, `/actions/1/started_at/order`.
 * @throws {DocumentError} MALFORMED_VALUE
 */
export function withReportedTimes(
  alignment: Problem,
  { plan, actions }: Pick<PlannedRun, 'plan' | 'actions'>,
  { approvedAt, receivedAt }: KnownTimes,
): Problem {
  const variables = new Map(alignment.variables);
  const values = new Map(alignment.values);
  const rules: Formula[] = [...alignment.rules];
  const fact = (key: string, type: ValueType, value: Value): Term => {
    variables.set(key, type);
    values.set(key, value);
    return variable(key);
  };
  const instant = (key: string, text: string, beyond = 0n) => fact(key, INSTANT, parseInstant(text, key) + beyond);
  const inOrder = (id: string, left: Term, right: Term) => rules.push({ id, term: { op: '<=', left, right } });

  const approved = approvedAt && instant('/approved_at', approvedAt, -CLOCK_TOLERANCE);
  const expired = instant('/expires_at', plan.expiresAt, CLOCK_TOLERANCE);
  const received = receivedAt && instant('/received_at', receivedAt, CLOCK_TOLERANCE);
  let before: Term | undefined;
  for (const [index, { record }] of actions.entries()) {
    if (record === undefined) continue;
    const path = `/actions/${index}`;
    const started = instant(`${path}/started_at`, record.started_at);
    const ended = instant(`${path}/ended_at`, record.ended_at);
    if (approved) inOrder(`${path}/started_at/approved`, approved, started);
    inOrder(`${path}/started_at/expired`, started, expired);
    inOrder(`${path}/ended_at/started`, started, ended);
    if (received) inOrder(`${path}/ended_at/received`, ended, received);
    if (before !== undefined) inOrder(`${path}/started_at/order`, before, started);
    before = started;
  }
  return { ...alignment, variables, values, rules };
}
