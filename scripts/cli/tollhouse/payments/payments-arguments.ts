import { CommandError, UUID } from '../../terminal/command.ts';

/** @returns the id. @throws {CommandError} if the text is not the id of a claim */
export function readClaimId(text: string): string {
  if (!UUID.test(text)) throw new CommandError('CLAIM_ID is the id of a claim: see payments list', 2);
  return text;
}
