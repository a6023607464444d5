import { type Static, Type } from 'typebox';
import { IntentDocument, ReportedAction } from '../../../workers/exact/action-schema.ts';
import { Timestamp, Verdict } from './answers.ts';
import { MAX_ACTIONS, Sha256, Uuid } from './arguments.ts';
import { LimitNow } from './catalogue.ts';

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

export const PreflightArguments = Type.Object(
  {
    plan_id: Uuid,
    plan_hash: Sha256,
    done: Type.Array(ReportedAction, {
      maxItems: MAX_ACTIONS - 1,
      description: 'The actions done so far, in order, with their responses',
    }),
    action: Type.Unsafe<Static<typeof IntentDocument>>({ ...IntentDocument, description: 'The next action' }),
  },
  closed,
);

export const PreflightAnswer = Type.Object(
  {
    decision: Type.String({
      enum: ['allow', 'refuse'],
      description:
        'refuse: no run that begins with these actions passes alignment and constraints, or the plan or a freeze does not allow it now. allow for the last action: the run passes if the assumed responses arrive',
    }),
    result: Type.Unsafe<Static<typeof Verdict>>({
      ...Verdict,
      description:
        'The verdict on alignment if that is not satisfied, otherwise the verdict on the constraints. Reasons PLAN_NOT_APPROVED, PLAN_EXPIRED, EXECUTIONS_EXHAUSTED, RUNS_TOO_LARGE, LIMIT_EXCEEDED, TOO_EARLY (which names the instant from which the action passes, if the rules do) and REVENUE_WRITES_FROZEN refuse for now',
    }),
    frozen: Type.Boolean({ description: 'Whether the operator has stopped writes that move money' }),
    remaining: Type.Object(
      {
        steps: Type.Array(Type.Object({ step_id: Type.String(), min: Count, max: Count }, closed), {
          description: 'How often each step must and may still be done after the action',
        }),
        constraints: Type.Array(
          Type.Object(
            {
              id: Type.String(),
              slack: Type.Union([Type.String(), Type.Null()], {
                description:
                  'For a comparison of numbers: how far the greater side exceeds the lesser if the run ends with this action. Negative: the rule would be violated. Null for other rules',
              }),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    limits: Type.Array(LimitNow, { description: 'The limits of the tool, for this action' }),
    checked_at: Timestamp,
  },
  closed,
);
