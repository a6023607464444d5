import {
  createSIWxMessage,
  createSIWxPayload,
  encodeSIWxHeader,
  parseSIWxHeader,
} from '@x402/extensions/sign-in-with-x';
import test from 'ava';
import { formatSiwxMessage } from '../../../../gateway/access/challenge/siwx-message.ts';
import { newAccount, openChallenger, REQUEST } from './fixture.ts';

const DOMAINS = ['127.0.0.1:8402', 'localhost:8402', '[::1]:8402', 'api.example.com'];
const CHAINS = ['eip155:31337', 'eip155:8453'];

for (const domain of DOMAINS) {
  for (const chainId of CHAINS) {
    const request = { ...REQUEST, domain, uri: `http://${domain}/api/v1/content/html-to-markdown` };

    test(`the official client signs the expected text for ${domain} on ${chainId}`, (t) => {
      const { challenger } = openChallenger();
      const { address } = newAccount();
      const info = challenger.issue(request);
      const reference = chainId.slice('eip155:'.length);
      const theirs = createSIWxMessage({ ...info, resources: [...info.resources], chainId, type: 'eip191' }, address);
      t.is(formatSiwxMessage(info, address, reference), theirs);
    });

    test(`the official client's header for ${domain} on ${chainId} verifies`, async (t) => {
      const { challenger } = openChallenger();
      const account = newAccount();
      const info = challenger.issue(request);
      const complete = { ...info, resources: [...info.resources], chainId, type: 'eip191' as const };
      const header = encodeSIWxHeader(await createSIWxPayload(complete, account, request.uri));
      t.deepEqual(challenger.verify(header, request), {
        ok: true,
        wallet: account.address,
        nonce: info.nonce,
        expirationTimeMs: Date.parse(info.expirationTime),
      });
    });
  }
}

test('the official parser accepts the proofs of our tests', async (t) => {
  const { challenger } = openChallenger();
  const account = newAccount();
  const info = challenger.issue(REQUEST);
  const complete = { ...info, resources: [...info.resources], chainId: 'eip155:8453', type: 'eip191' as const };
  const header = encodeSIWxHeader(await createSIWxPayload(complete, account, REQUEST.uri));
  t.is(parseSIWxHeader(header).nonce, info.nonce);
});
