import { setTimeout as delay } from 'node:timers/promises';
import type { Hex } from 'viem';
import { readKeyFile } from '../../../../services/verification/contract/proof/key-file.ts';
import { verifyProofFile } from '../../../../services/verification/contract/proof/verify-proof-file.ts';
import { createApi } from '../../../cli/try/api.ts';
import type { Books } from '../run/books.ts';
import type { Product } from '../run/product.ts';
import { readChain } from './chain.ts';
import { reconcileChannels } from './channels.ts';
import { reconcilePayments } from './payments.ts';
import type { Stores } from './stores.ts';
import { reconcileTrials } from './trials.ts';

/** Longer than the validity of a signed payment. */
const QUIET_MS = 300_000;
const LOOK_MS = 2000;

/** Waits until the sweeps have resolved all obligations and reservations. Any that remain are a contradiction. */
export async function untilQuiet(books: Books, stores: Stores): Promise<void> {
  const end = performance.now() + QUIET_MS;
  for (;;) {
    const [obligations, { pending }, unclaimed] = await Promise.all([
      stores.obligations(),
      stores.audit(),
      stores.unclaimed(),
    ]);
    if (obligations.length === 0 && pending === 0 && unclaimed === 0) return;
    if (performance.now() > end) {
      return books.contradict('the sweeps did not resolve everything', { obligations, pending, unclaimed });
    }
    await stores.hasten();
    await delay(LOOK_MS);
  }
}

/** Compares the clients' answers with the data of the product and the chain. */
export async function reconcile(product: Product, books: Books, stores: Stores): Promise<void> {
  const retained = await stores.retained();
  await reconcileTrials(books, stores, retained);
  const [claim] = await stores.claims();
  if (claim !== undefined) {
    const chain = await readChain(product.chainUrl, `0x${claim.asset.replace(/^0x/, '')}` satisfies Hex);
    await reconcilePayments({ books, stores, chain, retained });
    await reconcileChannels({ books, stores, chain });
  }
  await reconcileProofs(product, books);
}

/** Checks that every issued proof can still be downloaded and verified. */
async function reconcileProofs({ origins: [origin], keys }: Product, books: Books): Promise<void> {
  const api = createApi(origin, keys.reader);
  const logKeys = await readKeyFile(await api.download('/api/v1/log/keys'));
  for (const proof of books.proofs) {
    const file = await api.download(`/api/v1/proofs/${proof.proofId}`).catch((error: unknown) => String(error));
    const verdict = typeof file === 'string' ? { ok: false, message: file } : await verifyProofFile(file, logKeys);
    if (!verdict.ok) books.contradict('a proof that was issued does not verify', { proof, verdict });
  }
}
