import { Type } from 'typebox';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';

// What the commands of payments print as JSON, as far as tests read it.

export const readList = createJsonReader(
  Type.Array(Type.Object({ claimId: Type.String(), state: Type.String(), amount: Type.String() })),
  'the list',
);
export const readShown = createJsonReader(
  Type.Object({
    claim: Type.Object({ state: Type.String() }),
    outcome: Type.Union([Type.Null(), Type.Object({ success: Type.Boolean() })]),
    chain: Type.Partial(
      Type.Object({ authorization: Type.String(), confirmations: Type.Integer(), error: Type.String() }),
    ),
    acts: Type.Array(Type.Object({ action: Type.String(), reason: Type.String() })),
  }),
  'the claim',
);
export const readNeeded = createJsonReader(
  Type.Object({ needed: Type.Record(Type.String(), Type.String()) }),
  'the needed transfer',
);
export const readRuns = createJsonReader(
  Type.Object({
    differs: Type.Boolean(),
    runs: Type.Array(
      Type.Object({
        differences: Type.Object({
          claimsWithoutTransfer: Type.Array(Type.Object({ claimId: Type.String(), reason: Type.String() })),
          transfersWithoutClaim: Type.Array(Type.Object({ transaction: Type.String(), amount: Type.String() })),
          refundsWithoutTransfer: Type.Array(Type.Unknown()),
          balance: Type.Union([Type.String(), Type.Null()]),
        }),
        refunds: Type.Array(Type.Object({ claimId: Type.String() })),
        otherTransfersSent: Type.Array(Type.Object({ transaction: Type.String() })),
      }),
    ),
  }),
  'the runs',
);
export const readEarnings = createJsonReader(
  Type.Array(
    Type.Object({
      operation: Type.Optional(Type.String()),
      calls: Type.String(),
      soldMicroUsd: Type.String(),
      settledMicroUsd: Type.String(),
      refundedMicroUsd: Type.String(),
      netMicroUsd: Type.String(),
      gasWei: Type.String(),
      unknownGas: Type.String(),
    }),
  ),
  'the earnings',
);
