import { channel } from 'node:diagnostics_channel';
import { BaseError, type Hex, InsufficientFundsError } from 'viem';
import { defined } from '../../../workers/exact/defined.ts';
import { createProofReader, type SettledUse } from '../chain/authorization-use.ts';
import { findReceipt, pollFor, type Receipt, type Rpc } from '../chain/rpc.ts';
import type { Payment } from '../payment/payment.ts';
import type { Terms } from '../payment/terms.ts';
import { type BeforeSending, NotSentError, type TransactionSender } from '../signer/transaction-sender.ts';
import { transactionFor } from './batch-transaction.ts';
import type { SettlementReport } from './facilitator.ts';
import type { Verifier } from './verification.ts';

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
  readonly sender: TransactionSender;
  readonly verifier: Pick<Verifier, 'check'>;
  /** Longest time to wait for a receipt. */
  readonly timeoutMs: number;
}

/** Time between two attempts to replace a transaction that is not mined. */
const HASTEN_EVERY_MS = 1000;

/** `alone`: the token would take the payment, and the transaction of the batch did not settle it. */
type Outcome = SettlementReport | { readonly kind: 'alone'; readonly transaction: Hex };
type Outcomes = ReadonlyMap<Member, Outcome>;

/** Settles payments in one transaction. Never fails: the reports are in the order of the members. */
type SettleBatch = (members: readonly Member[]) => Promise<readonly SettlementReport[]>;

export function createBatchSettlement(options: BatchSettlementOptions): SettleBatch {
  return async (members) => {
    const untilMs = performance.now() + options.timeoutMs;
    const outcomes = await send(options, members, untilMs);
    return Promise.all(members.map((member) => settleAlone(options, member, defined(outcomes.get(member)), untilMs)));
  };
}

/** Simulates a payment that is due. @returns undefined where it can settle */
export async function examine(
  { verifier }: Pick<BatchSettlementOptions, 'verifier'>,
  { payment }: Member,
): Promise<SettlementReport | undefined> {
  try {
    const reason = await verifier.check(payment);
    return reason === undefined ? undefined : { kind: 'refused', reason };
  } catch {
    return { kind: 'unsent' };
  }
}

/**
 * Sends a payment by itself whose batch was mined and did not settle it, although the token would take it: another
 * member used up the gas. The batch is decided, so nothing else of this payment is on its way.
 */
async function settleAlone(
  options: BatchSettlementOptions,
  member: Member,
  outcome: Outcome,
  untilMs: number,
): Promise<SettlementReport> {
  if (outcome.kind !== 'alone') return outcome;
  const again = defined((await send(options, [member], untilMs)).get(member));
  // What was sent before may come back after a reorganization.
  if (again.kind === 'alone' || again.kind === 'unsent') return { kind: 'unknown', transaction: outcome.transaction };
  return again;
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
  const { transaction } = mined;
  const findProof = createProofReader(mined.receipt, options.terms);
  const outcomes = members.map(async (member): Promise<readonly [Member, Outcome]> => {
    const { payer, authorization } = member.payment;
    const proof = findProof(transaction, { payer, nonce: authorization.nonce, amount: authorization.value });
    if (proof !== undefined) return [member, settled(proof)];
    const report = await examine(options, member);
    if (report?.kind === 'refused') return [member, report];
    const isStarved = report === undefined && members.length > 1;
    return [member, { kind: isStarved ? 'alone' : 'unknown', transaction }];
  });
  return new Map(await Promise.all(outcomes));
}

const settled = (proof: SettledUse): Outcome => ({ kind: 'settled', transaction: proof.transaction, proof });

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
