import { formatEther } from 'viem';
import type { Estimate } from '../../../../proto/gen/tollhouse/payments/v1/operator.ts';
import type { Terminal } from '../../terminal/command.ts';
import { toJson } from '../../terminal/options.ts';
import { usdc } from './payments-fields.ts';

/** Prints what a command would do without `--dry-run`. */
export function sayEstimate(terminal: Terminal, json: boolean | undefined, estimate: Estimate): void {
  const { transfers, gas, maxCostWei } = estimate;
  if (json) {
    terminal.say(toJson({ dryRun: true, ...estimate }));
    return;
  }
  for (const { network, from, to, amount } of transfers) {
    terminal.say(`would pay  ${usdc(BigInt(amount))} to ${to} on ${network}, from ${from}`);
  }
  terminal.say(`gas        ${gas} units, at most ${formatEther(BigInt(maxCostWei))} ETH`);
  terminal.say('dry run: nothing was signed, stored or sent');
}
