import { attest } from '../../../../services/backoffice/retention/retention.ts';
import type { Ledger } from '../../../../services/ledger/contract/ledger.ts';
import { createRedisLedger } from '../../../../services/ledger/redis/redis-ledger.ts';
import { type ChannelsClient, createChannelsClient } from '../../../../services/payments/contract/channels-client.ts';
import type { Database } from '../../../../services/store/database.ts';
import { recordAct } from '../../../../services/store/operator-acts.ts';
import { withPaymentsService } from '../payments/payments-service.ts';
import { ledgerRedisUrl } from '../stores/operator-redis.ts';
import { CommandError, type Terminal } from '../terminal/command.ts';
import { operatorOf, requireReason } from '../terminal/operator.ts';

/** Runs `work` with the channels' client of the payments service. @throws {CommandError} with the message of the service */
export const withChannels = <Result>(
  terminal: Pick<Terminal, 'environment'>,
  work: (channels: ChannelsClient) => Promise<Result>,
): Promise<Result> => withPaymentsService(terminal, createChannelsClient, work);

/** Opens the ledger of a network for writing. @throws {CommandError} while it may not be used */
export async function withChannelLedger<Result>(
  { environment }: Pick<Terminal, 'environment'>,
  { database, network }: { readonly database: Database; readonly network: string },
  work: (ledger: Ledger) => Promise<Result>,
): Promise<Result> {
  const ledger = createRedisLedger({
    url: ledgerRedisUrl(environment),
    network,
    isDurabilityVouched: environment['LEDGER_DURABILITY_VOUCHED'] === 'true',
    attest: (position) => attest(database, { network, ...position }),
  });
  try {
    const ready = await ledger.check();
    if (!ready.ok) throw new CommandError(`the ledger may not be used: ${ready.reason}`);
    return await work(ledger);
  } finally {
    await ledger.close();
  }
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
