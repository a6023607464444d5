import { ClaimedError, claim } from '../launch/processes/claim.ts';
import { runFolderOf } from '../launch/processes/run-folder.ts';

/** Runs `work` while no other process builds bundles of the checkout. The kernel releases the lock of a killed process. */
export async function withBuildLock<T>(root: string, work: () => Promise<T>): Promise<T> {
  const release = await waitForClaim(runFolderOf(root));
  try {
    return await work();
  } finally {
    release();
  }
}

async function waitForClaim(runDir: string): Promise<() => void> {
  for (;;) {
    try {
      return await claim(runDir, 'bundles');
    } catch (error) {
      // Each attempt takes some tenths of a second.
      if (!(error instanceof ClaimedError)) throw error;
    }
  }
}
