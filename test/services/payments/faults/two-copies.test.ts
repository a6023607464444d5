import test from 'ava';
import { createClient } from 'redis';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../../services/store/database.ts';
import { createWallet, signPayment } from '../../../helpers/chain.ts';
import { until } from '../../../helpers/until.ts';
import { offerOf, present, startPayments } from '../harness.ts';
import { startSandbox } from '../test-sandbox.ts';

test('two copies that see the same loss agree on one new epoch, and both take payments again', async (t) => {
  const sandbox = await startSandbox();
  const copies = await Promise.all([startPayments({ env: sandbox.env }), startPayments({ env: sandbox.env })]);
  const logger = createLogger({ name: 'test', level: 'silent' });
  const database = openDatabase({ url: sandbox.databaseUrl, connections: 1, logger });
  const redis = await createClient({ url: sandbox.redisUrl }).connect();
  t.teardown(async () => {
    redis.destroy();
    await database.destroy();
    await Promise.all(copies.map((copy) => copy.kill()));
    await sandbox.stop();
  });
  const [first] = copies;

  const offer = offerOf(await first.terms());
  const executes = async (copy: typeof first) => {
    const wallet = createWallet();
    await copy.fund(wallet.address);
    const { outcome } = await copy.begin(present(await signPayment(wallet, offer)));
    return outcome?.$case === 'execute';
  };
  const epochs = async () => {
    const valid = await database.selectFrom('claims_witness').select('epoch').executeTakeFirstOrThrow();
    return [valid.epoch, await redis.hGet(`tollhouse:{${offer.network}}:claims`, 'epoch')];
  };
  const [before] = await epochs();
  await redis.flushAll();
  for (const copy of copies) {
    await until(() => executes(copy).catch(() => false));
  }
  const [valid, current] = await epochs();
  t.is(current, valid);
  t.not(valid, before);
  // A copy that remembers the old epoch must not end the new one at its next checks of the store.
  const checks = async () => Number(/cmdstat_config\|get:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1]);
  const wanted = (await checks()) + 6;
  await until(async () => (await checks()) >= wanted);
  for (const copy of copies) t.true(await executes(copy));
  t.deepEqual(await epochs(), [valid, valid]);
});
