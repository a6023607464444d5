import type { RedisClient } from '../platform/redis/redis-client.ts';
import type { OverdueReservation } from './contract/ledger.ts';
import { callOnce } from './redis/function-calls.ts';
import { readOverdue, readWallets } from './redis/ledger-replies.ts';

const TIMEOUT_MS = 5000;
/** Later than every deadline of a reservation. */
const ANY_DEADLINE_MS = 86_400_000;

/** The account of a wallet. All amounts are micro-USD. */
export interface WalletAccount {
  readonly balanceMicroUsd: bigint;
  readonly reservedMicroUsd: bigint;
  readonly spentMicroUsd: bigint;
  /** Number of the journal entry that changed it last. */
  readonly sequence: bigint;
}

/** Reads of the ledger for operators. They also work while trials are refused. */
export interface LedgerInspection {
  /** Undefined for a wallet that never reserved anything. */
  wallet(address: string): Promise<WalletAccount | undefined>;
  /** Open reservations, the oldest deadline first. */
  pending(limit: number): Promise<readonly OverdueReservation[]>;
}

/**
 * @param client a connected client
 * @param network CAIP-2
 */
export function inspectLedger(client: RedisClient, network: string): LedgerInspection {
  const call = { client, prefix: `tollhouse:{${network}}:`, timeoutMs: TIMEOUT_MS };
  return {
    async wallet(address) {
      const [stored] = readWallets(await callOnce(call, 'wallets', [address.toLowerCase()]), 1);
      if (stored === undefined) return undefined;
      const { balance, reserved, spent, sequence } = stored;
      return {
        balanceMicroUsd: BigInt(balance),
        reservedMicroUsd: BigInt(reserved),
        spentMicroUsd: BigInt(spent),
        sequence: BigInt(sequence),
      };
    },
    pending: async (limit) => readOverdue(await callOnce(call, 'overdue', ['', `${-ANY_DEADLINE_MS}`, `${limit}`])),
  };
}
