import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';
import { ContentServiceClient, ContentServiceService } from '../../../../proto/gen/tollhouse/content/v1/content.ts';
import { JobsServiceService } from '../../../../proto/gen/tollhouse/jobs/v1/jobs.ts';
import { openChannels } from '../../../../services/platform/grpc/grpc-client.ts';
import { startGrpcServer, unary } from '../../../../services/platform/grpc/grpc-server.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { findSymbol, listServices } from '../../../kit/reflect.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const DAY_MS = 86_400_000;

async function startServer(t: ExecutionContext) {
  const folder = createTestFolder();
  const server = await startGrpcServer({
    listen: `unix:${join(folder.runDir, 'content.sock')}`,
    service: ContentServiceService,
    implementation: { convertHtml: unary(logger, async () => ({ markdown: '', markdownCharacters: 0 })) },
    besides: [
      {
        service: JobsServiceService,
        implementation: {},
      },
    ],
    logger,
  });
  const client = new ContentServiceClient(server.address, credentials.createInsecure());
  t.teardown(async () => {
    client.close();
    await server.close();
    folder.remove();
  });
  return { server, client };
}

test('both versions of reflection list the served services alone, and return their descriptors', async (t) => {
  const { client } = await startServer(t);
  for (const version of ['v1', 'v1alpha']) {
    // Simultaneous first calls load the descriptors once.
    const [services, file, unknown] = await Promise.all([
      listServices(client, version),
      findSymbol(client, 'tollhouse.content.v1.ContentService.ConvertHtml', version),
      findSymbol(client, 'tollhouse.content.v1.NoSuchService', version),
    ]);
    // The contract of jobs imports that of verification.
    t.deepEqual(services, [
      'grpc.health.v1.Health',
      'tollhouse.content.v1.ContentService',
      'tollhouse.jobs.v1.JobsService',
    ]);
    t.true(file.includes('ConvertHtmlRequest'));
    t.true(unknown.includes('not found'));
  }
});

test('a call with a deadline beyond the range of a timer does not end at once', async (t) => {
  const folder = createTestFolder();
  const deadlines: number[] = [];
  const server = await startGrpcServer({
    listen: `unix:${join(folder.runDir, 'content.sock')}`,
    service: ContentServiceService,
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
