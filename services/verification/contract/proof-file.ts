import { type Static, Type } from 'typebox';

const closed = { additionalProperties: false } as const;
const Text = (maxLength: number) => Type.String({ maxLength });

/** The `payloadType` of an in-toto statement in a DSSE envelope. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

const Signature = Type.Object({ keyid: Text(64), sig: Text(88) }, closed);

/** A proof as it is stored and returned. */
export const ProofFile = Type.Object(
  {
    proof_id: Text(64),
    envelope: Type.Object(
      {
        payloadType: Type.Literal(PAYLOAD_TYPE),
        payload: Type.String({ description: 'The in-toto statement, base64' }),
        signatures: Type.Unsafe<[Static<typeof Signature>]>(
          Type.Array(Signature, {
            minItems: 1,
            maxItems: 1,
            description: 'Exactly one: nothing would verify a second one',
          }),
        ),
      },
      closed,
    ),
    log: Type.Object(
      {
        origin: Text(255),
        index: Type.Integer({ minimum: 0 }),
        tree_size: Type.Integer({ minimum: 1 }),
        inclusion: Type.Array(Text(44), { maxItems: 64, description: 'From the leaf up, base64' }),
        checkpoint: Type.String({ maxLength: 1024, description: 'The signed note' }),
      },
      closed,
    ),
  },
  closed,
);
export type ProofFile = Static<typeof ProofFile>;
