import type { Hex } from 'viem';
import type { KeptAuthorizations } from '../../../../services/payments/finality/kept-authorizations.ts';
import type { UnfinalClaims } from '../../../../services/payments/finality/unfinal-claims.ts';
import { type ReadPayment, toPayload } from '../../../../services/payments/payment/payment.ts';
import type { PaymentClaimRow } from './payment-claim-row.ts';
import type { Statement } from './statements.ts';
import type { Tables } from './tables.ts';

interface ClaimScope {
  readonly network: string;
  readonly asset: string;
}

/** Ids are UUIDv7, so the order of their creation is also their order as text. */
function after<Row extends { readonly claimId: string }>(
  rows: readonly Row[],
  id: string,
  limit: number,
): readonly Row[] {
  return rows.slice(rows.findIndex(({ claimId }) => claimId === id) + 1).slice(0, limit);
}

export function createSimulatedUnfinalClaims(
  { claims, authorizations }: Tables,
  statement: Statement,
  { network, asset }: ClaimScope,
): UnfinalClaims {
  const own = () => [...claims.values()].filter((row) => row.network === network && row.asset === asset);
  const isUnfinal = (row: PaymentClaimRow) =>
    row.outcome?.state === 'settled' && !row.isFinalized && row.lostReason === undefined;
  const unfinal = () => own().filter(isUnfinal);
  const change = (name: string, claimId: string, apply: (row: PaymentClaimRow) => void) =>
    statement(`${name} ${claimId}`, () => {
      const row = unfinal().find((each) => each.claimId === claimId);
      if (row !== undefined) apply(row);
    });
  return {
    blocks: () =>
      statement('read the blocks of claims', () => {
        const blocks = unfinal().flatMap(({ block }) => (block === undefined ? [] : [block]));
        const distinct = new Map(blocks.map((block) => [`${block.number} ${block.hash}`, block]));
        return [...distinct.values()].toSorted((one, other) => Number(one.number - other.number));
      }),
    unlocated: (last, limit) =>
      statement('read claims without a block', () =>
        after(
          unfinal().filter(({ block }) => block === undefined),
          last,
          limit,
        ).map((row) => ({
          claimId: row.claimId,
          payer: row.payer as Hex,
          nonce: row.nonce as Hex,
          amount: row.amount,
          validBeforeS: Number(row.validBeforeS),
          fromBlock: row.fromBlock,
          transaction: row.transaction as Hex | undefined,
          wasMissing: row.isMissing,
        })),
      ),
    locate: (claimId, { transaction, block }) =>
      change('locate', claimId, (row) => {
        row.transaction = transaction;
        row.block = block;
        row.isMissing = false;
      }),
    forget: ({ number, hash }) =>
      statement(`forget the block ${number}`, () => {
        const inBlock = unfinal().filter(({ block }) => block?.number === number && block.hash === hash);
        for (const row of inBlock) row.block = undefined;
        return inBlock.map(({ claimId }) => claimId);
      }),
    finalize: ({ number, hash }) =>
      statement(`finalize the block ${number}`, () => {
        for (const row of unfinal()) {
          if (row.block?.number !== number || row.block.hash !== hash) continue;
          row.isFinalized = true;
          authorizations.delete(row.claimId);
        }
      }),
    noteMissing: (claimId) =>
      change('note as missing', claimId, (row) => {
        row.isMissing = true;
      }),
    noteTransaction: (claimId, transaction) =>
      change('note a transaction of', claimId, (row) => {
        row.transaction = transaction;
      }),
    lose: (claimId, reason) =>
      change('lose', claimId, (row) => {
        row.lostReason = reason;
      }),
    sent: (last, limit) =>
      statement('read sent claims', () => {
        const sent = own().filter(({ outcome, transaction }) => outcome === undefined && transaction !== undefined);
        return after(sent, last, limit).map(({ claimId }) => claimId);
      }),
  };
}

export function createSimulatedAuthorizations(
  { claims, authorizations }: Tables,
  statement: Statement,
  readPayment: (paymentJson: string, amount: string) => ReadPayment,
): KeptAuthorizations {
  return {
    keep: ({ claimId, validBeforeS }, payment) =>
      statement(`keep the authorization of ${claimId}`, () => {
        if (!claims.has(claimId) || authorizations.has(claimId)) return;
        authorizations.set(claimId, { claimId, validBeforeS, paymentJson: JSON.stringify(toPayload(payment)) });
      }),
    async find({ claimId, amount }) {
      const row = await statement(`find the authorization of ${claimId}`, () => authorizations.get(claimId));
      if (row === undefined) return undefined;
      const read = readPayment(row.paymentJson, `${amount}`);
      return read.ok && read.mismatch === undefined ? read.payment : undefined;
    },
    deleteEnded: (untilS) =>
      statement('delete ended authorizations', () => {
        for (const { claimId, validBeforeS } of authorizations.values()) {
          const outcome = claims.get(claimId)?.outcome;
          const hasFailed = outcome?.state === 'failed' && outcome.final;
          if (BigInt(validBeforeS) <= untilS || hasFailed) authorizations.delete(claimId);
        }
      }),
  };
}
