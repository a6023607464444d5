import { type Command, CommandError } from '../terminal/command.ts';
import { claimChannels } from './channels-claim.ts';
import { listChannels } from './channels-list.ts';
import { refundChannel } from './channels-refund.ts';
import { showChannel } from './channels-show.ts';

const USAGE = `usage: npm run tollhouse -- channels list [--limit N] [--json]
       npm run tollhouse -- channels show CHANNEL_ID [--json]
       npm run tollhouse -- channels claim [CHANNEL_ID]... --reason TEXT [--json]
       npm run tollhouse -- channels refund CHANNEL_ID --reason TEXT [--amount N] [--json]`;

const ACTIONS: ReadonlyMap<string, Command> = new Map([
  ['list', listChannels],
  ['show', showChannel],
  ['claim', claimChannels],
  ['refund', refundChannel],
]);

/** `channels …`: what payment channels hold and owe, and what an operator does about them. */
export const channels: Command = async ([name, ...args], terminal) => {
  const action = name === undefined ? undefined : ACTIONS.get(name);
  if (action === undefined) throw new CommandError(USAGE, 2);
  await action(args, terminal);
};
