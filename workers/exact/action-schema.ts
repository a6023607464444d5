import { type Static, Type } from 'typebox';
import { closed, Id, stringOf } from './document-parts.ts';
import { INSTANT_PATTERN, RFC_3339_PATTERN } from './instants.ts';

/** Calendar fields are not checked here: verification refuses an instant that does not exist. */
const Instant = Type.String({ pattern: INSTANT_PATTERN });
const AnyInstant = Type.String({
  pattern: RFC_3339_PATTERN,
  description: 'RFC 3339, with at most six decimals',
});

const INTENT = {
  step_id: Id,
  tool: Id,
  tool_version: Type.String({ maxLength: 32 }),
  args: Type.Record(Type.String(), Type.Unknown()),
};

/** `failed`: it certainly had no effect, says the agent. `unknown`: it was sent, and no usable answer came. */
const Outcome = stringOf('done', 'failed', 'unknown');
export type Outcome = Static<typeof Outcome>;

/** What an agent reports about an act besides its times. */
const REPORT = {
  ...INTENT,
  /** Left out: `done`. */
  outcome: Type.Optional(Outcome),
  /** Required if the act is done, and only then. `readActions` checks that. */
  response: Type.Optional(Type.Unknown()),
  /** What went wrong. No rule reads it. */
  error: Type.Optional(Type.String({ maxLength: 4096 })),
};

/** What the agent says of an act: `done` if it says nothing. */
export const reportedOutcome = ({ outcome = 'done' }: { readonly outcome?: Outcome }): Outcome => outcome;

/** The shape of an intent: an action that an agent proposes. */
export const IntentDocument = Type.Object(INTENT, closed);
export type IntentDocument = Static<typeof IntentDocument>;

/** The shape of an act that an agent reports, as it is sent. */
export const ReportedAction = Type.Object({ ...REPORT, started_at: AnyInstant, ended_at: AnyInstant }, closed);
export type ReportedAction = Static<typeof ReportedAction>;

/** The shape of an act that an agent reports, as it is stored. */
export const ActionDocument = Type.Object({ ...REPORT, started_at: Instant, ended_at: Instant }, closed);
export type ActionDocument = Static<typeof ActionDocument>;
