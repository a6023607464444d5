import { randomBytes } from 'node:crypto';
import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { BackofficeServiceService } from '../../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import { createBackofficeClient } from '../../../../services/backoffice/contract/client.ts';
import { createBodyCipher } from '../../../../services/backoffice/retention/body-cipher.ts';
import { checkRetention, createPartitions } from '../../../../services/backoffice/retention/partitions.ts';
import { readCall } from '../../../../services/backoffice/retention/sealed-bodies.ts';
import { createBackofficeService } from '../../../../services/backoffice/service.ts';
import { startGrpcServer } from '../../../../services/platform/grpc/grpc-server.ts';
import { MAX_ANSWER_BYTES, MAX_REQUEST_BYTES } from '../../../../services/platform/grpc/size-limits.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import type { NamedKey } from '../../../../services/platform/process/named-keys.ts';
import { migrate } from '../../../../services/store/database.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { HANG_MS } from '../../../kit/until.ts';
import { openRetainedCalls } from './retained-calls.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const newKey = (id: string): NamedKey => ({ id, secret: randomBytes(32) });
const KEY = newKey('one');

// On a busy disk, the write of the largest call may take long.
const stores = await createTestDatabase({ connections: 16, statementTimeoutMs: 60_000 });
const { url, database } = stores;
const cipher = createBodyCipher([KEY]);
await Promise.all([migrate(url, logger), migrate(url, logger)]);
await Promise.all([createPartitions(database, Date.now()), createPartitions(database, Date.now())]);
const { retainCall, close } = openRetainedCalls(stores);
test.after.always(async () => {
  await close();
  await stores.stop();
});

// The tests are serial: the largest call keeps the process busy for longer than the others wait for a connection.
test.serial('a call of the largest size is read back over gRPC, even if it cannot be compressed', async (t) => {
  const server = await startGrpcServer({
    listen: '127.0.0.1:0',
    service: BackofficeServiceService,
    implementation: createBackofficeService({ database, cipher, logger }),
    logger,
  });
  const client = createBackofficeClient(server.address);
  t.teardown(async () => {
    client.close();
    await server.close();
  });
  const requestBody = randomBytes(MAX_REQUEST_BYTES);
  const responseBody = randomBytes(MAX_ANSWER_BYTES);
  const { recordId } = await retainCall([KEY], { requestBody, responseBody });
  const retained = await client.getRetained(recordId, { timeoutMs: HANG_MS });
  t.true(requestBody.equals(retained.requestBody));
  t.true(responseBody.equals(retained.responseBody));
});

test.serial(
  'calls of yesterday are retained, and calls of the next two days whose partitions are made early',
  async (t) => {
    const [midnight, dayMs] = [Date.UTC(2033, 4, 5), 86_400_000];
    await createPartitions(database, midnight);
    // Reserved before midnight by the clock of the gateway, and retained after it.
    for (const msecs of [midnight - dayMs, midnight - 1, midnight, midnight + 3 * dayMs - 1]) {
      const call = await retainCall([KEY], { recordId: uuidv7({ msecs }) });
      t.like(await readCall({ database, cipher }, call.recordId), { requestBody: call.requestBody });
    }
    await checkRetention(database, midnight + 3 * dayMs - 1);
    await t.throwsAsync(checkRetention(database, midnight + 3 * dayMs), { message: /20330508 does not exist/ });
  },
);
