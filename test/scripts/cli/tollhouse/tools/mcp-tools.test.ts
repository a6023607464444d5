import test from 'ava';
import type { McpEndpoint } from '../../../../../gateway/mcp/register-mcp.ts';
import { askForTools } from '../../../../../scripts/cli/tollhouse/tools/draft/mcp-tools.ts';
import { I_JSON } from '../../../../../workers/exact/strict-json.ts';
import { startToolApp } from '../../../../gateway/mcp/tool-app.ts';
import { HANG_MS } from '../../../../kit/until.ts';
import { answering, type Behaviour, hangingBody, silent, startUpstream } from '../../../../kit/upstream-server.ts';
import { commandIn } from '../run-command.ts';

const run = commandIn({}, 'tools', 'draft', '--mcp');

test('an MCP server gives the draft of its tools', async (t) => {
  const echo = {
    name: 'echo',
    title: 'Echo',
    description: 'Returns a text.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    call: async () => ({ content: [] }),
  } as const;
  const endpoint: McpEndpoint<undefined> = {
    path: '/mcp',
    name: 'test',
    title: 'Test',
    version: '4.5.6',
    instructions: 'Echo.',
    tools: [echo],
    rules: I_JSON,
    schema: {},
    admit: async () => undefined,
  };
  const app = await startToolApp(endpoint);
  t.teardown(() => app.close());
  const { output } = await run(app.url);
  t.regex(output, /^# A draft from 127\.0\.0\.1:\d+\n.*\ntools:\n {2}# Returns a text\.\n {2}echo@4\.5\.6:\n/);
  t.regex(output, /text: string\(1024\)/);
});

/** A server of the protocol whose pages are these. */
const paging =
  (page: unknown): Behaviour =>
  (response, request) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}');
      const answer = (result: unknown) => answering({ jsonrpc: '2.0', id, result })(response, request);
      if (method === 'initialize') {
        answer({ protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1.0.0' } });
      } else if (method === 'tools/list') answer(page);
      else answering('', id === undefined ? 202 : 400)(response, request);
    });
  };

const endless: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const write = () => {
    while (!response.destroyed && response.write(`: ${'x'.repeat(1_000_000)}\n`));
  };
  response.on('drain', write);
  write();
};

for (const [what, behaviour, message] of [
  ['does not speak the protocol', answering('<html>', 200, { 'content-type': 'text/html' }), /listed no tools: /],
  ['refuses', answering('\u001b[2J', 500), /listed no tools: \P{Cc}*$/u],
  ['leads elsewhere', answering('', 307, { location: 'http://127.0.0.1:1/' }), /unexpected redirect/],
  ['never stops to send', endless, /it sent more than 10000000 bytes/],
  ['has pages without end', paging({ tools: [], nextCursor: 'more' }), /it has more than 100 pages/],
  ['lists what are no tools', paging({ tools: [{ name: 'x' }] }), /listed no tools: /],
] as const) {
  test(`a server that ${what} is refused`, async (t) => {
    const { baseUrl } = await startUpstream(t, behaviour);
    await t.throwsAsync(askForTools(baseUrl, AbortSignal.timeout(HANG_MS)), { name: 'CommandError', message });
  });
}

for (const [what, behaviour] of [
  ['says nothing', silent],
  ['stops in the middle', hangingBody],
] as const) {
  test(`a server that ${what} is left at the limit`, async (t) => {
    const { baseUrl, arrived } = await startUpstream(t, behaviour);
    const limit = new AbortController();
    const asked = askForTools(baseUrl, limit.signal);
    await arrived(1);
    limit.abort(new Error('the time is over'));
    await t.throwsAsync(asked, { name: 'CommandError', message: /: the time is over$/ });
  });
}
