import { join } from 'node:path';
import test from 'ava';
import { ContentServiceClient, ContentServiceService } from '../../../../proto/gen/tollhouse/content/v1/content.ts';
import { openChannels } from '../../../../services/platform/grpc/grpc-client.ts';
import { startGrpcServer, unary } from '../../../../services/platform/grpc/grpc-server.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { createTestFolder } from '../../../helpers/test-folder.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const DAY_MS = 86_400_000;

test('a call with a deadline beyond the range of a timer does not end at once', async (t) => {
  const folder = createTestFolder();
  const deadlines: number[] = [];
  const server = await startGrpcServer({
    listen: `unix:${join(folder.runDir, 'content.sock')}`,
    service: ContentServiceService,
    serviceName: 'tollhouse.content.v1.ContentService',
    protoFile: 'tollhouse/content/v1/content.proto',
    implementation: {
      convertHtml: unary(logger, async (_request, { deadlineMs, signal }) => {
        deadlines.push(deadlineMs);
        await new Promise(setImmediate);
        signal.throwIfAborted();
        return { markdown: '', markdownCharacters: 0 };
      }),
    },
    logger,
  });
  const channels = openChannels(ContentServiceClient, server.address);
  t.teardown(async () => {
    channels.close();
    await server.close();
    folder.remove();
  });
  const startedMs = Date.now();
  // Two are below 2^31 ms, one is above 2^31 ms, one is above 2^32 ms, and the client sends the last one in minutes.
  const days = [1, 20, 30, 50, 2000];
  for (const count of days) {
    await channels.call((client) => client.convertHtml, { html: '' }, { timeoutMs: count * DAY_MS });
  }
  const found = deadlines.map((deadlineMs) => Math.round((deadlineMs - startedMs) / DAY_MS));
  t.deepEqual(found, [1, 20, 25, 25, 25]);
});
