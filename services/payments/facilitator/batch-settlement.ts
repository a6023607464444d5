import { channel } from 'node:diagnostics_channel';
import { BaseError, type Hex, InsufficientFundsError } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { createProofReader } from '../chain/authorization-use.ts';
import type { Calls } from '../chain/calls.ts';
import { findReceipt, pollFor, type Receipt, type Rpc } from '../chain/rpc.ts';
import type { Payment } from '../payment/payment.ts';
import type { Terms } from '../payment/terms.ts';
import type { GasAccount, GasBudget } from '../signer/gas-budget.ts';
import { GAS_PER_SETTLEMENT } from '../signer/gas-reserve.ts';
import { type BeforeSending, NotSentError, type TransactionSender } from '../signer/transaction-sender.ts';
import { transactionFor } from './batch-transaction.ts';
import type { SettlementReport } from './facilitator.ts';
import { TOO_MUCH_GAS, type Verifier } from './verification.ts';

const step = channel('tollhouse:step');

/** A payment that is due. */
export interface Member {
  readonly payment: Payment;
  /** Writes down the transaction of the payment, before it is sent. @throws when the payment must not be sent */
  readonly note: (transaction: Hex) => Promise<void>;
}

export interface BatchSettlementOptions {
  readonly rpc: Rpc;
  readonly terms: Pick<Terms, 'asset' | 'payTo'>;
  readonly calls: Pick<Calls, 'hasCode'>;
  readonly sender: TransactionSender;
  readonly verifier: Pick<Verifier, 'check'>;
  readonly gasBudget: GasBudget;
  /** Longest time to wait for a receipt. */
  readonly timeoutMs: number;
}

/** Time between two attempts to replace a transaction that is not mined. */
const HASTEN_EVERY_MS = 1000;

/** `alone`: the token would take the payment, and the transaction of the batch did not settle it. */
type Outcome = SettlementReport | { readonly kind: 'alone'; readonly transaction: Hex };
type Outcomes = ReadonlyMap<Member, Outcome>;

/** Settles payments. Never fails: the reports are in the order of the members. */
type SettleBatch = (members: readonly Member[]) => Promise<readonly SettlementReport[]>;

/**
 * Sends payments in one transaction, and those of payers with code each in a transaction of its own: their code can use up
 * the gas of a transaction.
 */
export function createBatchSettlement(options: BatchSettlementOptions): SettleBatch {
  const hasCode = ({ payment }: Member) => options.calls.hasCode(payment.payer);
  return async (members) => {
    const untilMs = performance.now() + options.timeoutMs;
    const codes = await Promise.all(members.map(hasCode)).catch(() => undefined);
    if (codes === undefined) return members.map(() => ({ kind: 'unsent' }));
    const coded = members.filter((_, index) => codes[index]);
    const plain = members.filter((_, index) => !codes[index]);
    const settledAlone = coded.map(async (member) => [member, await settleCoded(options, member, untilMs)] as const);
    const settledTogether = send(options, plain, untilMs).then((outcomes) =>
      Promise.all(
        [...outcomes].map(async ([member, outcome]) => {
          const report =
            outcome.kind === 'alone' ? settleStarved(options, member, outcome.transaction, untilMs) : outcome;
          return [member, await report] as const;
        }),
      ),
    );
    const reports = new Map([...(await Promise.all(settledAlone)), ...(await settledTogether)]);
    return members.map((member) => defined(reports.get(member)));
  };
}

/** Simulates a payment that is due. @returns undefined where it can settle */
export async function examine(
  { verifier }: Pick<BatchSettlementOptions, 'verifier'>,
  { payment }: Member,
): Promise<Extract<SettlementReport, { readonly kind: 'refused' | 'unsent' }> | undefined> {
  try {
    const failure = await verifier.check(payment);
    if (failure === undefined) return undefined;
    const { reason, hasCode } = failure;
    return { kind: 'refused', reason, ...(hasCode && { isPayersFault: true }) };
  } catch {
    return { kind: 'unsent' };
  }
}

/** Settles the payment of a payer with code, if the gas of today suffices for a transaction that fails. */
async function settleCoded(
  options: BatchSettlementOptions,
  member: Member,
  untilMs: number,
): Promise<SettlementReport> {
  const { gasBudget } = options;
  const accounts: readonly GasAccount[] = [member.payment.payer, 'code'];
  const refused = await examine(options, member);
  if (refused !== undefined) return refused;
  try {
    if (!(await gasBudget.take(accounts, GAS_PER_SETTLEMENT))) return { kind: 'refused', reason: TOO_MUCH_GAS };
  } catch {
    return { kind: 'unsent' };
  }
  const report = await sendAlone(options, member, untilMs);
  if (report.kind === 'settled' || report.kind === 'unsent') {
    // What is not given back is counted until tomorrow.
    await gasBudget.giveBack(accounts, GAS_PER_SETTLEMENT).catch(() => undefined);
  }
  return report;
}

/**
 * Sends a payment by itself whose batch was mined and did not settle it: a payer that got code in the meantime used up the
 * gas. The batch is decided, so nothing else of this payment is on its way.
 */
async function settleStarved(
  options: BatchSettlementOptions,
  member: Member,
  transaction: Hex,
  untilMs: number,
): Promise<SettlementReport> {
  try {
    const hasCode = await options.calls.hasCode(member.payment.payer);
    const again = await (hasCode ? settleCoded(options, member, untilMs) : sendAlone(options, member, untilMs));
    // What was sent before may come back after a reorganization.
    return again.kind === 'unsent' ? { kind: 'unknown', transaction } : again;
  } catch {
    return { kind: 'unknown', transaction };
  }
}

/** Sends the transaction of one payment. */
async function sendAlone(options: BatchSettlementOptions, member: Member, untilMs: number): Promise<SettlementReport> {
  const outcome = defined((await send(options, [member], untilMs)).get(member));
  return outcome.kind === 'alone' ? { kind: 'unknown', transaction: outcome.transaction } : outcome;
}

/** Sends one transaction for all members, and waits until it is mined. */
async function send(options: BatchSettlementOptions, members: readonly Member[], untilMs: number): Promise<Outcomes> {
  if (members.length === 0) return new Map();
  const { sender, terms } = options;
  const dropped = new Set<Member>();
  let noted: Hex | undefined;
  const note: BeforeSending = async (hash) => {
    const notes = await Promise.allSettled(members.map((member) => member.note(hash)));
    for (const [index, { status }] of notes.entries()) if (status === 'rejected') dropped.add(defined(members[index]));
    if (dropped.size > 0) throw new Error('some payments may not be sent');
    noted = hash;
    step.publish('settle.noted');
  };
  const all = (outcome: Outcome): Outcomes => new Map(members.map((member) => [member, outcome]));
  try {
    const payments = members.map(({ payment }) => payment);
    const hash = await sender.send(transactionFor(terms, payments), note);
    step.publish('settle.sent');
    return await follow(options, members, { hash, untilMs });
  } catch (error) {
    if (dropped.size > 0) {
      const others = members.filter((member) => !dropped.has(member));
      return new Map([...all({ kind: 'unsent' }), ...(await send(options, others, untilMs))]);
    }
    if (!(error instanceof NotSentError) && noted !== undefined) return all({ kind: 'unknown', transaction: noted });
    if (members.length === 1 || !isTooExpensive(error)) return all({ kind: 'unsent' });
    // The signer can pay for a smaller transaction. The gas that it does not use is free again for the next one.
    const half = Math.floor(members.length / 2);
    const first = await send(options, members.slice(0, half), untilMs);
    return new Map([...first, ...(await send(options, members.slice(half), untilMs))]);
  }
}

function isTooExpensive(error: unknown): boolean {
  const cause = error instanceof NotSentError ? error.cause : undefined;
  if (!(cause instanceof BaseError)) return false;
  return (
    cause.walk((each) => each instanceof InsufficientFundsError) !== null || /insufficient funds/i.test(cause.message)
  );
}

interface Sent {
  readonly hash: Hex;
  readonly untilMs: number;
}

/** Waits for the receipt of a transaction, and reads what it did for each member. */
async function follow(options: BatchSettlementOptions, members: readonly Member[], sent: Sent): Promise<Outcomes> {
  const mined = await awaitReceipt(options, members, sent);
  if (mined.receipt === undefined) {
    return new Map(members.map((member) => [member, { kind: 'unknown', transaction: mined.transaction }]));
  }
  step.publish('settle.mined');
  const { transaction, receipt } = mined;
  const findProof = createProofReader(receipt, options.terms);
  const proofOf = ({ payment: { payer, authorization } }: Member) =>
    findProof(transaction, { payer, nonce: authorization.nonce, amount: authorization.value });
  const unsettled: Member[] = [];
  const outcomes = new Map<Member, Outcome>();
  for (const member of members) {
    const proof = proofOf(member);
    if (proof === undefined) unsettled.push(member);
    else outcomes.set(member, { kind: 'settled', transaction, proof });
  }
  const isBatch = members.length > 1;
  if (isBatch) await countLoss(options, unsettled, receipt.gasUsed);
  const reports = await Promise.all(unsettled.map((member) => examine(options, member)));
  for (const [index, member] of unsettled.entries()) {
    const report = reports[index];
    if (report?.kind === 'refused') outcomes.set(member, { ...report, transaction });
    else outcomes.set(member, { kind: report === undefined && isBatch ? 'alone' : 'unknown', transaction });
  }
  return outcomes;
}

/** Counts the gas of a batch for the payers that got code after it was made. */
async function countLoss(
  { calls, gasBudget }: BatchSettlementOptions,
  unsettled: readonly Member[],
  gasUsed: bigint,
): Promise<void> {
  try {
    const codes = await Promise.all(unsettled.map(({ payment }) => calls.hasCode(payment.payer)));
    const coded = unsettled.filter((_, index) => codes[index]);
    for (const { payment } of coded) await gasBudget.lose([payment.payer, 'code'], gasUsed / BigInt(coded.length));
  } catch {
    // Without the node or the database, this loss is not counted.
  }
}

interface Mined {
  /** The mined transaction, or the last one that was sent. */
  readonly transaction: Hex;
  /** undefined: no receipt came in time. */
  readonly receipt: Receipt | undefined;
}

/** Looks for the receipt of a transaction or of one of its replacements. */
async function awaitReceipt(
  { rpc, sender }: BatchSettlementOptions,
  members: readonly Member[],
  { hash, untilMs }: Sent,
): Promise<Mined> {
  const hashes = [hash];
  const last = () => defined(hashes.at(-1));
  // The sender has written down what was replaced, so a claim that is not told finds it.
  const note: BeforeSending = async (replacement) => {
    await Promise.allSettled(members.map((member) => member.note(replacement)));
    hashes.push(replacement);
  };
  let hastenedMs = performance.now();
  const mined = await pollFor(async (): Promise<Mined | undefined> => {
    for (const transaction of hashes) {
      const receipt = await findReceipt(rpc, transaction).catch(() => undefined);
      if (receipt !== undefined) return { transaction, receipt };
    }
    if (performance.now() - hastenedMs < HASTEN_EVERY_MS) return undefined;
    // If this fails, the transaction stays as it was.
    await sender.hasten(last(), note).catch(() => undefined);
    hastenedMs = performance.now();
    return undefined;
  }, untilMs - performance.now());
  return mined ?? { transaction: last(), receipt: undefined };
}
