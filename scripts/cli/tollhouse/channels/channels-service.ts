import { type ChannelLedger, createChannelLedger } from '../../../../services/ledger/store/charge.ts';
import { readDatabaseStatus } from '../../../../services/ledger/store/status.ts';
import { createVoid, type TrialLedger } from '../../../../services/ledger/store/trial-ledger.ts';
import { createVoucherCipher, type VoucherCipher } from '../../../../services/ledger/store/voucher-cipher.ts';
import { type ChannelsClient, createChannelsClient } from '../../../../services/payments/contract/channels-client.ts';
import type { Database } from '../../../../services/store/database.ts';
import { recordAct } from '../../../../services/store/operator-acts.ts';
import { CommandError, type Terminal } from '../../terminal/command.ts';
import { operatorOf, requireReason } from '../../terminal/operator.ts';
import { withPaymentsService } from '../payments/payments-service.ts';
import { retentionKeysOf } from '../retention/retention-environment.ts';
import { withLedger } from '../stores/ledger-inspection.ts';

/** Runs `work` with the channels' client of the payments service. @throws {CommandError} with the message of the service */
export const withChannels = <Result>(
  terminal: Pick<Terminal, 'environment'>,
  work: (channels: ChannelsClient) => Promise<Result>,
): Promise<Result> => withPaymentsService(terminal, createChannelsClient, work);

export interface OpenLedger extends ChannelLedger, Pick<TrialLedger, 'void'> {
  /** The time by the clock of the database, in milliseconds since the epoch. */
  nowMs(): Promise<number>;
}

/** The cipher of vouchers with the keys of the back office. @throws {CommandError} if there are none */
export const voucherCipherOf = (terminal: Pick<Terminal, 'environment'>): VoucherCipher =>
  createVoucherCipher(retentionKeysOf(terminal));

/** Reads the keys when a voucher is opened: most refunds make no claim, and need none. */
function createLazyCipher(terminal: Pick<Terminal, 'environment'>): VoucherCipher {
  let cipher: VoucherCipher | undefined;
  const known = () => {
    cipher ??= voucherCipherOf(terminal);
    return cipher;
  };
  return { seal: (...given) => known().seal(...given), open: (...given) => known().open(...given) };
}

/** Opens the ledger of a network, beside its service, as `withLedger` does. @throws {CommandError} */
export function withChannelLedger<Result>(
  terminal: Pick<Terminal, 'environment'>,
  network: string,
  work: (ledger: OpenLedger) => Promise<Result>,
  options: { readonly discards?: boolean | undefined } = {},
): Promise<Result> {
  return withLedger(
    terminal,
    async (pool) => {
      const { fault } = await readDatabaseStatus(pool);
      if (fault !== undefined) throw new CommandError(`the ledger may not be used: ${fault}`);
      return work({
        ...createChannelLedger({ pool, network, cipher: createLazyCipher(terminal) }),
        void: createVoid({ pool, network }),
        nowMs: async () => (await readDatabaseStatus(pool)).nowMs,
      });
    },
    options,
  );
}

/** Records an act before it takes effect: it is carried out by several servers. */
export function recordChannelAct(
  terminal: Pick<Terminal, 'environment'>,
  database: Database,
  act: { readonly action: string; readonly channelIds: readonly string[]; readonly reason: string | undefined },
): Promise<void> {
  const by = { operator: operatorOf(terminal), reason: requireReason(act.reason), action: act.action, detail: {} };
  return database.transaction().execute(async (transaction) => {
    for (const subject of act.channelIds) await recordAct(transaction, { ...by, subject });
  });
}
