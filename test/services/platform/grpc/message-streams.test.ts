import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';
import {
  ContentServiceClient,
  ContentServiceService,
  type ConvertHtmlBatchesRequest,
  type ConvertHtmlBatchesResponse,
} from '../../../../proto/gen/tollhouse/content/v1/content.ts';
import { bulkStream } from '../../../../services/platform/grpc/bulk-stream.ts';
import { CallError, openChannels } from '../../../../services/platform/grpc/grpc-client.ts';
import { type CallContext, startGrpcServer } from '../../../../services/platform/grpc/grpc-server.ts';
import { createMessageStreams } from '../../../../services/platform/grpc/message-streams.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const TIMEOUT_MS = 20_000;
const FOREVER = new Promise<never>(() => {});

type Answer = (text: string, context: CallContext) => Promise<string>;

/** A service that answers each message with a text, and a client whose messages are texts. */
async function start(t: ExecutionContext, answer: Answer, lifetimeMs?: number) {
  const folder = createTestFolder();
  const contexts = new Set<CallContext>();
  const startServer = () =>
    startGrpcServer({
      listen: `unix:${join(folder.runDir, 'content.sock')}`,
      service: ContentServiceService,
      serviceName: 'tollhouse.content.v1.ContentService',
      protoFile: 'tollhouse/content/v1/content.proto',
      implementation: {
        convertHtmlBatches: bulkStream<ConvertHtmlBatchesRequest, ConvertHtmlBatchesResponse>({
          maxUnderWay: 1,
          answer: async ({ documents }, context) => {
            contexts.add(context);
            const markdown = await answer(documents[0]?.html ?? '', context);
            return { outcomes: [{ outcome: { $case: 'result', value: { markdown, markdownCharacters: 0 } } }] };
          },
          logger,
        }),
      },
      logger,
    });
  const server = await startServer();
  const channels = openChannels(ContentServiceClient, server.address);
  const streams = createMessageStreams(() => channels.open((client) => client.convertHtmlBatches()), lifetimeMs);
  t.teardown(async () => {
    streams.close();
    channels.close();
    await server.close();
    folder.remove();
  });
  async function ask(text: string, timeoutMs = TIMEOUT_MS): Promise<string> {
    const { outcomes } = await streams.ask({ documents: [{ html: text }] }, timeoutMs);
    const [first] = outcomes;
    return first?.outcome?.$case === 'result' ? first.outcome.value.markdown : 'no result';
  }
  return { ask, server, startServer, contexts };
}

const echo: Answer = async (text) => text.toUpperCase();

test('messages one after the other use one stream, simultaneous ones a stream each', async (t) => {
  const { ask, contexts } = await start(t, echo, 86_400_000);
  for (const text of ['a', 'b', 'c']) t.is(await ask(text), text.toUpperCase());
  t.is(contexts.size, 1);
  t.deepEqual(await Promise.all(['d', 'e', 'f'].map((text) => ask(text))), ['D', 'E', 'F']);
  t.is(contexts.size, 3);
});

test('a stream ends after a while, in use or not, and the next message has another', async (t) => {
  const { ask, contexts } = await start(t, echo, 1);
  while (contexts.size < 3) t.is(await ask('a'), 'A');
});

test('a message that is not answered in time fails, and its work is cancelled', async (t) => {
  const aborted = Promise.withResolvers<void>();
  let began = false;
  const { ask } = await start(t, async (text, context) => {
    if (text !== 'slow') return echo(text, context);
    began = true;
    context.signal.addEventListener('abort', () => aborted.resolve());
    return FOREVER;
  });
  t.is(await ask('a'), 'A');
  // If the process is busy, the message is not sent in time.
  for (let timeoutMs = 25; !began; timeoutMs *= 2) {
    const error = await t.throwsAsync(ask('slow', timeoutMs), { instanceOf: CallError });
    t.is(error.status, status.DEADLINE_EXCEEDED);
  }
  await aborted.promise;
  t.is(await ask('b'), 'B');
});

test('a time limit beyond the range of a timer does not end at once', async (t) => {
  const { ask } = await start(t, echo);
  t.is(await ask('a', 50 * 86_400_000), 'A');
});

test('an error of the service is that of the message, with its code', async (t) => {
  const { ask } = await start(t, async (text, context) => {
    if (text === 'bad') throw new ServiceError('INVALID_ARGUMENT', 'bad text');
    return echo(text, context);
  });
  t.is(await ask('a'), 'A');
  const error = await t.throwsAsync(ask('bad'), { instanceOf: CallError, message: 'bad text' });
  t.is(error.code, 'INVALID_ARGUMENT');
  t.is(await ask('b'), 'B');
});

test('a service that closes answers its messages, and its successor gets the next', async (t) => {
  const held = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const { ask, server, startServer } = await start(t, async (text, context) => {
    if (text === 'held') {
      began.resolve();
      await held.promise;
    }
    return echo(text, context);
  });
  t.is(await ask('a'), 'A');
  const answer = ask('held');
  await began.promise;
  const closed = server.close();
  held.resolve();
  t.is(await answer, 'HELD');
  await closed;
  const refused = await t.throwsAsync(ask('b'), { instanceOf: CallError });
  t.is(refused.status, status.UNAVAILABLE);
  const successor = await startServer();
  t.teardown(() => successor.close());
  let answered: string | undefined;
  while (answered === undefined) answered = await ask('c').catch(() => undefined);
  t.is(answered, 'C');
});
