import { type Static, Type } from 'typebox';
import { ActionDocument, IntentDocument } from '../../../workers/exact/action-schema.ts';
import { Timestamp, Verdict } from './answers.ts';
import { MAX_ACTIONS, Sha256, Uuid } from './arguments.ts';

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

export const PreflightArguments = Type.Object(
  {
    plan_id: Uuid,
    plan_hash: Sha256,
    done: Type.Array(ActionDocument, {
      maxItems: MAX_ACTIONS - 1,
      description: 'What was done so far, in its order, with the responses that came',
    }),
    action: Type.Unsafe<Static<typeof IntentDocument>>({ ...IntentDocument, description: 'What is to be done next' }),
  },
  closed,
);

export const PreflightAnswer = Type.Object(
  {
    decision: Type.String({
      enum: ['allow', 'refuse'],
      description:
        'refuse: no run that begins with these actions passes alignment and constraints, or it is not the moment; allow, of the last action: they pass, for the responses assumed, if those come',
    }),
    result: Type.Unsafe<Static<typeof Verdict>>({
      ...Verdict,
      description:
        'Of alignment where that is not satisfied, otherwise of the constraints; with PLAN_NOT_APPROVED, PLAN_EXPIRED, EXECUTIONS_EXHAUSTED or REVENUE_WRITES_FROZEN among its reasons where the moment is what refuses',
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
                  'How far the greater side of a comparison of numbers is above the lesser, if the run ended with the action; negative: it would be violated. Null for other rules',
              }),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
    checked_at: Timestamp,
  },
  closed,
);
