import type { Work } from '../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import type { Caller } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';

type Operation = NonNullable<Work['operation']>;
type Values = { readonly [Kind in Operation as Kind['$case']]: Kind['value'] };

export interface WorkContext {
  readonly caller: Caller;
  /** The caller's own key: requests with the same key have the same answer. */
  readonly idempotencyKey: string;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

export interface WorkType<Value> {
  /** What is wrong with the work, for the caller; undefined for valid work. */
  readonly fault: (value: Value) => string | undefined;
  /** Does the work. A second call with the same key does nothing more. @returns JSON @throws {CallError} */
  readonly run: (value: Value, context: WorkContext) => Promise<string>;
}

/** How to do each kind of work. */
export type WorkTypes = { readonly [Kind in keyof Values]: WorkType<Values[Kind]> };

type OperationOf<Kind extends keyof Values> = {
  readonly [Each in Kind]: { readonly $case: Each; readonly value: Values[Each] };
}[Kind];

export function faultOf<Kind extends keyof Values>(types: WorkTypes, operation: OperationOf<Kind>): string | undefined {
  const type: WorkType<Values[Kind]> = types[operation.$case];
  return type.fault(operation.value);
}

export function runWork<Kind extends keyof Values>(
  types: WorkTypes,
  operation: OperationOf<Kind>,
  context: WorkContext,
): Promise<string> {
  const type: WorkType<Values[Kind]> = types[operation.$case];
  return type.run(operation.value, context);
}
