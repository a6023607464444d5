// Pays for a call, and dies when the answer to its payment has come, before it can use it. Arguments: origin, key, folder, input,
// and a deposit if a channel pays.
import { privateKeyToAccount } from 'viem/accounts';
import { createClient } from '../../../gateway/client/client.ts';
import { createFileStore } from '../../../gateway/client/file-store.ts';
import { isBytes32 } from '../../../services/payments/payment/hex.ts';
import { defined } from '../../../workers/exact/defined.ts';

const [origin, key = '', folder, input, deposit] = process.argv.slice(2);
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
const maxPrice = 3000n;
const parsed = JSON.parse(defined(input));
if (deposit === undefined) await client.call('html-to-markdown', parsed, { pay: 'exact', maxPrice });
else await client.channels.open('html-to-markdown', parsed, { amount: BigInt(deposit), maxPrice });
