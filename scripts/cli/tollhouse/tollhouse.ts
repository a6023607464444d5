import { StartError } from '../../../services/platform/process/environment.ts';
import { readSecretFiles } from '../../../services/platform/process/secret-files.ts';
import { errorCodeOf } from '../../launch/parse/error-code.ts';
import { type Command, CommandError, type Terminal } from './terminal/command.ts';

const USAGE = `usage: npm run tollhouse -- COMMAND

  tenant create NAME            creates a tenant and one key for each role
  tenant key TENANT ROLE [--scope crm.email] [--group NAME]
                                creates another key. ROLE is agent, approver or reader. A key with the scope crm.email
                                can read users' addresses. Keys of one group share the executions that they start;
                                NAME may also be the id of a key
  tenant list                   lists tenants and their keys
  tenant revoke KEY_ID          revokes a key
  tools import FILE [--tenant TENANT] [--reason TEXT]
                                describes tools for all tenants, or for one. FILE is tools.yaml, or descriptions in JSON
  tools list [--tenant TENANT] [--json]
                                lists the descriptions for all tenants, or those that count for one
  users import TENANT FILE      replaces the users of a tenant. FILE has one JSON object in each line, with the fields
                                id, name, email and active
  users list TENANT             prints the users in the same format
  users clear TENANT            removes all users of a tenant
  freeze on|off [--reason TEXT]
                                stops the recording of writes that move money, or allows it again
  ledger audit [--json]         checks the books of free credit and of channels
  database prepare              prints the SQL with which an administrator makes the database and its roles
  keys create FOLDER            makes the keys that real payments need, as files, and prints the settings that name them
  proofs status [--json]        says whether the log of proofs is closed, because PostgreSQL was restored or moved
  proofs accept --reason TEXT [--complete | --force] [--json]
                                lets the log go on, under another name. --complete: no commit is missing, and the log
                                keeps its name. --force: the restore was not noticed, as of a copy of a volume
  doctor [--url ORIGIN] [--json]
                                checks configuration, servers, clocks, durability, disk, the ledger, gas and overdue
                                work, and says what to do
  calls status                  says whether new paid and trial calls are frozen, since when, by whom and why
  calls freeze|unfreeze --reason TEXT
                                stops new paid and trial calls in every gateway, or takes them again
  wallet show ADDRESS [--json]  prints the free credit of a wallet
  reservations list [--limit N] [--json]
                                prints open reservations of calls
  obligations list [--limit N] [--json]
                                prints executed calls whose payment is not settled yet
  obligations retry RECORD_ID   makes the payments service ask for such a settlement now
  grants list [--limit N] [--json]
                                prints how many new wallets of each network of clients got free credit today
  grants reset SCOPE --reason TEXT
                                lets such a network go on today, if it has reached TRIAL_GRANTS_PER_NETWORK
  jobs list [--limit N] [--json]
                                prints durable jobs
  jobs retry JOB_ID             makes the back office try a waiting job now
  acts [--subject ID] [--limit N] [--json]
                                prints the audit trail of operators, and checks that it was not changed
  payments list [--state STATE] [--payer ADDRESS] [--limit N] [--json]
                                lists payments. STATE is open, settled, final, lost, refunded, failed or released
  payments show CLAIM_ID [--json]
                                prints a payment, the answer of its caller, and what the chain says
  payments release CLAIM_ID --reason TEXT [--json]
                                ends a payment without an outcome that can no longer be paid
  payments refund CLAIM_ID --reason TEXT [--transaction HASH] [--json]
                                transfers the amount back to the payer, once; with a hash, records your own transfer
  payments reconcile [--json]   compares the payments with the transfers of the chain since the last run
  earnings [--by operation,scheme,day,network] [--csv | --json]
                                prints what was sold, settled and refunded, what channels still hold, and what gas cost
  channels list [--limit N] [--json]
                                lists payment channels, with what is charged and not claimed
  channels show CHANNEL_ID [--json]
                                prints a channel, its latest voucher, its account and its transactions
  channels claim [CHANNEL_ID]... --reason TEXT [--json]
                                claims what these channels, or all channels, were charged
  channels refund CHANNEL_ID --reason TEXT [--amount N] [--json]
                                claims what a channel was charged, and returns the rest, or N micro-USD, to its payer
  retention status [--json]     shows which days of retained bodies are kept, until when, and with which keys
  retention show ID --reason TEXT [--json]
                                prints the bodies of a call, and records that you read them. ID is the X-Request-Id of
                                the call, or the id of its record
  retention rekey --reason TEXT [--json]
                                encrypts all retained bodies and vouchers with the first of RETENTION_KEYS
  plan compile FILE [--tools FILE] [--sheet FILE]...
                                prints the canonical form of a plan in YAML. --tools names the catalogue: tools.yaml
  places import FILE... [--name NAME]
                                reads addresses, and puts them in the place of the set with that name, which is served
                                until the new one is complete. FILE is OpenAddresses CSV or GeoJSON (one feature
                                a line), or GeoNames' places or postal codes (.txt)
  places list [--json]          prints the sets of addresses
  places remove NAME            removes a set
  plan lint FILE [--tools FILE] [--sheet FILE]...
                                checks a plan, and whether any run can obey it
  plan explain FILE [--before FILE] [--tools FILE] [--sheet FILE]...
                                prints what its approver reads, as Markdown
  plan diff FILE FILE [--tools FILE] [--sheet FILE]...
                                prints in words how the second plan differs from the first
  plan test FILE [--runs FILE] [--tools FILE] [--sheet FILE]...
                                verifies the runs of FILE.runs.yaml, each of which must get its expected verdict
  plan tools FILE               prints the canonical form of a catalogue in YAML
  plan table FILE.csv --columns TYPES
                                prints the rows of a CSV file as JSON lines, the table of a plan. TYPES are those of the
                                plan, such as '{ invoice: string(64), amount: decimal(2) }'
  plan new --tools FILE [--tool NAME]... [--title TEXT] [--expires TIME] [--times N] [--limit N]
                                prints a plan to begin with. It asks what no option says
  verify-proof FILE --keys KEYS [--records FILE] [--checkpoint FILE [--consistency FILE]]
                                verifies a proof offline. With the records, it computes every verdict again. With an
                                older checkpoint, it checks that the log was not rewritten

TENANT and KEY_ID are ids that "tenant list" prints.
The commands for servers use DATABASE_URL and REDIS_URL, or the servers of the local sandbox (TOLLHOUSE_DATA). retention
and channels also use RETENTION_KEYS, and retention RETENTION_DAYS: give them those of the back office.
places uses the folder MAPS_PLACES, which the maps service must have too.
payments and channels also ask the payments service of PAYMENTS_URL, which holds the keys.
TOLLHOUSE_OPERATOR names the operator for the audit trail; the user of this machine by default.

Exit codes: 0 success; 1 failure, such as a proof that is not valid; 2 wrong arguments; 3 the proof is valid, but this
version lacks the engine that made its verdicts.`;

/** Commands by name. Each command loads only the modules that it needs. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['tenant', async () => (await import('./tenants/tenant.ts')).tenant],
  ['tools', async () => (await import('./tools/tools.ts')).tools],
  ['users', async () => (await import('./tenants/users.ts')).users],
  ['freeze', async () => (await import('./tenants/freeze.ts')).freeze],
  ['calls', async () => (await import('./calls/calls.ts')).calls],
  ['ledger', async () => (await import('./credit/ledger.ts')).ledger],
  ['database', async () => (await import('./database/database.ts')).database],
  ['keys', async () => (await import('./keys/keys.ts')).keys],
  ['proofs', async () => (await import('./proofs/proofs.ts')).proofs],
  ['doctor', async () => (await import('./doctor/doctor.ts')).doctor],
  ['wallet', async () => (await import('./credit/wallet.ts')).wallet],
  ['reservations', async () => (await import('./credit/reservations.ts')).reservations],
  ['grants', async () => (await import('./credit/grants.ts')).grants],
  ['obligations', async () => (await import('./records/obligations.ts')).obligations],
  ['jobs', async () => (await import('./records/jobs.ts')).jobs],
  ['acts', async () => (await import('./records/acts.ts')).acts],
  ['earnings', async () => (await import('./payments/earnings.ts')).earnings],
  ['payments', async () => (await import('./payments/payments.ts')).payments],
  ['channels', async () => (await import('./channels/channels.ts')).channels],
  ['retention', async () => (await import('./retention/retention.ts')).retention],
  ['places', async () => (await import('./places/places.ts')).places],
  ['plan', async () => (await import('./plans/plan.ts')).plan],
  ['verify-proof', async () => (await import('./proofs/verify-proof.ts')).verifyProof],
]);

/** @throws {CommandError} with a message for the operator; other errors are thrown as they are */
export async function runTollhouse([name, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  const command = name === undefined ? undefined : COMMANDS.get(name);
  if (command === undefined) throw new CommandError(USAGE, 2);
  const environment = { ...terminal.environment };
  readSecretFiles(environment);
  await (await command())(args, { ...terminal, environment });
}

/** Of files that an argument names and that cannot be read. */
const UNREADABLE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES']);

/** What to print for an error, and the exit code. Errors with a code, such as ENOENT, are printed without a stack. */
export function reportOf(error: unknown): { readonly message: unknown; readonly exitCode: number } {
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof StartError) return { message: error.message, exitCode: 1 };
  const code = error instanceof Error ? errorCodeOf(error) : undefined;
  return {
    message: error instanceof Error && code !== undefined ? error.message : error,
    exitCode: UNREADABLE.has(code) ? 2 : 1,
  };
}
