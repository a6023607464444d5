import { type Static, Type } from 'typebox';
import { IntentDocument } from '../../../workers/exact/action-schema.ts';
import { Timestamp } from './answers.ts';
import { Sha256, Uuid } from './arguments.ts';
import { LimitNow } from './catalogue.ts';

const closed = { additionalProperties: false } as const;

export const ReserveArguments = Type.Object(
  {
    plan_id: Uuid,
    plan_hash: Sha256,
    action: Type.Unsafe<Static<typeof IntentDocument>>({ ...IntentDocument, description: 'The act to reserve' }),
    run: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_.:-]{1,64}$',
        description:
          'A name of your choice for the run, if you do several at once: its reservations hold one execution',
      }),
    ),
  },
  closed,
);
export type ReserveArguments = Static<typeof ReserveArguments>;

export const ReserveAnswer = Type.Object(
  {
    reservation_id: Uuid,
    expires_at: Timestamp,
    limits: Type.Array(LimitNow, { description: 'The limits of the tool, as they were before this reservation' }),
  },
  closed,
);

export const ReleaseAnswer = Type.Object({ reservation_id: Uuid }, closed);
