import type { Hex } from 'viem';
import type { ClaimRecord, ClaimRecords, RecordedResult } from '../../../../services/payments/claims/claim-records.ts';
import type { ClaimsWitness } from '../../../../services/payments/claims/claims-witness.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import type { PaymentClaimRow } from './payment-claim-row.ts';
import { attestIn } from './simulated-retention.ts';
import type { Statement } from './statements.ts';
import type { Tables } from './tables.ts';

const isFinal = (outcome: RecordedResult) => outcome.state === 'settled' || outcome.final;

function toRecord(row: PaymentClaimRow | undefined): ClaimRecord | undefined {
  if (row === undefined) return undefined;
  const { payer, nonce, validBeforeS, transaction, outcome } = row;
  const { claimId, digest, fingerprint, offerSecretHash, paymentIdentifierHash, amount, fromBlock } = row;
  return {
    claimId,
    digest,
    fingerprint,
    offerSecretHash,
    paymentIdentifierHash,
    amount,
    fromBlock,
    payer: payer as Hex,
    nonce: nonce as Hex,
    validBeforeS: Number(validBeforeS),
    transaction: transaction as Hex | undefined,
    outcome,
  };
}

export function createSimulatedClaimRecords(
  tables: Tables,
  statement: Statement,
  { network, asset }: { readonly network: string; readonly asset: string },
): ClaimRecords {
  const { claims, obligations } = tables;
  const answered: Statement = async (name, run) => {
    try {
      return await statement(name, run);
    } catch (cause) {
      throw new ServiceError('PAYMENT_UNAVAILABLE', 'the records of claims do not answer', { cause });
    }
  };
  return {
    find: ({ payer, nonce }) =>
      answered('find a claim', () =>
        toRecord(
          [...claims.values()].find(
            (row) => row.network === network && row.asset === asset && row.payer === payer && row.nonce === nonce,
          ),
        ),
      ),
    findById: (claimId) =>
      answered('find a claim by id', () => {
        const row = claims.get(claimId);
        return row?.network === network ? toRecord(row) : undefined;
      }),
    noteTransaction: (claimId, transaction) =>
      answered(`note a transaction of ${claimId}`, () => {
        const row = claims.get(claimId);
        if (row !== undefined && row.outcome === undefined) row.transaction = transaction;
      }),
    close: ({ claimId, transaction, outcome }) =>
      answered(`close ${claimId}: ${outcome.state}`, () => {
        const row = claims.get(claimId);
        if (row !== undefined && (row.outcome === undefined || !isFinal(row.outcome))) {
          row.outcome = outcome;
          row.transaction = transaction ?? row.transaction;
        }
        if (isFinal(outcome)) obligations.delete(claimId);
      }),
  };
}

export function createSimulatedClaimsWitness(tables: Tables, statement: Statement, network: string): ClaimsWitness {
  const { claimsWitness, obligations, claims, clockMs } = tables;
  return {
    attest: (position) => statement('attest the claims', () => attestIn(claimsWitness, network, position)),
    accept: (position, from) =>
      statement('accept an epoch of the claims', () => {
        if (claimsWitness.get(network)?.epoch !== from) return;
        claimsWitness.set(network, position);
        for (const row of obligations.values()) {
          if (claims.get(row.recordId)?.network === network) row.dueAtMs = clockMs();
        }
      }),
  };
}
