// Every command, once: its usage, what it does, an example. No module of a command is loaded.
import type { Groups, Row } from '../terminal/program.ts';

const TENANT = '01a1ff10-ab22-7009-9a2f-8dff3c2533c4';
const RECORD = '01a20457-40fa-733c-9a8e-5c7107057ff4';
const PLAN = '[--tools <FILE>] [--sheet <FILE>]...';

const PROGRAMS: Readonly<Record<string, Row>> = {
  'start [--sources]': [
    'starts everything on this machine, with servers of its own unless settings name others, until Ctrl-C',
    async () => async () => void (await import('../../launch/main.ts')),
  ],
  'serve <PROGRAM> [--check]': [
    'runs one program: gateway, content, maps, payments, backoffice or verification',
    async () => (await import('./serve.ts')).serve,
    'gateway',
  ],
  try: ['calls the API as a new user, and prints every step'],
};

const SELLERS: Readonly<Record<string, Row>> = {
  'earnings [--by <FIELDS>] [--csv | --json]': [
    'what was sold, settled and refunded, what channels still hold, and what gas cost',
    async () => (await import('./payments/earnings.ts')).earnings,
    '--by operation,day',
  ],
  payments: ['what became of payments: list, show, refund, release, reconcile'],
  'payments list [--state <STATE>] [--payer <ADDRESS>] [--limit <N>] [--json]': [
    'lists payments, the newest first',
    async () => (await import('./payments/payments-list.ts')).listPayments,
    '--state open',
  ],
  'payments show <CLAIM_ID> [--json]': [
    'prints a payment, the answer of its caller, and what the chain says',
    async () => (await import('./payments/payments-show.ts')).showPayment,
    RECORD,
  ],
  'payments refund <CLAIM_ID> --reason <TEXT> [--transaction <HASH> | --again | --dry-run] [--json]': [
    'prints the transfer that gives a payment back, once; with a hash, records it',
    async () => (await import('./payments/payments-refund.ts')).refundPayment,
    `${RECORD} --reason "a wrong result"`,
  ],
  'payments release <CLAIM_ID> --reason <TEXT> [--json]': [
    'ends a payment without an outcome that can no longer be paid',
    async () => (await import('./payments/payments-release.ts')).releasePayment,
    `${RECORD} --reason "the payer gave up"`,
  ],
  'payments reconcile [--json]': [
    'compares the payments with the transfers of the chain since the last run',
    async () => (await import('./payments/payments-reconcile.ts')).reconcilePayments,
  ],
  channels: ['what payment channels hold and owe: list, show, claim, refund, reseal'],
  'channels list [--limit <N>] [--json]': [
    'lists payment channels, with what is charged and not claimed',
    async () => (await import('./channels/channels-list.ts')).listChannels,
  ],
  'channels show <CHANNEL_ID> [--json]': [
    'prints a channel, its latest voucher, its account and its transactions',
    async () => (await import('./channels/channels-show.ts')).showChannel,
    '0x6b2d…',
  ],
  'channels claim [CHANNEL_ID...] --reason <TEXT> [--dry-run] [--json]': [
    'claims what these channels, or all channels, were charged',
    async () => (await import('./channels/channels-claim.ts')).claimChannels,
    '--reason "the end of the month"',
  ],
  'channels refund <CHANNEL_ID> --reason <TEXT> [--amount <N>] [--dry-run] [--json]': [
    'claims what a channel was charged, and returns the rest, or N micro-USD, to its payer',
    async () => (await import('./channels/channels-refund.ts')).refundChannel,
    '0x6b2d… --reason "the payer asked"',
  ],
  'channels reseal --reason <TEXT> [--json]': [
    'seals the vouchers of channels with the first of RETENTION_KEYS',
    async () => (await import('./channels/channels-reseal.ts')).reseal,
    '--reason "the yearly new key"',
  ],
  wallet: ['the free credit of a wallet: show'],
  'wallet show <ADDRESS> [--json]': [
    'prints the free credit of a wallet',
    async () => (await import('./credit/wallet.ts')).wallet,
    '0x0f084159124531461c54ce5579c0a1faaa8dce50',
  ],
  grants: ['how many new wallets got free credit today: list, reset'],
  'grants list [--limit <N>] [--json]': [
    'prints how many new wallets of each network of clients got free credit today',
    async () => (await import('./credit/grants.ts')).listGrants,
  ],
  'grants reset <SCOPE> --reason <TEXT>': [
    'lets such a network go on today, if it has reached TRIAL_GRANTS_PER_NETWORK',
    async () => (await import('./credit/grants.ts')).resetGrants,
    '192.0.2.0/24 --reason "a conference"',
  ],
};

const OPERATORS: Readonly<Record<string, Row>> = {
  'doctor [--url <ORIGIN>] [--json]': [
    'checks configuration, servers, clocks, durability, disk, the ledger, gas and overdue work, and says what to do',
    async () => (await import('./doctor/doctor.ts')).doctor,
    '--url http://127.0.0.1:8402',
  ],
  calls: ['new paid and trial calls in every gateway: status, freeze, unfreeze, forget-key'],
  'calls status': [
    'says whether new paid and trial calls are frozen, since when, by whom and why',
    async () => (await import('./calls/calls.ts')).showCalls,
  ],
  'calls freeze --reason <TEXT>': [
    'stops new paid and trial calls in every gateway; calls that run, and settlements, go on',
    async () => (await import('./calls/calls.ts')).freezeCalls,
    '--reason "a leak"',
  ],
  'calls unfreeze --reason <TEXT>': [
    'takes new calls again',
    async () => (await import('./calls/calls.ts')).unfreezeCalls,
    '--reason "the leak is closed"',
  ],
  'calls forget-key --reason <TEXT>': [
    'after a loss of FINGERPRINT_KEY, lets the key of the next gateway count',
    async () => (await import('./calls/calls.ts')).forgetKey,
    '--reason "the file is lost"',
  ],
  reservations: ['open reservations of calls on free credit or a channel: list'],
  'reservations list [--limit <N>] [--json]': [
    'prints open reservations of calls',
    async () => (await import('./credit/reservations.ts')).reservations,
  ],
  obligations: ['executed calls whose payment is not settled yet: list, retry'],
  'obligations list [--limit <N>] [--json]': [
    'prints executed calls whose payment is not settled yet',
    async () => (await import('./records/obligations.ts')).listObligations,
  ],
  'obligations retry <RECORD_ID>': [
    'makes the payments service ask for such a settlement now',
    async () => (await import('./records/obligations.ts')).retryObligation,
    RECORD,
  ],
  jobs: ['durable jobs: list, retry'],
  'jobs list [--limit <N>] [--json]': [
    'prints durable jobs, those that have not ended first',
    async () => (await import('./records/jobs.ts')).listJobs,
  ],
  'jobs retry <JOB_ID>': [
    'makes the back office try a waiting job now',
    async () => (await import('./records/jobs.ts')).retryJob,
    RECORD,
  ],
  'acts [--subject <ID>] [--limit <N>] [--json]': [
    'prints the audit trail of operators, and checks that it was not changed',
    async () => (await import('./records/acts.ts')).acts,
    '--limit 20',
  ],
  ledger: ['the books of free credit and of channels: audit'],
  'ledger audit [--json]': [
    'checks the books of free credit and of channels, also during live traffic',
    async () => (await import('./credit/ledger.ts')).auditBooks,
  ],
  retention: ['the bodies of calls that are kept for a review, and their keys: status, show, delete, forget-key'],
  'retention status [--json]': [
    'shows which days of retained bodies are kept and until when, and what is sealed with which key',
    async () => (await import('./retention/retention-status.ts')).showRetention,
  ],
  'retention show <ID> --reason <TEXT> [--json]': [
    'prints the bodies of a call, by its X-Request-Id or the id of its record, and records that you read them',
    async () => (await import('./retention/retention-show.ts')).showBodies,
    `${RECORD} --reason "the caller complains"`,
  ],
  'retention delete --key <ID> --reason <TEXT> [--json]': [
    'after a leak, deletes the bodies that are sealed with a key; vouchers and authorizations stay',
    async () => (await import('./retention/retention-delete.ts')).deleteBodies,
    '--key k1 --reason "the key may be known"',
  ],
  'retention forget-key --key <ID> --reason <TEXT>': [
    'after a loss, lets the back office start without a key that rows need',
    async () => (await import('./retention/retention-forget-key.ts')).forgetRetentionKey,
    '--key k1 --reason "the file is lost"',
  ],
  proofs: ['the log of proofs after a restore of PostgreSQL: status, accept'],
  'proofs status [--json]': [
    'says whether the log of proofs is closed, because PostgreSQL was restored or moved',
    async () => (await import('./proofs/proofs.ts')).showLog,
  ],
  'proofs accept --reason <TEXT> [--complete | --force] [--json]': [
    'lets the log go on, under another name unless it is complete',
    async () => (await import('./proofs/proofs.ts')).acceptLog,
    '--reason "restored from the backup of Monday"',
  ],
  database: ['the database: prepare, migrate'],
  'database prepare': [
    'prints the SQL with which an administrator makes the database and its roles',
    async () => (await import('./database/database.ts')).prepareDatabase,
  ],
  'database migrate': [
    'applies what the database lacks of this release, as each process does when it starts',
    async () => (await import('./database/database.ts')).migrateDatabase,
  ],
  keys: ['the keys that real payments need: create'],
  'keys create <FOLDER>': [
    'makes the keys that real payments need, and certificates, as files, and prints the settings that name them',
    async () => (await import('./keys/keys.ts')).createKeys,
    '/etc/tollhouse/keys',
  ],
  places: ['sets of own addresses, which maps use: import, list, remove'],
  'places import <FILE...> [--name <NAME>]': [
    'reads OpenAddresses CSV, GeoJSON (one feature a line), GeoNames (.txt) or OpenStreetMap (.osm.pbf)',
    async () => (await import('./places/places.ts')).importSet,
    'vienna.csv --name vienna',
  ],
  'places list [--json]': ['prints the sets of addresses', async () => (await import('./places/places.ts')).listSets],
  'places remove <NAME>': ['removes a set', async () => (await import('./places/places.ts')).removeSet, 'vienna'],
};

const FREEZE: Row = [
  'stops the recording of writes that move money',
  async () => (await import('./tenants/writes.ts')).freezeWrites,
  '--reason "an agent errs"',
];
const UNFREEZE: Row = [
  'lets writes that move money be recorded again',
  async () => (await import('./tenants/writes.ts')).unfreezeWrites,
];

const TENANTS: Readonly<Record<string, Row>> = {
  tenant: ['tenants and their keys: create, key, list, revoke'],
  'tenant create <NAME>': [
    'creates a tenant and one key for each role',
    async () => (await import('./tenants/tenant.ts')).createWithKeys,
    'Acme',
  ],
  'tenant key <TENANT> <ROLE> [--scope <SCOPE>]... [--group <NAME>]': [
    'creates another key. ROLE is agent, approver or reader',
    async () => (await import('./tenants/tenant.ts')).addKey,
    `${TENANT} reader --scope crm.email`,
  ],
  'tenant list [--json]': [
    'lists tenants and their keys',
    async () => (await import('./tenants/tenant.ts')).listTenants,
  ],
  'tenant revoke <KEY_ID>': ['revokes a key', async () => (await import('./tenants/tenant.ts')).revoke, TENANT],
  users: ['the users of a tenant whose directory is this database: import, list, clear'],
  'users import <TENANT> <FILE>': [
    'replaces the users of a tenant. FILE has one JSON object in each line, with id, name, email and active',
    async () => (await import('./tenants/users.ts')).importUsers,
    `${TENANT} users.jsonl`,
  ],
  'users list <TENANT>': [
    'prints the users in the same format',
    async () => (await import('./tenants/users.ts')).listUsers,
    TENANT,
  ],
  'users clear <TENANT>': [
    'removes all users of a tenant',
    async () => (await import('./tenants/users.ts')).clearUsers,
    TENANT,
  ],
  tools: ['the catalogue of tools, which plans name: draft, import, list'],
  'tools draft [--mcp <URL> | --file <FILE> | --openapi <FILE>]': [
    'prints a catalogue in YAML from what describes tools, for you to complete. It imports nothing',
    async () => (await import('./tools/draft/draft.ts')).draft,
    '--mcp http://127.0.0.1:8402/api/v1/mcp > tools.yaml',
  ],
  'tools import <FILE> [--tenant <TENANT>] [--reason <TEXT>]': [
    'describes tools for all tenants, or for one. FILE is tools.yaml, or descriptions in JSON',
    async () => (await import('./tools/tools.ts')).importFile,
    'tools.yaml',
  ],
  'tools list [--tenant <TENANT>] [--json]': [
    'lists the descriptions for all tenants, or those that count for one',
    async () => (await import('./tools/tools.ts')).listDescriptions,
  ],
  writes: ['writes that move money: freeze, unfreeze'],
  'writes freeze [--reason <TEXT>]': FREEZE,
  'writes unfreeze [--reason <TEXT>]': UNFREEZE,
};

const AUTHORS: Readonly<Record<string, Row>> = {
  plan: ['plans: lint, explain, test, diff, compile, table and tools need no server; run does'],
  [`plan lint <FILE> ${PLAN}`]: [
    'checks a plan, and whether any run can obey it',
    async () => (await import('./plans/lint-plan.ts')).lintPlan,
    'plan.yaml --tools tools.yaml',
  ],
  [`plan explain <FILE> [--before <FILE>] [--all] ${PLAN}`]: [
    'prints what its approver reads, as Markdown',
    async () => (await import('./plans/plan.ts')).explain,
    'plan.yaml --tools tools.yaml',
  ],
  [`plan test <FILE> [--runs <FILE>] ${PLAN}`]: [
    'verifies the runs of FILE.runs.yaml, each of which must get its expected verdict',
    async () => (await import('./plans/test-plan.ts')).testPlan,
    'plan.yaml --tools tools.yaml',
  ],
  [`plan run <FILE> [--runs <FILE>] [--url <ORIGIN>] [--agent-key <KEY>] [--approver-key <KEY>] ${PLAN}`]: [
    'plays the runs of FILE.runs.yaml against a server, which records them. No tool is called',
    async () => (await import('./plans/run-plan.ts')).runPlan,
    'plan.yaml --tools tools.yaml',
  ],
  [`plan diff <BEFORE> <AFTER> ${PLAN}`]: [
    'prints in words how the second plan differs from the first',
    async () => (await import('./plans/plan.ts')).diff,
    'old.yaml new.yaml --tools tools.yaml',
  ],
  [`plan compile <FILE> ${PLAN}`]: [
    'prints the canonical form of a plan in YAML',
    async () => (await import('./plans/plan.ts')).compile,
    'plan.yaml --tools tools.yaml',
  ],
  'plan table <FILE> --columns <TYPES>': [
    'prints the rows of a CSV file as JSON lines, the table of a plan',
    async () => (await import('./plans/plan.ts')).table,
    "paid.csv --columns '{ invoice: string(64), amount: decimal(2) }'",
  ],
  'plan tools <FILE>': [
    'prints the canonical form of a catalogue in YAML',
    async () => (await import('./plans/plan.ts')).compileCatalogue,
    'tools.yaml',
  ],
  'verify-proof <FILE> --keys <FILE> [--records <FILE>] [--checkpoint <FILE>] [--consistency <FILE>]': [
    'verifies a proof offline',
    async () => (await import('./proofs/verify-proof.ts')).verifyProof,
    'proof.json --keys keys.json --records records.json',
  ],
};

export const COMMANDS: Groups = {
  'To run it': PROGRAMS,
  'For sellers': SELLERS,
  'For operators of the product': OPERATORS,
  'For tenants of verified execution': TENANTS,
  'For authors of plans and readers of proofs': AUTHORS,
  'For your shell': {
    'completion <SHELL>': [
      'prints what lets bash or zsh complete commands and options',
      async () => (await import('./completion.ts')).completionOf(COMMANDS),
      'bash',
    ],
  },
  '': {
    freeze: ['the old spelling of writes freeze and writes unfreeze'],
    'freeze on [--reason <TEXT>]': FREEZE,
    'freeze off [--reason <TEXT>]': UNFREEZE,
  },
};

export const MEANINGS: Readonly<Record<string, string>> = {
  '--agent-key <KEY>': 'of the tenant; otherwise TOLLHOUSE_AGENT_KEY, or that of the local sandbox (TOLLHOUSE_DATA)',
  '--again': 'the transfer was printed before, was not sent, and nobody can send it any more',
  '--all': 'also the steps, their evidence and the tables',
  '--amount <N>': 'micro-USD to return',
  '--approver-key <KEY>': 'of the same tenant; otherwise TOLLHOUSE_APPROVER_KEY, or that of the local sandbox',
  '--before <FILE>': 'an earlier plan, from which it differs',
  '--by <FIELDS>': 'sum by these of operation,scheme,day,network; by network,scheme if not given',
  '--check': 'print what is wrong with its settings, as JSON, and start nothing',
  '--checkpoint <FILE>': 'an older checkpoint: check that the log was not rewritten',
  '--columns <TYPES>': 'the types of the columns, as in the plan',
  '--complete': 'no commit is missing, and the log keeps its name',
  '--consistency <FILE>': 'the proof that leads from the older checkpoint',
  '--csv': 'print comma-separated values',
  '--dry-run': 'make all checks, print who gets how much and what gas costs, and sign, store and send nothing',
  '--file <FILE>': "a list of tools in JSON, such as the result of MCP's tools/list",
  '--force': 'the restore was not noticed, as of a copy of a volume',
  '--group <NAME>': 'keys of one group share the executions that they start; may also be the id of a key',
  '--json': 'print one JSON document',
  '--key <ID>': 'the id of a key, as retention status prints it',
  '--keys <FILE>': 'the public keys of the issuer and of the log',
  '--limit <N>': 'how many rows to print, 100 if not given',
  '--mcp <URL>': 'an MCP server with Streamable HTTP',
  '--name <NAME>': 'the set that is replaced, once the new one is complete; the name of the file if not given',
  '--openapi <FILE>': 'an OpenAPI 3 document in JSON: one tool for each operation',
  '--payer <ADDRESS>': 'only those of this payer',
  '--reason <TEXT>': 'why, for the audit trail',
  '--records <FILE>': 'compute every verdict again from these',
  '--runs <FILE>': 'another file of runs',
  '--scope <SCOPE>': "crm.email lets the key read users' addresses",
  '--sheet <FILE>': 'a sheet that the plan uses',
  '--sources': 'in a checkout, run the sources, so that stack traces have their lines',
  '--state <STATE>': 'only those that are open, settled, final, lost, refunding, refunded, failed or released',
  '--subject <ID>': 'only acts on this payment, channel, job …',
  '--tenant <TENANT>': 'for this tenant',
  '--tools <FILE>': 'the catalogue: tools.yaml',
  '--transaction <HASH>': 'of the transfer that you sent',
  '--url <ORIGIN>': 'the gateway; that of TOLLHOUSE_URL, or of this machine, if not given',
};

export const ENVIRONMENT = `A command with --help says what it takes, with an example. "tenant list" prints the ids of tenants and keys.

The commands for servers use DATABASE_URL and REDIS_URL, or the servers of the local sandbox (TOLLHOUSE_DATA). retention
and channels also use RETENTION_KEYS, and retention RETENTION_DAYS: give them those of the back office.
places uses the folder MAPS_PLACES, which the maps service must have too.
payments and channels also ask the payments service of PAYMENTS_URL, which holds the keys.
TOLLHOUSE_OPERATOR names the operator for the audit trail; the user of this machine by default.

Exit codes: 0 success; 1 failure, such as a proof that is not valid; 2 wrong arguments; 3 the proof is valid, but this
version lacks the engine that made its verdicts.`;
