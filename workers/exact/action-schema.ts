import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false } as const;
const Id = Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,64}$' });
const Instant = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z$' });

const INTENT = {
  step_id: Id,
  tool: Id,
  tool_version: Type.String({ maxLength: 32 }),
  args: Type.Record(Type.String(), Type.Unknown()),
};

/** What an agent means to do. */
export const IntentDocument = Type.Object(INTENT, closed);
export type IntentDocument = Static<typeof IntentDocument>;

/** What it says it did. */
export const ActionDocument = Type.Object(
  { ...INTENT, response: Type.Unknown(), started_at: Instant, ended_at: Instant },
  closed,
);
export type ActionDocument = Static<typeof ActionDocument>;
