import test, { type ExecutionContext } from 'ava';
import { operations } from '../../gateway/operations/index.ts';
import { type Operation, toolNameOf } from '../../gateway/operations/operation/operation.ts';
import { createWallet } from '../helpers/chain.ts';
import { fromBase64, post, rawRequest, tryOnce } from '../helpers/client.ts';
import { type SharedStack, useSharedStack } from '../helpers/shared-stack.ts';

let stack: SharedStack;
test.before(async () => {
  stack = await useSharedStack();
});
test.after.always(() => stack?.stop());

interface Example {
  readonly request: unknown;
  readonly response: unknown;
}

interface MediaType {
  readonly example?: unknown;
  readonly schema: { readonly examples?: readonly unknown[] };
}

interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly requestBody: { readonly content: Readonly<Record<string, MediaType>> };
          readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, MediaType>> }>>;
        };
      }
    >
  >;
}

interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly examples: readonly unknown[] };
  readonly outputSchema: { readonly examples?: readonly unknown[] };
}

const get = (path: string) => rawRequest(stack.urls[0] + path, { method: 'GET' });
const exampleOf = (media: MediaType | undefined) => media?.example ?? media?.schema.examples?.[0];

async function fromOpenApi({ path }: Operation): Promise<Example> {
  const { post: described } = (JSON.parse((await get('/openapi.json')).text) as OpenApi).paths[path] ?? {};
  return {
    request: exampleOf(described?.requestBody.content['application/json']),
    response: exampleOf(described?.responses['200']?.content['application/json']),
  };
}

async function fromPage({ name }: Operation): Promise<Example> {
  const { text } = await get(`/apis/${name}`);
  const toText = (html: string) => html.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(+code));
  const exampleUnder = (heading: string): unknown => {
    const [, json = ''] = new RegExp(`<h2>${heading}</h2>.*?<pre><code>(.*?)</code></pre>`, 's').exec(text) ?? [];
    return JSON.parse(toText(json));
  };
  return { request: exampleUnder('Request'), response: exampleUnder('Response') };
}

async function fromBazaar({ path }: Operation): Promise<Example> {
  const answer = await post(stack.urls[0] + path, {});
  const { extensions } = fromBase64<{
    readonly extensions: {
      readonly bazaar: { readonly info: { readonly input: { body: unknown }; readonly output: { example: unknown } } };
    };
  }>(answer.headers.get('payment-required') ?? '');
  const { input, output } = extensions.bazaar.info;
  return { request: input.body, response: output.example };
}

async function fromTool(operation: Operation): Promise<Example> {
  const answer = await post(`${stack.urls[0]}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const { result } = JSON.parse(answer.text) as { readonly result: { readonly tools: readonly ListedTool[] } };
  const tool = result.tools.find(({ name }) => name === toolNameOf(operation));
  return { request: tool?.inputSchema.examples[0], response: tool?.outputSchema.examples?.[0] };
}

/** Offset of a time zone at an instant, as +02:00. */
function offsetAt(timeZone: string, at: string): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(new Date(at)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return name === 'GMT' ? '+00:00' : name.slice('GMT'.length);
}

interface Located {
  readonly utcOffsetAt: string;
  readonly results: readonly { readonly timeZone: string; readonly utcOffset: string }[];
}

/**
 * An answer must equal the example. The two fields that depend on the time of the request are the exception: utcOffsetAt
 * is replaced in the example, and utcOffset by the offset of the time zone at that instant.
 */
function isPublished(t: ExecutionContext, answer: unknown, published: unknown): void {
  const { utcOffsetAt } = answer as Partial<Located>;
  if (utcOffsetAt === undefined) {
    t.deepEqual(answer, published);
    return;
  }
  const { results, ...example } = published as Located;
  const moved = results.map((result) => ({ ...result, utcOffset: offsetAt(result.timeZone, utcOffsetAt) }));
  t.deepEqual(answer, { ...example, utcOffsetAt, results: moved });
}

for (const operation of operations) {
  test(`the examples of ${operation.name} are answered as published, wherever they are published`, async (t) => {
    const examples = [await fromOpenApi(operation), await fromPage(operation), await fromBazaar(operation)];
    examples.push(await fromTool(operation));
    const onboarding = (await post(stack.urls[0] + operation.path, {})).json?.['requestExample'];
    const requests = [...examples.map(({ request }) => request), onboarding];
    // Executed once for each different request: the same example is published in several places.
    const answers = new Map<string, unknown>();
    for (const request of new Map(requests.map((one) => [JSON.stringify(one), one])).values()) {
      const answer = await tryOnce(stack.urls[0], request, createWallet(), operation.path);
      t.is(answer.status, 200, answer.text);
      answers.set(JSON.stringify(request), answer.json);
    }
    // A tool lists no example of a flat result.
    const published = examples.filter(({ response }) => response !== undefined);
    t.true(published.length >= 3);
    for (const { request, response } of published) isPublished(t, answers.get(JSON.stringify(request)), response);
  });
}
