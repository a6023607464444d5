// Who may import whom. scripts/checks/imports.ts runs it and makes sure that every source file was seen.
const IO_MODULES =
  '^(node:)?(fs|net|tls|http|https|http2|dgram|dns|child_process|cluster|inspector|repl|readline|process|os)(/|$)';

const forbid = (name, from, to) => ({ name, severity: 'error', from, to });

export default {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }),
    forbid('nothing-unresolvable', {}, { couldNotResolve: true }),
    forbid('only-declared-packages', {}, { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] }),
    forbid(
      'production-without-dev-packages',
      { path: '^(gateway|services|workers)/' },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'production-without-scripts-and-tests',
      { path: '^(gateway|services|workers)/' },
      { path: '^(scripts|test)/' },
    ),
    forbid(
      'gateway-reaches-services-over-grpc',
      { path: '^gateway/' },
      { path: '^(services|workers)/', pathNot: '^services/(ledger|shared)/' },
    ),
    forbid('services-stand-alone', { path: '^services/' }, { path: '^gateway/' }),
    forbid(
      'services-do-not-import-each-other',
      { path: '^services/([^/]+)/' },
      { path: '^services/', pathNot: '^services/($1|shared|store|ledger)/' },
    ),
    forbid(
      'services-use-workers-through-the-pool',
      { path: '^services/' },
      // Schemas of documents, how their faults are reported, and reading one value are no work for a thread.
      {
        path: '^workers/',
        pathNot:
          '^workers/((fair-)?pool|solver/(plan/(plan-schema|shape-fault)|run/(action|json-pointer))|select/request/selection-schema)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid('shared-imports-only-stubs', { path: '^services/shared/' }, { path: '^services/(?!shared/)' }),
    forbid(
      'libraries-import-no-service',
      { path: '^services/(ledger|store)/' },
      { path: '^services/(?!ledger/|store/|shared/)' },
    ),
    forbid('workers-import-only-packages', { path: '^workers/' }, { path: '^(gateway|services|proto)/' }),
    forbid('workers-do-no-io', { path: '^workers/[^/]+/' }, { dependencyTypes: ['core'], path: IO_MODULES }),
    forbid(
      'access-knows-ports-only',
      { path: '^gateway/access/' },
      { path: '(/redis-[^/]+\\.ts$|node_modules/(@redis|redlock|@grpc)/)' },
    ),
    forbid(
      'main-picks-the-adapters',
      { path: '^(gateway|services/(?!ledger/))', pathNot: '/main\\.ts$' },
      { path: '^services/ledger/redis-' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
