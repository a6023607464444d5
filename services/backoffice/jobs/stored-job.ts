import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Work } from '../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import type { Caller } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';

const callers = Compile(
  Type.Unsafe<Caller>(
    Type.Object({
      tenantId: Type.String(),
      keyId: Type.String(),
      role: Type.Integer(),
      scopes: Type.Array(Type.String()),
      keyGroup: Type.String(),
    }),
  ),
);
const verifications = Compile(Type.Object({ verifyExecution: Type.Object({ executionId: Type.String() }) }));

/** What a job does, as its row has it, and as operators read it: `{"verifyExecution":{"executionId":"…"}}`. */
export const workText = ({ operation }: Work): string =>
  JSON.stringify(operation === undefined ? {} : { [operation.$case]: operation.value });

/** Reads for whom a job is done, and what. Work of a kind that this release does not know has no operation. @throws {Error} */
export function readStoredJob({ caller, work }: { readonly caller: unknown; readonly work: unknown }): {
  readonly caller: Caller;
  readonly work: Work;
} {
  if (!callers.Check(caller)) throw new Error('its caller has another form');
  if (!verifications.Check(work)) return { caller, work: { operation: undefined } };
  return { caller, work: { operation: { $case: 'verifyExecution', value: work.verifyExecution } } };
}
