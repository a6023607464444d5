import { usdc } from '../payments/payments-fields.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { expectArguments, type Terminal } from '../terminal/command.ts';
import { readListing, toJson } from '../terminal/options.ts';
import { type ChannelRow, selectChannels } from './channels-rows.ts';

const USAGE = 'channels list [--limit N] [--json]';

/** `channels list`. Prints channels, those with the most that is not claimed first. */
export async function listChannels(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals, limit, json } = readListing(args, USAGE);
  expectArguments(positionals, 0, USAGE);
  const found = await withDatabase(terminal, (database) => selectChannels(database, limit));
  if (json) return terminal.say(toJson(found));
  for (const channel of found) terminal.say(describe(channel));
}

function describe({ channelId, payer, balance, totalClaimed, unclaimed, withdrawAmount }: ChannelRow): string {
  const withdrawal = withdrawAmount === null ? '' : `  withdrawing ${usdc(withdrawAmount)}`;
  const left = balance > totalClaimed ? balance - totalClaimed : 0n;
  return `${channelId}  ${payer}  left ${usdc(left)}  claimed ${usdc(totalClaimed)}  unclaimed ${usdc(unclaimed)}${withdrawal}`;
}
