import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../../scripts/bundles/bundle.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FUNCTIONS = 'services/ledger/sql/functions';

interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Other orders of arguments, in the functions and in the code that calls them. */
const CHANGES: readonly Change[] = [
  {
    file: `${FUNCTIONS}/reserve.sql`,
    from: 'CREATE FUNCTION :release.reserve(of_network text, grant_amount',
    to: 'CREATE FUNCTION :release.reserve(of_network text, asks jsonb, grant_amount',
  },
  {
    file: `${FUNCTIONS}/reserve.sql`,
    from: 'failures_per_hour integer, asks jsonb)',
    to: 'failures_per_hour integer)',
  },
  {
    file: 'services/ledger/store/reserve.ts',
    from: '=> [...termValues, asks]',
    to: '=> [asks, ...termValues]',
  },
  {
    file: `${FUNCTIONS}/post.sql`,
    from: 'CREATE FUNCTION :release.post(of_network text, calls jsonb, bodies bytea)',
    to: 'CREATE FUNCTION :release.post(of_network text, bodies bytea, calls jsonb)',
  },
  {
    file: 'services/ledger/store/post.ts',
    from: 'formatCall(answer.reservationId, answer),\n    parametersOf: withBodies',
    to: 'formatCall(answer.reservationId, answer),\n    parametersOf: (...asked) => withBodies(...asked).toReversed()',
  },
  {
    file: `${FUNCTIONS}/claims.sql`,
    from: 'CREATE FUNCTION :release.open_claims(of_network text, of_asset text, terms jsonb, asks jsonb)',
    to: 'CREATE FUNCTION :release.open_claims(of_network text, terms jsonb, of_asset text, asks jsonb)',
  },
  {
    file: 'services/payments/claims/postgres-claims.ts',
    from: "'open_claims', [token, TERMS, ",
    to: "'open_claims', [TERMS, token, ",
  },
];

/**
 * Builds another release of the product: its functions in PostgreSQL differ from those of this release, and each release
 * fails if it calls the functions of the other one.
 * @param folder an empty folder for its sources and bundles
 * @returns a function that finds the file from which to start a process
 */
export async function buildEarlierRelease(folder: string): Promise<(source: string) => string> {
  mkdirSync(folder, { recursive: true });
  for (const copied of ['gateway', 'services', 'package.json']) {
    cpSync(join(ROOT, copied), join(folder, copied), { recursive: true });
  }
  for (const shared of ['node_modules', 'proto', 'workers']) symlinkSync(join(ROOT, shared), join(folder, shared));
  for (const change of CHANGES) apply(join(folder, change.file), change);
  const outdir = join(folder, '.cache/bundles');
  const entryPoints = ['gateway/main.ts', 'services/payments/main.ts', 'services/backoffice/main.ts'];
  await bundle({ root: folder, outdir, entryPoints });
  return (source) => join(outdir, source.replace(/\.ts$/, '.js'));
}

function apply(path: string, { from, to }: Change): void {
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${path} does not have this text exactly once: ${from}`);
  writeFileSync(path, text.replace(from, to));
}
