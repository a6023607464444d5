// Pays for a call, and dies when the answer to its payment has come, before it can use it. Arguments: origin, key, folder, input.
import { privateKeyToAccount } from 'viem/accounts';
import { createClient } from '../../../gateway/client/client.ts';
import { createFileStore } from '../../../gateway/client/file-store.ts';
import { isBytes32 } from '../../../services/payments/payment/hex.ts';
import { defined } from '../../../workers/exact/defined.ts';

const [origin, key = '', folder, input] = process.argv.slice(2);
if (!isBytes32(key)) throw new TypeError('the key is no key');
const client = createClient({
  origin: defined(origin),
  signer: privateKeyToAccount(key),
  store: createFileStore(defined(folder)),
  fetch: async (url, init) => {
    const answer = await fetch(url, init);
    if (new Headers(init?.headers).has('payment-signature')) process.kill(process.pid, 'SIGKILL');
    return answer;
  },
});
await client.call('html-to-markdown', JSON.parse(defined(input)), { pay: 'exact', maxPrice: 3000n });
