import { readFileSync } from 'node:fs';
import test from 'ava';
import { draftTools } from '../../../../../scripts/cli/tollhouse/tools/draft/draft-tools.ts';
import { listedTools } from '../../../../../scripts/cli/tollhouse/tools/draft/mcp-tools.ts';
import { openApiTools } from '../../../../../scripts/cli/tollhouse/tools/draft/openapi-tools.ts';
import { compileTools } from '../../../../../workers/plan/text/tools/compile-tools.ts';
import { fc } from '../../../../kit/fast-check.ts';
import { openFiles } from '../files.ts';
import { commandIn } from '../run-command.ts';

const { keep, remove } = openFiles();
test.after.always(remove);

const run = commandIn({}, 'tools');
const draftOf = (tools: unknown, title = 'files', version: unknown = '1.2.3') =>
  draftTools(title, { version, tools: listedTools(tools) });
/** What a person does with a draft of tools that move no money. */
const decided = (draft: string) =>
  draft
    .replaceAll('effect: revenue_write', 'effect: write')
    .replaceAll(/ {4}(?:identity|amounts): # TODO.*\n?/g, '')
    .replaceAll(/: # TODO: (.*), with the (?:number|most)/g, ': $1 #');

const PAY = {
  name: 'pay',
  description: 'Pays.\nNow\u202e!',
  annotations: { readOnlyHint: true },
  inputSchema: {
    type: 'object',
    properties: {
      to: { $ref: '#/$defs/account' },
      amount: { type: 'number', minimum: 0 },
      idempotency_key: { type: 'string', maxLength: 64 },
      note: { type: 'string' },
    },
    required: ['to', 'amount', 'idempotency_key'],
    $defs: { account: { type: 'string', maxLength: 34, description: 'An IBAN', pattern: '^[A-Z]' } },
  },
  outputSchema: { type: 'object', properties: { id: { type: 'string' }, fee: { type: 'integer' } }, required: ['id'] },
};

test('a draft has the strictest effect, and a TODO where a person must decide', async (t) => {
  const file = keep('list.json', JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [PAY] } }));
  const { output } = await run('draft', '--file', file);
  t.is(
    output.replace(/^.*\n.*\n/, ''),
    `tools:
  # Pays. Now⟨U+202E⟩!
  # unverified claims: {"readOnlyHint":true}
  pay@1.0.0:
    effect: revenue_write # until a person decides: none, write or revenue_write
    replay: recorded
    args:
      to: string(34) # An IBAN
      amount: # TODO: decimal(2), with the number of decimals that the tool takes
      idempotency_key: string(64)
      note?: string(1024)
    responds:
      id: string(1024)
      fee?: int
    identity: # TODO: the response's field that names the act: id
    amounts: # TODO: such as args.amount in EUR
    # once: args.idempotency_key`,
  );
  const refused = await run('import', keep('draft.yaml', output));
  t.is(refused.exitCode, 1);
  for (const [line, write] of [
    [11, 'a type'],
    [17, 'the name of a response field'],
    [18, 'args.amount in EUR'],
  ]) {
    t.regex(refused.errors, new RegExp(`draft\\.yaml:${line}:\\d+: nothing is here: write ${write}`));
  }
  const complete = output
    .replace('amount: #', 'amount: decimal(2) #')
    .replace('identity: #', 'identity: id #')
    .replace('amounts: #', 'amounts: args.amount in EUR #')
    .replace('# once', 'once');
  t.like(compileTools(complete).tools?.[0], { effect: 'revenue_write', identity: 'id', once: 'idempotency_key' });
});

for (const [schema, line] of [
  [{ type: 'string' }, 'a: string(1024)'],
  [{ type: 'string', maxLength: 1e9 }, 'a: string(65536)'],
  [{ type: 'string', maxLength: -1, title: 'A' }, 'a: string(1024)'],
  [{ type: 'string', enum: ['x y', 'b: #'] }, 'a: "enum(x y, b: #)"'],
  [{ const: 'x' }, 'a: "enum(x)"'],
  ...['a,b', ' a', 'a)', '', 'a\n', '\u200b', 'x'.repeat(65), 1].map(
    (value) => [{ enum: [value] }, '# left out: a has values that no enum can have, though it is required'] as const,
  ),
  [{ enum: ['x', 'x'] }, '# left out: a has values that no enum can have, though it is required'],
  [{ enum: [] }, '# left out: a has values that no enum can have, though it is required'],
  [{ type: 'string', maxLength: 0 }, 'a: string(0)'],
  [{ type: 'boolean' }, 'a: bool'],
  [{ type: 'integer' }, 'a: int'],
  [{ type: 'integer', minimum: 0 }, 'a: int(0..)'],
  [{ type: 'integer', minimum: -0.5, maximum: 2.5 }, 'a: int(0..2)'],
  [{ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 }, 'a: int(1..9)'],
  [{ type: 'integer', maximum: 2 ** 63 }, 'a: int'],
  [{ type: 'integer', minimum: 2, maximum: 1 }, '# left out: a has an empty range, though it is required'],
  [{ type: 'array' }, '# left out: a is a list whose element has no single type, though it is required'],
  [{ type: 'array', items: { type: 'string' }, maxItems: 5 }, 'a: [string(1024), 0..5]'],
  [{ type: 'array', items: { enum: ['x', 'y'] }, minItems: 1, maxItems: 9999 }, 'a: ["enum(x, y)", 1..256]'],
  [
    { type: 'array', items: { type: 'bool' }, minItems: 300 },
    '# left out: a is a list whose element has no single type, though it is required',
  ],
  [
    { type: 'array', items: { type: 'boolean' }, minItems: 300 },
    '# left out: a is a list that is always empty, or too long, though it is required',
  ],
  [{ type: 'array', items: { type: 'boolean' } }, 'a: # TODO: [bool, 0..20], with the most elements'],
  [
    { type: 'array', items: { type: 'number' } },
    'a: # TODO: [decimal(2), 0..20], with the number of decimals that the tool takes, and with the most elements',
  ],
  [
    { type: 'array', items: { type: 'array', items: { type: 'string' } } },
    '# left out: a is a list whose element is a list in a list, though it is required',
  ],
  [{ type: 'object' }, '# left out: a is an object without members that are described, though it is required'],
  [
    { type: 'object', properties: { b: { type: 'string' }, c: { $ref: '#/$defs/d' } }, required: ['b'] },
    'a: { b: string(1024), c?: int }',
  ],
  [
    { type: 'object', properties: { b: { type: 'string' }, 'c-d': { type: 'string' } }, required: ['b', 'c-d'] },
    '# left out: a is an object in which c-d cannot be named in conditions, though it is required',
  ],
  [
    { type: 'object', properties: { b: { $ref: '#/properties/a' } } },
    '# left out: a is an object without members that are described, though it is required',
  ],
  [{ type: ['string', 'null'] }, 'a: string(1024)'],
  [{ type: 'string', nullable: true }, 'a: string(1024)'],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'a: int'],
  [{ anyOf: [] }, '# left out: a has no single type, though it is required'],
  [{ $ref: '#/properties/a' }, '# left out: a has no single type, though it is required'],
  [{ $ref: '#/%E0%A4' }, '# left out: a has no single type, though it is required'],
  [{ $ref: 'http://other/#/a' }, '# left out: a has no single type, though it is required'],
] as const) {
  test(`the schema ${JSON.stringify(schema).slice(0, 100)} becomes ${line}`, (t) => {
    const inputSchema = {
      type: 'object',
      properties: { a: schema },
      required: ['a'],
      $defs: { d: { type: 'integer' } },
    };
    const tool = { name: 'x', inputSchema };
    const draft = draftOf([tool]);
    t.is(/args:.*\n *(.*)/.exec(draft)?.[1], line);
    t.is(compileTools(decided(draft)).faults, undefined);
  });
}

test('names that nothing can use are left out', (t) => {
  const properties = { in: { type: 'string' }, 'a-b': { type: 'string' }, 'x:\n y': { type: 'bool' } };
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  const draft = draftOf([{ name: 'a/b' }, { name: '-a' }].map((tool) => ({ ...tool, inputSchema: schema })));
  for (const line of [
    '# left out: a catalogue cannot have the name a/b',
    '  "-a@1.2.3":',
    '    args: {}',
    '      # left out: in cannot be named in conditions',
    '      # left out: a-b cannot be named in conditions',
    '      # left out: x: y cannot be named in conditions',
  ]) {
    t.true(draft.split('\n').includes(line), line);
  }
  t.is(compileTools(decided(draft)).faults, undefined);
});

test('whatever a stranger writes, a draft is one catalogue of the tools', (t) => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('x\ntools:', '---', '\u2028', '__proto__', '"', "'"),
    fc.stringMatching(/^[a-z_]{1,8}$/),
  );
  const scalar = fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null));
  const schema = fc.record(
    {
      type: fc.oneof(fc.constantFrom('string', 'integer', 'number', 'boolean', 'array'), scalar),
      description: scalar,
      enum: fc.oneof(fc.array(scalar), scalar),
      maxLength: scalar,
      minimum: scalar,
      maximum: scalar,
      $ref: scalar,
    },
    { requiredKeys: ['type'] },
  );
  const object = fc
    .dictionary(text, schema)
    .map((properties) => ({ type: 'object', properties, required: Object.keys(properties) }));
  const tool = fc.record({ description: text, annotations: fc.anything(), inputSchema: object, outputSchema: object });
  fc.assert(
    fc.property(tool, text, text, (described, title, version) => {
      const { tools, faults } = compileTools(decided(draftOf([{ name: 'x', ...described }], title, version)));
      t.deepEqual([faults, tools?.map(({ name, effect }) => [name, effect])], [undefined, [['x', 'write']]]);
    }),
  );
});

test('an OpenAPI document gives a tool for each operation', (t) => {
  const json = (schema: unknown) => ({ content: { 'application/json; charset=utf-8': { schema } } });
  const order = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  const draft = draftTools(
    'shop.json',
    openApiTools({
      openapi: '3.1.0',
      info: { version: '2.0.0' },
      components: { schemas: { order }, parameters: { id: { name: 'id', in: 'path', required: true, schema: {} } } },
      paths: {
        '/orders/{id}': {
          parameters: [{ $ref: '#/components/parameters/id' }, { name: 'q', in: 'query', schema: { type: 'string' } }],
          get: {
            summary: 'Reads',
            parameters: [
              { name: 'id', in: 'path', required: true, description: 'Its id', schema: { type: 'integer' } },
            ],
            responses: { 200: json({ $ref: '#/components/schemas/order' }) },
          },
          put: { operationId: 'orders/put', requestBody: json(order), responses: { 201: { content: {} } } },
        },
      },
    }),
  );
  t.is(
    draft.replaceAll(/ *(?:effect|replay|identity|amounts):.*\n?/g, ''),
    `# A draft from shop.json
# Each TODO is for a person to decide. Delete identity and amounts where no money moves.
tools:
  # Reads
  # unverified claims: "GET /orders/{id}"
  get_orders_id@2.0.0:
    args:
      id: int # Its id
      # left out: id is there twice
      q?: string(1024)
    responds:
      id: string(1024)
  # unverified claims: "PUT /orders/{id}"
  orders_put@2.0.0:
    args:
      # left out: id has no single type, though it is required
      q?: string(1024)
      id: string(1024)
    responds: {}
      # left out: what is not described as an object
`,
  );
  const own = draftTools(
    'shop.json',
    openApiTools(JSON.parse(readFileSync(new URL('../../../../../openapi.json', import.meta.url), 'utf8'))),
  );
  t.is(compileTools(decided(own)).faults, undefined);
});

const NO_ARGS = { inputSchema: { type: 'object' } };
for (const [args, content, exitCode, message] of [
  [[], undefined, 2, /--mcp URL, --file FILE or --openapi FILE/],
  [['--mcp', 'ftp://x'], undefined, 2, /a URL that begins with http/],
  [['--mcp', 'http://me:secret@x'], undefined, 2, /without a password/],
  [['--file', 'a', '--openapi', 'b'], undefined, 2, /cannot be used with/],
  [['--file'], '[{"name":1}]', 1, /not a list of tools/],
  [['--file'], 'null', 1, /not a list of tools/],
  [['--file'], '[]', 1, /no tool is described/],
  [['--file'], '{"\\u001b":{"a":1,"a":1}}', 1, /U\+001B/],
  [
    ['--file'],
    JSON.stringify([
      { name: 'pay_now', ...NO_ARGS },
      { name: 'payNow', ...NO_ARGS },
    ]),
    1,
    /CONFUSABLE/,
  ],
  [
    ['--file'],
    JSON.stringify([
      { name: 'pay', ...NO_ARGS },
      { name: 'pay', ...NO_ARGS },
    ]),
    1,
    /CONFUSABLE/,
  ],
  [['--file'], `"${'x'.repeat(10_000_000)}"`, 1, /larger than 10000000 bytes/],
  [
    ['--file'],
    JSON.stringify(Array.from({ length: 1001 }, (_, at) => ({ name: `n${2 ** 40 + at}`, ...NO_ARGS }))),
    1,
    /at most 1000 tools, not 1001/,
  ],
  [['--openapi'], '{"swagger":"2.0"}', 1, /not an OpenAPI 3 document/],
] as const) {
  test(`refuses ${args.join(' ')} ${content?.slice(0, 60) ?? ''}, and prints nothing`, async (t) => {
    const ended = await run('draft', ...args, ...(content === undefined ? [] : [keep('source.json', content)]));
    t.deepEqual([ended.exitCode, ended.output], [exitCode, '']);
    t.regex(ended.errors, message);
  });
}
