import { channel } from 'node:diagnostics_channel';
import type { PaymentPayload, SettleResponse } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { type Abi, encodeFunctionData, formatLog, type Hex, isAddressEqual } from 'viem';
import { findReceipt, isRevert, pollFor, type Receipt, type Rpc } from '../chain/rpc.ts';
import { type Payment, toPayload } from '../payment/payment.ts';
import { NotSentError, type TransactionSender } from '../signer/transaction-sender.ts';
import { type Facilitator, FacilitatorError, type SettlementClaim, safeReason } from './facilitator.ts';

const step = channel('tollhouse:step');

type SchemeSigner = ConstructorParameters<typeof ExactEvmScheme>[0];
type WriteContract = SchemeSigner['writeContract'];

/** What the scheme's answers leave out: it turns a node that is away into "invalid" and a lost answer into "failed". */
interface Trace {
  unreachable: boolean;
  reverted: boolean;
  /** Signed, and on its way for all that is known. */
  transaction: Hex | undefined;
}

export interface OwnSignerOptions {
  readonly rpc: Rpc;
  readonly sender: TransactionSender;
  /** Longest time to wait for a receipt. */
  readonly timeoutMs: number;
}

/** Time between two looks whether a transaction that is not mined must be replaced. */
const HASTEN_EVERY_MS = 1000;

/** The exact scheme's facilitator on our own node and key. */
export function createOwnSigner({ rpc, sender, timeoutMs }: OwnSignerOptions): Facilitator {
  const schemeFor = (payer: Hex, trace: Trace, chainWrites: ChainWrites) =>
    new ExactEvmScheme(createSchemeSigner({ rpc, payer, address: sender.address, trace, ...chainWrites }));

  /** The receipt of a transaction or of one of its replacements; undefined when none came in time. */
  async function awaitReceipt(first: Hex, trace: Trace, note: (hash: Hex) => Promise<void>) {
    const hashes = [first];
    let hastenedMs = performance.now();
    return pollFor(async () => {
      for (const hash of hashes) {
        const receipt = await findReceipt(rpc, hash);
        if (receipt === undefined) continue;
        trace.transaction = hash;
        return receipt;
      }
      if (performance.now() - hastenedMs < HASTEN_EVERY_MS) return undefined;
      // A failure leaves the transaction as it was.
      const replacement = await sender.hasten(hashes.at(-1) ?? first, note).catch(() => undefined);
      if (replacement !== undefined) hashes.push(replacement);
      hastenedMs = performance.now();
      return undefined;
    }, timeoutMs);
  }

  const refuseToWrite = () => Promise.reject(new Error('verifying writes nothing'));
  const noWrites: ChainWrites = { writeContract: refuseToWrite, awaitReceipt: refuseToWrite };

  return {
    async verify(payment) {
      const trace: Trace = { unreachable: false, reverted: false, transaction: undefined };
      const answer = await schemeFor(payment.payer, trace, noWrites)
        .verify(...toRequest(payment))
        .catch((error: unknown) => {
          throw new FacilitatorError('the node did not verify', { cause: error });
        });
      if (answer.isValid) return { ok: true };
      if (trace.unreachable) throw new FacilitatorError('the node cannot be reached');
      return { ok: false, reason: safeReason(answer.invalidReason, 'verification_failed') };
    },

    async settle(payment, beforeSending) {
      const trace: Trace = { unreachable: false, reverted: false, transaction: undefined };
      const note = async (hash: Hex) => {
        await beforeSending(hash);
        trace.transaction = hash;
      };
      const writeContract: WriteContract = async ({ address, abi, functionName, args }) => {
        const data = encodeFunctionData({ abi: abi as Abi, functionName, args });
        const gas = await rpc.estimateGas({ account: sender.address, to: address, data }).catch((error: unknown) => {
          if (isRevert(error)) trace.reverted = true;
          else trace.unreachable = true;
          throw error;
        });
        try {
          const hash = await sender.send({ to: address, data, gas: (gas * 13n) / 10n }, note);
          step.publish('settle.sent');
          return hash;
        } catch (error) {
          if (error instanceof NotSentError) {
            trace.transaction = undefined;
            trace.unreachable = true;
          }
          throw error;
        }
      };
      const chainWrites = { writeContract, awaitReceipt: (hash: Hex) => awaitReceipt(hash, trace, note) };
      try {
        return readSettlement(await schemeFor(payment.payer, trace, chainWrites).settle(...toRequest(payment)), trace);
      } catch {
        return trace.transaction ? { kind: 'unknown', transaction: trace.transaction } : { kind: 'unsent' };
      }
    },

    hasten: (transaction, beforeSending) =>
      sender.hasten(transaction, beforeSending).then(
        (replacement) => replacement !== undefined,
        () => false,
      ),
  };
}

/** Another claim's transaction, or our own earlier one, may have settled it: the chain is asked after any of these. */
function readSettlement(answer: SettleResponse, { transaction, reverted, unreachable }: Trace): SettlementClaim {
  if (transaction) return answer.success ? { kind: 'settled', transaction } : { kind: 'unknown', transaction };
  if (unreachable && !reverted) return { kind: 'unsent' };
  return { kind: 'refused', reason: safeReason(answer.errorReason, 'settlement_failed') };
}

function toRequest(payment: Payment) {
  const requirements = { ...payment.offer, extra: { ...payment.offer.extra } };
  // The package's types want a full ResourceInfo; it reads only `accepted` and `payload`.
  const payload = { ...toPayload(payment), accepted: requirements } as unknown as PaymentPayload;
  return [payload, requirements] as const;
}

interface ChainWrites {
  readonly writeContract: WriteContract;
  /** undefined: no receipt came in time. */
  readonly awaitReceipt: (hash: Hex) => Promise<Receipt | undefined>;
}

interface SchemeSignerOptions extends ChainWrites {
  readonly rpc: Rpc;
  readonly payer: Hex;
  readonly address: Hex;
  readonly trace: Trace;
}

/** ERC-1271: what a contract wallet answers to a signature that it takes for its own. */
const IS_VALID_SIGNATURE = '0x1626ba7e';

/**
 * The payment's signature was recovered natively when it was read; the scheme would do it again in JavaScript, for 2 ms
 * of the event loop each time. It is told that the payer has code and takes the signature. Nothing depends on this:
 * the token itself decides, in the simulation and in the estimate before sending.
 */
function createSchemeSigner({
  rpc,
  payer,
  address,
  trace,
  writeContract,
  awaitReceipt,
}: SchemeSignerOptions): SchemeSigner {
  const traced = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (!isRevert(error)) trace.unreachable = true;
      throw error;
    }
  };
  return {
    getAddresses: () => [address],
    async readContract({ abi, ...args }) {
      if (args.functionName === 'isValidSignature') return IS_VALID_SIGNATURE;
      return traced(rpc.readContract({ ...args, abi: abi as Abi }));
    },
    getCode: async (args) => (isAddressEqual(args.address, payer) ? '0x00' : traced(rpc.getCode(args))),
    // Only for contract wallets and Permit2, which are refused before.
    verifyTypedData: () => Promise.resolve(false),
    sendTransaction: () => Promise.reject(new Error('only payments are sent')),
    writeContract,
    async waitForTransactionReceipt({ hash }) {
      const receipt = await awaitReceipt(hash);
      if (receipt === undefined) throw new Error('no receipt in time');
      return { status: receipt.success ? 'success' : 'reverted', logs: receipt.logs.map((log) => formatLog(log)) };
    },
  };
}
