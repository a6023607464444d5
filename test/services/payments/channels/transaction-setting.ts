import type { Hex } from 'viem';
import { createConfirmedBlocks } from '../../../../services/payments/chain/confirmed-blocks.ts';
import { SETTLEMENT } from '../../../../services/payments/channels/addresses.ts';
import type { ChannelTransaction } from '../../../../services/payments/channels/transaction-records.ts';
import type { TransactionsContext } from '../../../../services/payments/channels/transactions.ts';
import {
  type ChannelCall,
  createTransactions,
  type Decision,
  type FateAt,
  type TransactionRules,
} from '../../../../services/payments/channels/transactions.ts';
import type { Reservation } from '../../../../services/payments/signer/gas-budget.ts';
import { type BeforeSending, NotSentError } from '../../../../services/payments/signer/transaction-sender.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { awaitReceipt, createWallet } from '../../../kit/chain.ts';
import { contextOf } from '../../../kit/context-of.ts';
import { createMemoryRecords, signedOnce } from './memory-records.ts';
import { CONFIRMATIONS, hex32, PAY_TO, type startWatchedChain } from './watched-chain.ts';

type WatchedChain = Awaited<ReturnType<typeof startWatchedChain>>;

/** No transactions have these hashes. */
export const [OWN, NEWER] = [hex32(0xc1), hex32(0xc2)];
export const NEW = { id: 'deposit:1', kind: 'deposit', request: '{}', fromBlock: 100n } as const;
export const CALL: ChannelCall = { data: '0x12', vouchers: [], accounts: [PAY_TO, 'code'] };

export interface Setting {
  readonly estimated?: bigint | Error;
  readonly simulated?: boolean;
  readonly reservation?: Reservation;
  /** Sends, after it has signed with these nonces. */
  readonly nonces?: readonly number[];
  readonly sendFails?: Error;
  readonly signFails?: boolean;
  readonly releaseFails?: boolean;
  readonly endFails?: number;
  readonly decision?: Decision | Error;
  readonly onMined?: () => Promise<void>;
  readonly confirmations?: number;
}

/** Transactions of a signer of its own. */
export async function openTransactions(chain: WatchedChain, setting: Setting = {}) {
  const { estimated = 100_001n, simulated = true, reservation = 'new', nonces = [5], decision = 'wait' } = setting;
  const wallet = createWallet();
  await chain.node.setBalance({ address: wallet.address, value: 10n ** 18n });
  const memory = createMemoryRecords();
  const [asked, counted, hastened]: [unknown[], string[], Hex[]] = [[], [], []];
  const [ends, locked]: [string[], string[]] = [[], []];
  const fates: FateAt[] = [];
  const clock = { ms: 0 };
  const rules: TransactionRules = {
    async decide(_transaction, at) {
      fates.push(at);
      if (decision instanceof Error) throw decision;
      return decision;
    },
    isLostByCode: async (_transaction, { fate }) => (fate === 'mined' ? false : undefined),
    async beforeEnding({ id }) {
      ends.push(`before ${id} ${memory.known.get(id)?.ending?.state}`);
      if (ends.length <= (setting.endFails ?? 0)) throw new Error('no database');
    },
    afterEnding: async ({ id }) => void ends.push(`after ${id} ${memory.known.get(id)?.ending?.state}`),
  };
  const { sign } = memory.records;
  memory.records.sign = async (transaction, given) => {
    if (setting.signFails) throw new Error('no database');
    await sign(transaction, given);
  };
  const transactions = createTransactions(
    contextOf<TransactionsContext>({
      rpc: chain.rpc,
      blocks: createConfirmedBlocks({ rpc: chain.rpc, confirmations: setting.confirmations ?? CONFIRMATIONS }),
      records: memory.records,
      sender: {
        address: wallet.address,
        async simulate(request) {
          asked.push(request);
          return simulated ? { success: true, data: '0x' } : { success: false, message: 'no' };
        },
        async estimateGas(call) {
          asked.push(call);
          if (estimated instanceof Error) throw estimated;
          return estimated;
        },
        async price(gas) {
          if (setting.sendFails) throw setting.sendFails;
          return 3n * gas;
        },
        async send(_request, before?: BeforeSending) {
          for (const nonce of nonces) {
            try {
              await before?.(hex32(nonce), { signer: OWN, nonce, serialized: '0x02' });
            } catch (cause) {
              throw new NotSentError('nothing was sent', { cause });
            }
          }
          if (setting.sendFails) throw setting.sendFails;
          return OWN;
        },
        async hasten(hash, before?: BeforeSending) {
          hastened.push(hash);
          await before?.(NEWER, { signer: OWN, nonce: 5, serialized: '0x03' });
          return NEWER;
        },
      },
      gasBudget: {
        hasRoom: async () => reservation !== 'refused',
        async reserve({ cause, accounts, limit }) {
          counted.push(`reserve ${cause} ${accounts} ${limit}`);
          return reservation;
        },
        async end(cause, gas, ofCode) {
          counted.push(`end ${cause} ${gas} ${ofCode}`);
          if (setting.releaseFails) throw new Error('no database');
        },
      },
      rules: { deposit: rules, claim: rules, refund: rules },
      lock(name, work) {
        locked.push(name);
        return work();
      },
      onMined: setting.onMined,
      now: () => clock.ms,
      logger: createLogger({ name: 'test', level: 'silent' }),
    }),
  );
  /** A signed transaction of the signer. The contract reverts one with other data than none. */
  const signed = (nonce: number, { reverts = false } = {}): Promise<Hex> =>
    wallet.signTransaction({
      ...{ chainId: 31337, type: 'eip1559', nonce, gas: 100_000n, maxFeePerGas: 10n ** 10n },
      ...(reverts ? { to: SETTLEMENT, data: '0x12345678' } : { to: PAY_TO }),
    });
  return {
    ...{ memory, transactions, asked, counted, hastened, ends, locked, fates, clock, signer: wallet.address, signed },
    /** Mines a transaction of the signer. */
    async mine(nonce: number, options: { readonly reverts?: boolean } = {}) {
      const serializedTransaction = await signed(nonce, options);
      const hash = await chain.node.sendRawTransaction({ serializedTransaction });
      const { status, gasUsed } = await awaitReceipt(chain.node, hash);
      if ((status === 'reverted') !== (options.reverts === true)) throw new Error(`the transaction is ${status}`);
      return { hash, gasUsed };
    },
    /** Stores a transaction that was signed with the first nonce. */
    put: (changes: Partial<ChannelTransaction> = {}) =>
      memory.put({ ...signedOnce(NEW, OWN, { nonce: 0 }), ...changes }),
    follow: (untilMs = 0) => transactions.follow(NEW.id, untilMs),
    start: (call: Partial<ChannelCall> = {}, changes = {}) =>
      transactions.start({ ...NEW, ...changes }, { ...CALL, ...call }),
  };
}
