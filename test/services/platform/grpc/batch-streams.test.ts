import { join } from 'node:path';
import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';
import {
  ContentServiceClient,
  ContentServiceService,
  type ConvertHtmlRequest,
  type ConvertHtmlResponse,
  type ConvertHtmlStreamRequest,
  type ConvertHtmlStreamResponse,
} from '../../../../proto/gen/tollhouse/content/v1/content.ts';
import { createBatchClient } from '../../../../services/platform/grpc/batch-client.ts';
import { batchStream } from '../../../../services/platform/grpc/batch-server.ts';
import { CallError, openChannels } from '../../../../services/platform/grpc/grpc-client.ts';
import { type CallContext, startGrpcServer } from '../../../../services/platform/grpc/grpc-server.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { createTestFolder } from '../../../kit/test-folder.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const TIMEOUT_MS = 20_000;
const FOREVER = new Promise<never>(() => {});
const LARGE = 'x'.repeat(65 * 1024);

type Call = ServerDuplexStream<ConvertHtmlStreamRequest, ConvertHtmlStreamResponse>;

interface Options {
  readonly maxInFlight?: number;
  readonly lifetimeMs?: number;
}

/** A service whose streams `handle` answers, and a client whose items are texts. */
async function start(t: ExecutionContext, handle: (call: Call) => void, { maxInFlight = 1, lifetimeMs }: Options = {}) {
  const folder = createTestFolder();
  const startServer = () =>
    startGrpcServer({
      listen: `unix:${join(folder.runDir, 'content.sock')}`,
      service: ContentServiceService,
      implementation: { convertHtmlStream: handle },
      logger,
    });
  const server = await startServer();
  const channels = openChannels(ContentServiceClient, server.address);
  const client = createBatchClient<string, ConvertHtmlRequest, ConvertHtmlResponse>({
    open: () => channels.open((stub) => stub.convertHtmlStream()),
    toMessage: (html) => ({ html }),
    bytesOf: (text) => text.length,
    maxItems: 64,
    maxInFlight,
    ...(lifetimeMs !== undefined && { lifetimeMs }),
  });
  t.teardown(async () => {
    client.close();
    channels.close();
    await server.close();
    folder.remove();
  });
  const ask = async (text: string, timeoutMs = TIMEOUT_MS) => (await client.send(text, timeoutMs)).markdown;
  return { ask, server, startServer };
}

type Answer = (text: string, context: CallContext) => Promise<string>;

/** As `start`, with the contexts of the streams and the messages that they brought. */
async function startTexts(t: ExecutionContext, answer: Answer, options?: Options) {
  const contexts: CallContext[] = [];
  const messages: string[][] = [];
  const handle = batchStream<ConvertHtmlRequest, ConvertHtmlResponse>({
    maxItems: 64,
    maxUnderWay: 1,
    open: (context) => {
      contexts.push(context);
      return (items) => {
        messages.push(items.map(({ html }) => html));
        return items.map(async ({ html }) => ({ markdown: await answer(html, context), markdownCharacters: 0 }));
      };
    },
    logger,
  });
  return { ...(await start(t, handle, options)), contexts, messages };
}

const echo: Answer = async (text) => text.toUpperCase();

test('messages one after the other use one stream, simultaneous ones a stream each', async (t) => {
  const { ask, contexts, messages } = await startTexts(t, echo, { lifetimeMs: 86_400_000 });
  for (const text of ['a', 'b', 'c']) t.is(await ask(text), text.toUpperCase());
  t.is(contexts.length, 1);
  t.deepEqual(await Promise.all(['d', LARGE, 'e', 'f'].map((text) => ask(text))), ['D', LARGE.toUpperCase(), 'E', 'F']);
  t.is(contexts.length, 2);
  t.deepEqual(messages.slice(3).toSorted(), [['d', 'e', 'f'], [LARGE]]);
});

test('items wait while enough messages are under way, and large ones do not', async (t) => {
  const held = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const { ask, messages } = await startTexts(t, async (text, context) => {
    if (text !== 'held') return echo(text, context);
    began.resolve();
    await held.promise;
    return 'HELD';
  });
  const first = ask('held');
  await began.promise;
  const others = ['a', 'b'].map((text) => ask(text));
  await ask(LARGE);
  t.deepEqual(messages, [['held'], [LARGE]]);
  held.resolve();
  t.deepEqual(await Promise.all([first, ...others]), ['HELD', 'A', 'B']);
  t.deepEqual(messages[2], ['a', 'b']);
});

test('a message is bounded in items and bytes', async (t) => {
  const { ask, messages } = await startTexts(t, echo);
  const texts = [...Array(130).fill('a'), ...Array(10).fill('y'.repeat(60 * 1024))];
  t.is((await Promise.all(texts.map((text) => ask(text)))).length, 140);
  t.true(messages.every((items) => items.length <= 64 && items.join('').length <= 512 * 1024));
});

test('a stream ends after a while, in use or not, and the next message has another', async (t) => {
  const { ask, contexts } = await startTexts(t, echo, { lifetimeMs: 1 });
  while (contexts.length < 3) t.is(await ask('a'), 'A');
});

test('a message that is not answered in time fails, and its work is cancelled', async (t) => {
  const aborted = Promise.withResolvers<void>();
  let began = false;
  const { ask } = await startTexts(t, async (text, context) => {
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
  const { ask } = await startTexts(t, echo);
  t.is(await ask('a', 50 * 86_400_000), 'A');
});

test('an item that fails has its own error, with the status of its code', async (t) => {
  const { ask, contexts } = await startTexts(t, async (text, context) => {
    if (text === 'bad') throw new ServiceError('OVERLOADED', 'bad text');
    if (text === 'broken') throw new TypeError('not for callers');
    return echo(text, context);
  });
  const [good, bad, broken] = await Promise.all([
    ask('good'),
    t.throwsAsync(ask('bad'), { instanceOf: CallError, message: 'bad text' }),
    t.throwsAsync(ask('broken'), { instanceOf: CallError, message: 'internal error' }),
  ]);
  t.is(good, 'GOOD');
  t.deepEqual([bad.code, bad.status], ['OVERLOADED', status.RESOURCE_EXHAUSTED]);
  t.deepEqual([broken.code, broken.status], ['INTERNAL', status.INTERNAL]);
  t.is(await ask('a'), 'A');
  t.is(contexts.length, 1);
});

test('a service that closes ends its streams, answers its messages, and its successor gets the next', async (t) => {
  const held = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const { ask, server, startServer } = await startTexts(
    t,
    async (text, context) => {
      if (text === 'held') {
        began.resolve();
        await held.promise;
      }
      return echo(text, context);
    },
    { lifetimeMs: 86_400_000, maxInFlight: 2 },
  );
  // Both streams are open, and one of them is in use when the service closes.
  t.deepEqual(await Promise.all([ask('a'), ask(LARGE)]), ['A', LARGE.toUpperCase()]);
  const answer = ask('held');
  await began.promise;
  const closed = server.close();
  held.resolve();
  t.is(await answer, 'HELD');
  await closed;
  const refused = await t.throwsAsync(ask('b'), { instanceOf: CallError, message: /No connection established/ });
  t.is(refused.status, status.UNAVAILABLE);
  const successor = await startServer();
  t.teardown(() => successor.close());
  let answered: string | undefined;
  while (answered === undefined) answered = await ask('c').catch(() => undefined);
  t.is(answered, 'C');
});

/** Answers messages one after the other, as `answer` says. */
const answering =
  (answer: (message: ConvertHtmlStreamRequest) => ConvertHtmlStreamResponse): ((call: Call) => void) =>
  (call) => {
    call.on('data', (message: ConvertHtmlStreamRequest) => call.write(answer(message)));
    call.on('end', () => call.end());
  };

const results = (texts: readonly string[]): ConvertHtmlStreamResponse['outcomes'] =>
  texts.map((markdown) => ({ outcome: { $case: 'result', value: { markdown, markdownCharacters: 0 } } }));

test('a message that the service did not read before it ended the stream is sent again', async (t) => {
  let streams = 0;
  const answerAll = answering(({ id, items }) => ({ id, outcomes: results(items.map(({ html }) => html)) }));
  const { ask } = await start(t, (call) => {
    streams += 1;
    if (streams < 3) call.end();
    else answerAll(call);
  });
  t.deepEqual(await Promise.all([ask('a'), ask('b')]), ['a', 'b']);
  t.is(streams, 3);
});

test('a message whose stream breaks is not sent again', async (t) => {
  let messages = 0;
  const { ask } = await start(t, (call) => {
    call.on('data', () => {
      messages += 1;
      call.emit('error', { code: status.UNAVAILABLE, details: 'gone' });
    });
  });
  const error = await t.throwsAsync(ask('a'), { instanceOf: CallError, message: 'gone' });
  t.is(error.status, status.UNAVAILABLE);
  t.is(messages, 1);
});

for (const [title, answer, message] of [
  ['under another id', { id: 7n, outcomes: results(['a']) }, /message 7/],
  ['without an outcome for each item', { id: 1n, outcomes: [] }, /0 answers to 1 items/],
  ['with an empty outcome', { id: 1n, outcomes: [{ outcome: undefined }] }, /an outcome is empty/],
] as const) {
  test(`an answer ${title} fails the message, and says nothing about what was done`, async (t) => {
    const { ask } = await start(
      t,
      answering(() => ({ id: answer.id, outcomes: [...answer.outcomes] })),
    );
    const error = await t.throwsAsync(ask('a'), { message });
    t.false(error instanceof CallError);
  });
}
