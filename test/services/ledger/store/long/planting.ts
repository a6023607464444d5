import { toolEnvironment } from '../../../../../scripts/checks/run-checks.ts';
import { createTestRuns } from '../../../../../scripts/lab/mutate/test-runs.ts';
import { LEDGER_FUNCTIONS } from '../../../../../services/store/ledger-functions.ts';
import { adminUrlOf, connected } from '../../../../kit/owned-database.ts';
import { startSharedPostgres } from '../../../../kit/test-database.ts';

/** The changed function cannot run, so that any test would fail: the fault is not one that somebody overlooks. */
const BROKEN = /syntax error|(?:column|function|operator) .+ does not exist|is ambiguous/;

/**
 * Starts a server whose databases have a changed function of the ledger, and runs test files on it. The name of the functions'
 * schema stays, so the tests need no copy of the checkout.
 */
export async function openPlanting(root: string) {
  const { url, environment, stop } = await startSharedPostgres();
  const runs = createTestRuns(root, { ...toolEnvironment(root), ...environment });
  /** The tests copy this database, so nobody may be connected to it while they run. */
  const create = (text: string) =>
    connected(adminUrlOf(url), (admin) =>
      admin.query(text.replace('CREATE', 'CREATE OR REPLACE').replaceAll(/:release\b/g, LEDGER_FUNCTIONS)),
    );
  return {
    stop,
    /** Runs each file without a change. @throws if a test fails */
    async pass(paths: readonly string[]): Promise<void> {
      for (const path of paths) {
        if ((await runs.pass(path)) === undefined) throw new Error(`${path} fails without a change`);
      }
    },
    /** The first test that fails with a changed function; undefined if none does. The files run one after the other. */
    async find(original: string, changed: string, paths: readonly string[]): Promise<string | undefined> {
      await create(changed);
      try {
        for (const path of paths) {
          const { ok, output } = await runs.run(path);
          const broken = BROKEN.exec(output);
          if (broken !== null) throw new Error(`the changed function cannot run: ${broken[0]}`);
          if (!ok) return /^not ok \d+ - (.+)$/m.exec(output)?.[1] ?? `${path} does not end`;
        }
        return undefined;
      } finally {
        await create(original);
      }
    },
  };
}
