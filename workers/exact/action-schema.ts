import { type Static, Type } from 'typebox';
import { closed, Id } from './document-parts.ts';
import { INSTANT_PATTERN, RFC_3339_PATTERN } from './instants.ts';

/** Calendar fields are not checked here: verification refuses an instant that does not exist. */
const Instant = Type.String({ pattern: INSTANT_PATTERN });
const AnyInstant = Type.String({
  pattern: RFC_3339_PATTERN,
  description: 'RFC 3339, with at most six decimals; stored in UTC with six: `2026-12-05T00:00:00.000000Z`',
});

const INTENT = {
  step_id: Id,
  tool: Id,
  tool_version: Type.String({ maxLength: 32 }),
  args: Type.Record(Type.String(), Type.Unknown()),
};

/** The shape of an intent: an action that an agent proposes. */
export const IntentDocument = Type.Object(INTENT, closed);
export type IntentDocument = Static<typeof IntentDocument>;

/** The shape of an action that an agent reports as done, as it is sent. */
export const ReportedAction = Type.Object(
  { ...INTENT, response: Type.Unknown(), started_at: AnyInstant, ended_at: AnyInstant },
  closed,
);
export type ReportedAction = Static<typeof ReportedAction>;

/** The shape of an action that an agent reports as done, as it is stored. */
export const ActionDocument = Type.Object(
  { ...INTENT, response: Type.Unknown(), started_at: Instant, ended_at: Instant },
  closed,
);
export type ActionDocument = Static<typeof ActionDocument>;
