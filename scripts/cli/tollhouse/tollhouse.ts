import { type Command, CommandError, type Terminal } from './command.ts';

const USAGE = `usage: npm run tollhouse -- COMMAND

  tenant create NAME            a tenant, and a key of each role
  tenant key TENANT ROLE [--scope crm.email] [--group NAME]
                                another key: agent, approver or reader; with the scope, one that sees users' addresses;
                                keys of one group, or of the key whose id is NAME, share the executions that they begin
  tenant list                   tenants and their keys
  tenant revoke KEY_ID          ends a key
  users import TENANT FILE      users of a tenant, in the place of those before: JSON lines, id name email active
  users list TENANT             those users, as they are imported
  users clear TENANT            takes them all out
  freeze on|off                 stops writes that move money, or lets them go on
  plan lint FILE [--sheet FILE]...
                                whether a plan means something, and some run obeys it
  verify-proof FILE --keys KEYS [--records FILE] [--checkpoint FILE [--consistency FILE]]
                                verifies a proof offline; with the records, every verdict again.
                                Exit code 1: not valid; 3: the verdicts are of an engine that this version lacks

Those of tenants, users and the freeze work on DATABASE_URL, or on the database of the sandbox that runs on TOLLHOUSE_DATA.`;

/** Each with what it needs, and no other's. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['tenant', async () => (await import('./tenant.ts')).tenant],
  ['users', async () => (await import('./users.ts')).users],
  ['freeze', async () => (await import('./freeze.ts')).freeze],
  ['plan', async () => (await import('./lint-plan.ts')).lintPlan],
  ['verify-proof', async () => (await import('./verify-proof.ts')).verifyProof],
]);

/** @throws {CommandError} for what the operator is to be told; whatever else goes wrong */
export async function runTollhouse([name = '', ...args]: readonly string[], terminal: Terminal): Promise<void> {
  const command = COMMANDS.get(name);
  if (command === undefined) throw new CommandError(USAGE, 2);
  await (await command())(args, terminal);
}

/** What the operator is told of an error, and the exit code. */
export function reportOf(error: unknown): { readonly message: unknown; readonly exitCode: number } {
  const isTold = error instanceof CommandError || typeof (error as NodeJS.ErrnoException).code === 'string';
  return {
    message: isTold ? (error as Error).message : error,
    exitCode: error instanceof CommandError ? error.exitCode : 1,
  };
}
