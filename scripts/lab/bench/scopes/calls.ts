import { runFolderOf } from '../../../launch/processes/run-folder.ts';
import { startOwnProduct } from '../../load/target/own-product.ts';
import type { Scope } from '../measure/scope.ts';
import { connectTrialCalls } from '../measure/trial-calls.ts';

const IN_FLIGHT = 16;

/** Compares a complete trial call with the same conversion through a bare route, by the same content service. */
export const calls: Scope = async () => {
  const product = await startOwnProduct();
  const contentTarget = `unix:${runFolderOf(product.dataDir)}/content.sock`;
  const { gateway, bareRoute, stop } = await connectTrialCalls({
    origin: product.origin,
    contentTarget,
    inFlight: IN_FLIGHT,
  });
  return {
    comparisons: [
      {
        title: `a page of 2 KB to Markdown, ${IN_FLIGHT} in flight`,
        ours: gateway,
        reference: bareRoute,
        target: 0.5,
      },
    ],
    async stop() {
      await stop();
      await product.stop();
    },
  };
};
