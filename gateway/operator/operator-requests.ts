import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { UUID_PATTERN, UUID_V7_PATTERN } from '../../services/platform/patterns.ts';
import { AppError } from '../errors/app-error.ts';

/** Requests of the operator's page. The services check the same again. */

const Reason = Type.String({ minLength: 1, maxLength: 500 });
const Limit = Type.String({ pattern: '^[1-9][0-9]{0,2}$' });
const only = { additionalProperties: false };

export const readFreeze = reader(
  Type.Object({ frozen: Type.Boolean(), reason: Reason }, only),
  'the body must be {"frozen": true or false, "reason": 1 to 500 characters}',
);
export const readRetry = reader(
  Type.Object({ jobId: Type.String({ pattern: UUID_PATTERN }), reason: Reason }, only),
  'the body must be {"jobId": the id of a job, "reason": 1 to 500 characters}',
);
export const readReview = reader(
  Type.Object({ recordId: Type.String({ pattern: UUID_V7_PATTERN }), reason: Reason }, only),
  'the body must be {"recordId": the id of a record, "reason": 1 to 500 characters}',
);
export const readSearch = reader(
  Type.Object({ id: Type.String({ pattern: UUID_V7_PATTERN }) }),
  'id must be the X-Request-Id of a call, or the id of its record',
);
export const readJobsQuery = reader(
  Type.Object({
    state: Type.Union(['failed', 'waiting', 'delayed', 'active'].map((state) => Type.Literal(state))),
    limit: Type.Optional(Limit),
  }),
  'state must be failed, waiting, delayed or active, and limit a number up to 200',
);
export const readActsQuery = reader(
  Type.Object({ subject: Type.Optional(Type.String({ maxLength: 100 })), limit: Type.Optional(Limit) }),
  'subject has up to 100 characters, and limit is a number up to 200',
);

/** Reads a body or query. @throws {AppError} INVALID_REQUEST with the rule */
function reader<Schema extends TSchema>(schema: Schema, rule: string): (value: unknown) => Static<Schema> {
  const check = Compile(schema);
  return (value) => {
    if (check.Check(value)) return value;
    throw new AppError('INVALID_REQUEST', rule);
  };
}
