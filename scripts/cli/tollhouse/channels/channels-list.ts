import type { Command } from '../../terminal/command.ts';
import { readLimit, toJson } from '../../terminal/options.ts';
import { sayTable } from '../../terminal/table.ts';
import { usdc } from '../payments/payments-fields.ts';
import { withDatabase } from '../stores/operator-database.ts';
import { type ChannelRow, selectChannels } from './channels-rows.ts';

/** `channels list`. Prints channels, those with the most that is not claimed first. */
export const listChannels: Command = async (terminal, { limit: wanted, json }) => {
  const limit = readLimit(wanted);
  const found = await withDatabase(terminal, (database) => selectChannels(database, limit));
  if (json) return terminal.say(toJson(found));
  const headings = ['CHANNEL_ID', 'PAYER', 'LEFT', 'CLAIMED', 'UNCLAIMED', 'WITHDRAWING'];
  sayTable(terminal, headings, found.map(cellsOf));
};

function cellsOf({ channelId, payer, balance, totalClaimed, unclaimed, withdrawAmount }: ChannelRow) {
  const left = balance > totalClaimed ? balance - totalClaimed : 0n;
  const withdrawal = withdrawAmount === null ? '' : usdc(withdrawAmount);
  return [channelId, payer, usdc(left), usdc(totalClaimed), usdc(unclaimed), withdrawal];
}
