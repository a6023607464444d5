import { type Operation, toolNameOf } from '../operations/operation/operation.ts';

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function code(text: string): string {
  return `<pre><code>${escapeHtml(text)}</code></pre>`;
}

function usd(microUsd: bigint): string {
  return (Number(microUsd) / 1_000_000).toFixed(3);
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
pre{background:#f4f4f2;padding:.8rem;overflow-x:auto;border-radius:4px}code{font:14px/1.4 ui-monospace,monospace}
table{border-collapse:collapse}td,th{text-align:left;padding:.3rem .8rem .3rem 0;vertical-align:top;border-bottom:1px solid #ddd}
@media(prefers-color-scheme:dark){body{color:#e8e8e6;background:#1c1c1b}pre{background:#2a2a28}a{color:#8ab4f8}td,th{border-color:#444}}`;

interface Field {
  readonly type?: string;
  readonly description?: string;
  readonly anyOf?: readonly Field[];
  readonly properties?: Readonly<Record<string, Field>>;
  readonly items?: Field;
  readonly enum?: readonly string[];
}

interface Row {
  readonly name: string;
  readonly field: Field;
  readonly isRequired: boolean;
}

/** Every field. Fields inside objects and lists follow their parent. */
function rowsOf(schema: object, prefix = ''): readonly Row[] {
  const { properties = {}, required = [] } = schema as Field & { readonly required?: readonly string[] };
  return Object.entries(properties).flatMap(([key, field]) => {
    const name = prefix + key;
    const inner = field.items === undefined ? rowsOf(field, `${name}.`) : rowsOf(field.items, `${name}[].`);
    return [{ name, field, isRequired: required.includes(key) }, ...inner];
  });
}

function typesOf({ type, anyOf }: Field): string {
  return type ?? anyOf?.map((one) => one.type).join(' or ') ?? '';
}

function valuesOf({ enum: own, anyOf = [], items }: Field): string {
  const values = own ?? items?.enum ?? anyOf.find((one) => one.enum !== undefined)?.enum;
  return values === undefined ? '' : `: ${values.join(', ')}`;
}

function fields(schema: object): string {
  const rows = rowsOf(schema).map(({ name, field, isRequired }) => {
    const says = escapeHtml(`${field.description ?? ''}${valuesOf(field)}`);
    return `<tr><td><code>${name}</code></td><td>${typesOf(field)}</td><td>${isRequired ? 'yes' : 'no'}</td><td>${says}</td></tr>`;
  });
  return `<table><tr><th>Field</th><th>Type</th><th>Required</th><th></th></tr>${rows.join('')}</table>`;
}

/** The documentation page of an operation: self-contained, without scripts. */
export function renderOperationPage(operation: Operation, origin: string): string {
  const { name, summary, description, path, priceMicroUsd, request, response } = operation;
  const example = JSON.stringify(operation.requestExample);
  const curl = `curl -i ${origin}${path} \\\n  -H 'content-type: application/json' \\\n  -d '${example.replaceAll("'", "'\\''")}'`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(name)} - Tollhouse</title><style>${STYLE}</style></head><body>
<h1>${escapeHtml(name)}</h1>
<p>${escapeHtml(summary)}. ${escapeHtml(description)}</p>
<p><code>POST ${path}</code>: USD ${usd(priceMicroUsd)} per call, paid with x402 or from the free credit of USD 0.050 that every wallet gets once.</p>
<h2 id="quickstart">Quickstart</h2>
<ol>
<li>Send the body without a payment and without a proof:
${code(curl)}</li>
<li>The answer is 402. Its <code>PAYMENT-REQUIRED</code> header is base64 of JSON and holds the price and, in <code>extensions["sign-in-with-x"]</code>, a challenge that is valid for 300 seconds.</li>
<li>Sign the challenge with your wallet (EIP-4361 text, EIP-191 signature).</li>
<li>Send the identical request once more with <code>SIGN-IN-WITH-X</code>: base64 of the challenge's fields with <code>address</code>, <code>chainId</code>, <code>type</code> and <code>signature</code>.</li>
<li>The result is confirmed when <code>X-Access-Mode</code> is <code>trial</code>, <code>X-Trial-Status</code> is <code>charged</code>, <code>X-Trial-Accounting-Status</code> is <code>confirmed</code> and there is no payment response. Otherwise neither repeat nor pay.</li>
</ol>
<p>In JavaScript, <a href="/assets/trial-client.js">/assets/trial-client.js</a> does all of this and checks the accounting. To pay for the call instead, use any x402 client.</p>
<p>Over the Model Context Protocol, the operation is the tool <code>${toolNameOf(operation)}</code> of <code>POST /mcp</code>, paid per call with x402.</p>
<h2>Request</h2>${fields(request)}${code(JSON.stringify(operation.requestExample, null, 2))}
<h2>Response</h2>${fields(response)}${code(JSON.stringify(operation.responseExample, null, 2))}
<p>Executed requests and responses are kept encrypted for operator review and scheduled for deletion after 30 days. Do not send secrets.</p>
<p><a href="/openapi.json">OpenAPI</a> · <a href="/agent.json">agent.json</a> · <a href="/llms.txt">llms.txt</a></p>
</body></html>
`;
}
