// Converts pages: the worker of the product, and nothing around it.
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { Piscina } from 'piscina';
import {
  ContentServiceService,
  type ConvertHtmlStreamRequest,
  type ConvertHtmlStreamResponse,
} from '../../../../proto/gen/tollhouse/content/v1/content.ts';
import { MAX_ANSWER_BYTES } from '../../../../services/platform/grpc/size-limits.ts';
import { serving } from './streams.ts';

const [address = ''] = process.argv.slice(2);
const threads = new Piscina({
  filename: new URL('../../../../workers/html-to-markdown/worker.ts', import.meta.url).href,
  minThreads: 1,
  maxThreads: 2,
  idleTimeout: Number.POSITIVE_INFINITY,
});

async function convert({ id, items }: ConvertHtmlStreamRequest): Promise<ConvertHtmlStreamResponse> {
  const documents = items.map(({ html, sourceUrl }) => ({ html, sourceUrl, maxAnswerBytes: MAX_ANSWER_BYTES }));
  const converted = await threads.run({ documents });
  return {
    id,
    outcomes: converted.value.map(({ value }: { value: object }) => ({ outcome: { $case: 'result', value } })),
  };
}

const server = new Server();
const { convertHtmlStream } = ContentServiceService;
server.addService({ convertHtmlStream }, { convertHtmlStream: serving(convert) });
server.bindAsync(address, ServerCredentials.createInsecure(), () => process.send?.('up'));
