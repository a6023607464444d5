import type { RedisClient } from '../platform/redis/redis-client.ts';
import { RedisReplyError } from '../platform/redis/redis-replies.ts';
import type { OverdueReservation } from './contract/ledger.ts';
import { callOnce } from './redis/function-calls.ts';
import { readOverdue, readTotals, readWallets } from './redis/ledger-replies.ts';

const TIMEOUT_MS = 5000;
/** Later than every deadline of a reservation. */
const ANY_DEADLINE_MS = 86_400_000;
const SCAN_KEYS = 1000;

/** The account of a wallet. All amounts are micro-USD. */
export interface WalletAccount {
  readonly balanceMicroUsd: bigint;
  readonly reservedMicroUsd: bigint;
  readonly spentMicroUsd: bigint;
  /** Number of the journal entry that changed it last. */
  readonly sequence: bigint;
}

/** How many wallets of one network of clients got the free credit today, by the UTC day of Redis. */
export interface ScopeGrants {
  /** IPv4 /24 or IPv6 /48, such as 192.0.2.0/24. */
  readonly scope: string;
  readonly grants: number;
}

/** What operators see of the ledger, and may reset. It also works while trials are refused. */
export interface LedgerInspection {
  /** Undefined for a wallet that never reserved anything. */
  wallet(address: string): Promise<WalletAccount | undefined>;
  /** Open reservations, the oldest deadline first. */
  pending(limit: number): Promise<readonly OverdueReservation[]>;
  /** Today's grants by scope, the most first. Only scopes that a limit applies to are counted. */
  grants(): Promise<readonly ScopeGrants[]>;
  /** Sets today's count of a scope to 0. Balances stay. @returns the count before; undefined if it has none */
  resetGrants(scope: string): Promise<number | undefined>;
}

/**
 * @param client a connected client
 * @param network CAIP-2
 */
export function inspectLedger(client: RedisClient, network: string): LedgerInspection {
  const call = { client, prefix: `tollhouse:{${network}}:`, timeoutMs: TIMEOUT_MS };
  const readGrantsPrefix = async () => `${call.prefix}grants:${readTotals(await callOnce(call, 'totals', [''])).day}:`;
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
    async grants() {
      const grantsPrefix = await readGrantsPrefix();
      const counts = new Map<string, number>();
      for await (const keys of client.scanIterator({ MATCH: `${escapePattern(grantsPrefix)}*`, COUNT: SCAN_KEYS })) {
        const texts = keys.length === 0 ? [] : await client.mGet(keys);
        for (const [index, key] of keys.entries()) {
          const text = texts[index];
          // A scan may return a key twice, and a key may expire in between.
          if (text) counts.set(key.slice(grantsPrefix.length), readCount(text));
        }
      }
      return Array.from(counts, ([scope, grants]) => ({ scope, grants })).toSorted(
        (a, b) => b.grants - a.grants || a.scope.localeCompare(b.scope),
      );
    },
    async resetGrants(scope) {
      const text = await client.getDel(`${await readGrantsPrefix()}${scope}`);
      return text === null ? undefined : readCount(text);
    },
  };
}

/** Braces, and other characters that patterns of Redis use, taken literally. */
const escapePattern = (text: string): string => text.replaceAll(/[\\*?[\]^]/g, '\\$&');

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count)) return count;
  throw new RedisReplyError('the grants of a scope', text);
}
