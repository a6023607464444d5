import { randomUUID } from 'node:crypto';
import test from 'ava';
import { requireAuthorizationKeys } from '../../../../services/payments/finality/require-authorization-keys.ts';
import { toLowerHex } from '../../../../services/payments/payment/hex.ts';
import { createNonce, createWallet } from '../../../kit/chain.ts';
import { startAndWait } from '../../../kit/start-and-wait.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';

const NETWORK = 'eip155:8453';
const PAY_TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const HOUR_S = 3600n;
const KEY = { id: 'k1', secret: Buffer.alloc(32, 1) };

const { database, url, stop } = await createTestDatabase();
test.after.always(stop);

const nowS = BigInt(Math.floor(Date.now() / 1000));
/** Stores the authorization of a new claim. */
async function keep(keyId: string, validBeforeS: bigint, network = NETWORK): Promise<void> {
  const ids = { claim_id: randomUUID(), network, valid_before_s: validBeforeS };
  const { address } = createWallet();
  const [asset, payer, now] = [toLowerHex(PAY_TO), toLowerHex(address), new Date()];
  const hashes = { digest: 'd1', fingerprint: 'f1', offer_secret_hash: 'h1', nonce: toLowerHex(createNonce()) };
  await database
    .insertInto('ledger.payment_claim')
    .values({
      ...ids,
      ...hashes,
      asset,
      payer,
      pay_to: asset,
      amount: 3000n,
      epoch: 1,
      lease_until: now,
      created_at: now,
    })
    .execute();
  await database
    .insertInto('payment_authorization')
    .values({ ...ids, key_id: keyId, sealed: Buffer.of(0) })
    .execute();
}
const need = () => requireAuthorizationKeys({ database, network: NETWORK }, [KEY]);

test.serial('the keys of authorizations that ended, or are of another network, are not needed', async (t) => {
  await keep('k1', nowS + HOUR_S);
  await keep('ended', nowS - 1n);
  await keep('other', nowS + HOUR_S, 'eip155:84532');
  await t.notThrowsAsync(need());
});

test.serial('a payments service does not start without the key of authorizations that may be sent again', async (t) => {
  await keep('gone', nowS + HOUR_S);
  await keep('gone', nowS + 2n * HOUR_S);
  const until = new Date(Number(nowS + 2n * HOUR_S) * 1000).toISOString();
  const message = `AUTHORIZATION_KEYS: the key gone is missing, and 2 authorizations are sealed with it; add it after the first key. If it is lost, start again after ${until}, when the last of them ends`;
  await t.throwsAsync(need(), { name: 'ConfigurationError', message: new RegExp(message) });
  const folder = createTestFolder();
  t.teardown(folder.remove);
  const { exitCode, output } = await startAndWait('services/payments/main.ts', {
    DATABASE_URL: url,
    TOLLHOUSE_DATA: folder.path,
    X402_FACILITATOR_URL: 'https://a.example',
    X402_PAY_TO: PAY_TO,
    AUTHORIZATION_KEYS: `k1:${KEY.secret.toString('base64')}`,
  });
  t.is(exitCode, 78, output);
  t.true(output.includes(message), output);
});
