import type { Hex } from 'viem';
import type {
  ChannelTransaction,
  Ending,
  NewTransaction,
  SignedHash,
  TransactionRecords,
} from '../../../../services/payments/channels/transaction-records.ts';
import type { ChannelCall, Started } from '../../../../services/payments/channels/transactions.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { hex32 } from './watched-chain.ts';

/** Records of transactions in memory. */
export function createMemoryRecords() {
  const known = new Map<string, ChannelTransaction>();
  const signed: { readonly id: string; readonly signed: SignedHash }[] = [];
  const put = (transaction: ChannelTransaction) => known.set(transaction.id, transaction);
  const records: TransactionRecords = {
    find: async (id) => known.get(id),
    open: async (kind) =>
      [...known.values()].filter((each) => each.ending === undefined && (kind === undefined || each.kind === kind)),
    signedBetween: async (from, to) =>
      [...known.values()].flatMap((each) =>
        each.signed !== undefined && each.signed.nonce >= from && each.signed.nonce < to
          ? [each.signed.serialized]
          : [],
      ),
    refundsBy: async (transactions) =>
      [...known.values()].filter(
        ({ kind, ending }) =>
          kind === 'refund' && ending?.state === 'done' && transactions.includes(ending.transaction),
      ),
    async insert(transaction, ending) {
      if (!known.has(transaction.id)) put({ ...transaction, transactions: [], signed: undefined, ending });
    },
    async sign(transaction, given) {
      signed.push({ id: transaction.id, signed: given });
      const before = known.get(transaction.id)?.transactions ?? [];
      put({ ...transaction, transactions: [...before, given.hash], signed: given.signed, ending: undefined });
    },
    async end(id, ending) {
      put({ ...defined(known.get(id)), ending });
    },
  };
  return { records, known, put, signed };
}

/** What starts transactions as `start` says, and follows them up to the ending in their records. */
export function createStarts(
  { records, known, put }: ReturnType<typeof createMemoryRecords>,
  start: (call: ChannelCall) => Started | Error = () => 'started',
) {
  const starts: (ChannelCall & { readonly id: string })[] = [];
  const [locked, followed]: [string[], string[]] = [[], []];
  const transactions = {
    async start(transaction: NewTransaction, call: ChannelCall) {
      starts.push({ ...call, id: transaction.id });
      const started = start(call);
      if (started instanceof Error) throw started;
      if (started !== 'started') return started;
      await call.beforeSigning?.();
      put(signedOnce(transaction, hex32(starts.length)));
      return started;
    },
    estimate: () => Promise.reject(new Error('not a part of this test')),
    async follow(id: string, untilMs: number) {
      followed.push(`${id} ${untilMs}`);
      return known.get(id)?.ending;
    },
  };
  const lock = <Result>(name: string, work: () => Promise<Result>) => {
    locked.push(name);
    return work();
  };
  return { starts, locked, followed, options: { records, transactions, lock } };
}

/** A transaction that was signed here, once. */
export const signedOnce = (
  transaction: NewTransaction,
  hash: Hex,
  { nonce = 5, serialized = '0x02' as Hex, ending = undefined as Ending | undefined } = {},
): ChannelTransaction => ({ ...transaction, transactions: [hash], signed: { nonce, serialized }, ending });
