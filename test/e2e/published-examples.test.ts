import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { operations } from '../../gateway/operations/index.ts';
import { type Operation, toolNameOf } from '../../gateway/operations/operation/operation.ts';
import { createJsonReader, createReader } from '../../scripts/launch/parse/json-reader.ts';
import { isRecord } from '../../services/platform/is-record.ts';
import { defined } from '../../workers/exact/defined.ts';
import { openBuyers } from '../kit/buyers.ts';
import { fromBase64, headerOf, post, rawRequest } from '../kit/client.ts';
import { resolveReferences } from '../kit/resolve-references.ts';
import { useSharedStack } from '../kit/shared-stack.ts';

const stack = await useSharedStack();
test.after.always(() => stack.stop());

interface Example {
  readonly request: unknown;
  readonly response: unknown;
}

const Examples = Type.Array(Type.Unknown(), { minItems: 1 });
const Content = Type.Object({
  content: Type.Object({
    'application/json': Type.Object({
      example: Type.Optional(Type.Unknown()),
      schema: Type.Object({ examples: Type.Optional(Examples) }),
    }),
  }),
});
const readDescribed = createReader(
  Type.Object({ requestBody: Content, responses: Type.Object({ '200': Content }) }),
  'an operation of openapi.json',
);
const readOpenApi = createReader(
  Type.Object({ paths: Type.Record(Type.String(), Type.Object({ post: Type.Optional(Type.Unknown()) })) }),
  'openapi.json',
);
const readBazaar = createReader(
  Type.Object({
    extensions: Type.Object({
      bazaar: Type.Object({
        info: Type.Object({
          input: Type.Object({ body: Type.Unknown() }),
          output: Type.Object({ example: Type.Unknown() }),
        }),
      }),
    }),
  }),
  'PAYMENT-REQUIRED',
);
const parseTools = createJsonReader(
  Type.Object({
    result: Type.Object({
      tools: Type.Array(
        Type.Object({
          name: Type.String(),
          inputSchema: Type.Object({ examples: Examples }),
          outputSchema: Type.Object({ examples: Type.Optional(Examples) }),
        }),
      ),
    }),
  }),
  'the answer of tools/list',
);

const get = (path: string) => rawRequest(stack.urls[0] + path, { method: 'GET' });

function exampleOf({ content }: Type.Static<typeof Content>): unknown {
  const { example, schema } = content['application/json'];
  return example === undefined ? defined(schema.examples)[0] : example;
}

async function fromOpenApi({ path }: Operation): Promise<Example> {
  const { paths } = readOpenApi(resolveReferences((await get('/openapi.json')).json));
  const { requestBody, responses } = readDescribed(paths[path]?.post);
  return { request: exampleOf(requestBody), response: exampleOf(responses['200']) };
}

async function fromPage({ name }: Operation): Promise<Example> {
  const { text } = await get(`/apis/${name}`);
  const toText = (html: string) =>
    html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const exampleUnder = (heading: string): unknown => {
    const found = new RegExp(
      `<h2[^>]*>(?:<a[^>]*>)?${heading}(?:</a>)?</h2>.*?<pre[^>]*><code class="language-json">(.*?)</code></pre>`,
      's',
    ).exec(text);
    return JSON.parse(toText(defined(found?.[1])));
  };
  return { request: exampleUnder('Request'), response: exampleUnder('Response') };
}

async function fromBazaar({ path }: Operation): Promise<Example> {
  const answer = await post(stack.urls[0] + path, {});
  const { extensions } = readBazaar(fromBase64(headerOf(answer, 'payment-required')));
  const { input, output } = extensions.bazaar.info;
  return { request: input.body, response: output.example };
}

async function fromTool(operation: Operation): Promise<Example> {
  const answer = await post(`${stack.urls[0]}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const { tools } = parseTools(answer.text).result;
  const tool = defined(tools.find(({ name }) => name === toolNameOf(operation)));
  return { request: tool.inputSchema.examples[0], response: tool.outputSchema.examples?.[0] };
}

/** The offset of a time zone at an instant, such as +02:00. */
function offsetAt(timeZone: string, at: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const { value } = defined(format.formatToParts(new Date(at)).find(({ type }) => type === 'timeZoneName'));
  return value === 'GMT' ? '+00:00' : value.slice('GMT'.length);
}

const Located = Type.Object({
  utcOffsetAt: Type.String(),
  results: Type.Array(Type.Object({ timeZone: Type.String(), utcOffset: Type.String() })),
});
const readLocated = createReader(Located, 'an answer of maps');

/**
 * Asserts that an answer equals the example, apart from the two fields that depend on the time of the request. In the
 * example, utcOffsetAt becomes that of the answer, and utcOffset the offset of the time zone at that instant.
 */
function isPublished(t: ExecutionContext, answer: unknown, published: unknown): void {
  if (!isRecord(answer) || !('utcOffsetAt' in answer)) {
    t.deepEqual(answer, published);
    return;
  }
  const { utcOffsetAt } = readLocated(answer);
  const { results, ...example } = readLocated(published);
  const moved = results.map((result) => ({ ...result, utcOffset: offsetAt(result.timeZone, utcOffsetAt) }));
  t.deepEqual(answer, { ...example, utcOffsetAt, results: moved });
}

for (const operation of operations) {
  test(`every published example request of ${operation.name} gets the published answer`, async (t) => {
    const examples = [await fromOpenApi(operation), await fromPage(operation), await fromBazaar(operation)];
    examples.push(await fromTool(operation));
    const onboarding = (await post(stack.urls[0] + operation.path, {})).json?.['requestExample'];
    const requests = [...examples.map(({ request }) => request), onboarding];
    // Several places publish the same example, so each different request is sent once.
    const answers = new Map<string, unknown>();
    for (const request of new Map(requests.map((one) => [JSON.stringify(one), one])).values()) {
      const answer = await openBuyers(stack.urls[0]).trial().call(operation.path, request);
      t.is(answer.status, 200, answer.text);
      answers.set(JSON.stringify(request), answer.json);
    }
    // A tool whose result is flat lists no example of it.
    const published = examples.filter(({ response }) => response !== undefined);
    t.true(published.length >= 3);
    for (const { request, response } of published) isPublished(t, answers.get(JSON.stringify(request)), response);
  });
}
