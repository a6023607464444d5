import type { ParseArgsOptionsConfig } from 'node:util';
import { CommandError, parseArguments, UUID } from '../terminal/command.ts';

/** Reads the options and the id of a claim. @throws {CommandError} with the usage */
export function readClaimArguments<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  const { values, positionals } = parseArguments(args, options, usage);
  const [claimId, ...rest] = positionals;
  if (claimId === undefined || rest.length > 0) throw new CommandError(usage, 2);
  if (!UUID.test(claimId)) throw new CommandError('CLAIM_ID is the id of a claim: see payments list', 2);
  return { values, claimId };
}

/** Reads options without positional arguments. @throws {CommandError} with the usage */
export function readOptions<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage: string,
) {
  const { values, positionals } = parseArguments(args, options, usage);
  if (positionals.length > 0) throw new CommandError(usage, 2);
  return values;
}
