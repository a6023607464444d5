import { type Operation, toolNameOf } from '../../operations/operation/operation.ts';

/** A page and its Markdown, as `html-to-markdown` makes it. */
export const SAMPLE = {
  html: `<h1>Toll houses</h1>
<p>A <b>toll house</b> is where a <a href="https://example.com/toll">toll</a> is paid.</p>
<ul><li>Roads</li><li>Bridges</li></ul>`,
  markdown: `# Toll houses

A **toll house** is where a [toll](https://example.com/toll) is paid.

- Roads
- Bridges
`,
} as const;

/** Three ways to call the operation `html-to-markdown`, as Markdown: a program, an agent, a command. */
export function describeSamples(operation: Operation, origin: string): string {
  const url = `${origin}${operation.path}`;
  return `In TypeScript, on the free credit of a new wallet. In a folder of your own, after \`npm install viem @x402/extensions\`:

\`\`\`ts
import { wrapFetchWithSIWx } from '@x402/extensions/sign-in-with-x';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

const call = wrapFetchWithSIWx(fetch, privateKeyToAccount(generatePrivateKey()));
const answer = await call('${url}', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ html: '<h1>Hello</h1>' }),
});
console.log(answer.status, await answer.text());
\`\`\`

As the tool \`${toolNameOf(operation)}\` of an agent whose wallet pays, in its list of servers (Model Context Protocol):

\`\`\`json
{ "mcpServers": { "tollhouse": { "type": "http", "url": "${origin}/mcp" } } }
\`\`\`

With curl, which gets 402: the price, and a challenge to sign.

\`\`\`sh
curl -i --max-time 30 ${url} \\
  -H 'content-type: application/json' -d '{"html":"<h1>Hello</h1>"}'
\`\`\`

[How a call is tried and paid](/docs/api).
`;
}
