// Which folder may import which. main.ts checks these rules, and finds circles of folders.
import type { Paths, Reachable, Rule } from './breaches.ts';

const IO_MODULES =
  '^(node:)?(fs|net|tls|http|https|http2|dgram|dns|child_process|cluster|inspector|repl|readline|process|os)(/|$)';

const forbid = (name: string, from: Paths, to: Rule['to']): Rule => ({ name, from, to });
/** Also through other modules, and also where only a type is imported. */
const anyWay = (to: Paths): Reachable => ({ ...to, reachable: true });

/** What every process shares, and what a service shows to others. */
const OPEN_TO_ALL = 'services/(platform|[^/]+/contract)/';

/** The folders of the verification service. Each imports only those before it. */
export const VERIFICATION = [
  ...['contract', 'tenants', 'proof', 'catalogue', 'sheets', 'solver', 'users', 'records', 'limits', 'mutations'],
  ...['status', 'offline', 'operations'],
];

export const RULES: readonly Rule[] = [
  forbid('no-cycles', {}, { circular: true }),
  forbid('nothing-unresolvable', {}, { kind: 'unresolvable' }),
  forbid('only-declared-packages', {}, { kind: 'undeclared-package' }),
  forbid(
    // `npm ci --omit=dev` is enough for `npm start` and the commands.
    'production-without-dev-packages',
    // Browser modules are bundled with their packages when they are generated.
    { path: '^(gateway|services|workers|scripts/(bundles|launch|cli))/', pathNot: '^gateway/pages/browser/' },
    { kind: 'dev-package', typeOnly: false },
  ),
  forbid(
    'production-without-scripts-and-tests',
    { path: '^(gateway|services|workers)/' },
    anyWay({ path: '^(scripts|test)/' }),
  ),

  // The gateway reaches services over gRPC.
  forbid('gateway-imports-contracts', { path: '^gateway/' }, { path: '^services/', pathNot: `^${OPEN_TO_ALL}` }),
  forbid(
    'gateway-loads-no-service',
    { path: '^gateway/', pathNot: '^gateway/(main|serve)\\.ts$' },
    anyWay({ path: '^services/', pathNot: `^${OPEN_TO_ALL}` }),
  ),
  forbid('gateway-loads-no-worker', { path: '^gateway/' }, anyWay({ path: '^workers/(?!exact/|thread/)' })),
  forbid(
    'access-knows-ports-only',
    { path: '^gateway/access/' },
    { path: '(/redis-[^/]+\\.ts$|node_modules/(redis|@redis|redlock|@grpc)/)' },
  ),

  forbid('services-without-gateway', { path: '^services/' }, anyWay({ path: '^gateway/' })),
  forbid(
    'services-import-contracts',
    { path: '^services/([^/]+)/' },
    { path: '^services/', pathNot: `^(services/($1|store)/|services/ledger/(service|store)/|${OPEN_TO_ALL})` },
  ),
  forbid(
    'the-ledger-is-called-by-the-back-office-and-claims',
    { path: '^services/(?!backoffice/|ledger/|payments/claims/)' },
    { path: '^services/ledger/(service|store)/' },
  ),
  forbid(
    'contracts-import-no-service',
    { path: '^services/[^/]+/contract/' },
    anyWay({ path: '^(services|workers)/', pathNot: `^(${OPEN_TO_ALL}|workers/exact/)` }),
  ),
  forbid(
    'platform-knows-no-service',
    { path: '^services/platform/' },
    anyWay({ path: '^(services/(?!platform/)|workers/(?!thread/|exact/)|proto/)' }),
  ),
  forbid('store-knows-no-service', { path: '^services/store/' }, anyWay({ path: '^services/(?!platform/|store/)' })),
  forbid(
    // Its client has 600 modules, which would be loaded at every start.
    'services-without-redis-load-no-redis',
    { path: '^services/(content|maps|store|verification)/' },
    anyWay({ path: 'node_modules/(redis|@redis|redlock)/' }),
  ),
  forbid(
    'proofs-are-verified-without-a-database',
    { path: '^services/verification/offline/' },
    anyWay({ path: '^services/store/database\\.ts$|node_modules/(pg|kysely)/' }),
  ),
  forbid(
    // The pages verify proofs with this code. Its other imports are checked by the types of the browser's modules.
    'proofs-are-verified-in-browsers-too',
    { path: '^services/verification/contract/proof/' },
    { kind: 'core' },
  ),
  ...VERIFICATION.slice(0, -1).map((folder, index) =>
    forbid(
      `verification-${folder}-is-below-others`,
      { path: `^services/verification/${folder}/` },
      { path: `^services/verification/(?:${VERIFICATION.slice(index + 1).join('|')})/` },
    ),
  ),
  forbid(
    'services-use-workers-through-the-pool',
    { path: '^services/' },
    { path: '^workers/(?!exact/|thread/)', typeOnly: false },
  ),

  forbid('workers-import-only-packages', { path: '^workers/' }, anyWay({ path: '^(gateway|services|proto)/' })),
  forbid('exact-is-the-lowest', { path: '^workers/exact/' }, { path: '^workers/(?!exact/)' }),
  // A plan is approved by what its view says: neither the text nor an engine may color it.
  forbid(
    'plans-are-read-and-shown-without-an-engine',
    { path: '^workers/plan/' },
    anyWay({ path: '^workers/(?!exact/|plan/|thread/)' }),
  ),
  forbid(
    'plans-are-read-without-their-view',
    { path: '^workers/plan/(?!view/|authoring/)' },
    { path: '^workers/plan/view/' },
  ),
  forbid(
    'the-view-reads-no-text',
    { path: '^workers/plan/(?!text/|authoring/)' },
    anyWay({ path: '^workers/plan/text/(compile-plan|plan/|cel/parse)|node_modules/(yaml|@bufbuild/cel)/' }),
  ),
  forbid('workers-do-no-io', { path: '^workers/' }, { kind: 'core', path: IO_MODULES }),

  forbid('launch-stands-alone', { path: '^scripts/launch/' }, { path: '^(scripts/(?!launch/)|test/|gateway/)' }),
  forbid(
    'product-commands-without-tests',
    { path: '^scripts/(cli|launch)/' },
    anyWay({ path: '^(test|scripts/(lab|checks|generate))/' }),
  ),
  forbid('test-support-imports-only-launch', { path: '^test/(kit|models)/' }, { path: '^scripts/(?!launch/)' }),
];
