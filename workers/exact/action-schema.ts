import { type Static, Type } from 'typebox';
import { closed, Id } from './document-parts.ts';

/** UTC with microseconds. Calendar fields are not checked here: verification refuses an instant that does not exist. */
const Instant = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z$' });

const INTENT = {
  step_id: Id,
  tool: Id,
  tool_version: Type.String({ maxLength: 32 }),
  args: Type.Record(Type.String(), Type.Unknown()),
};

/** The shape of an intent: an action that an agent proposes. */
export const IntentDocument = Type.Object(INTENT, closed);
export type IntentDocument = Static<typeof IntentDocument>;

/** The shape of an action that an agent reports as done. */
export const ActionDocument = Type.Object(
  { ...INTENT, response: Type.Unknown(), started_at: Instant, ended_at: Instant },
  closed,
);
export type ActionDocument = Static<typeof ActionDocument>;
