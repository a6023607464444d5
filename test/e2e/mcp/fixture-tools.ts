import type { CallToolResult } from '@modelcontextprotocol/server';
import { AppError } from '../../../gateway/errors/app-error.ts';
import type { McpEndpoint } from '../../../gateway/mcp/register-mcp.ts';
import type { Tool } from '../../../gateway/mcp/tool.ts';
import { I_JSON } from '../../../workers/exact/strict-json.ts';

type Content = CallToolResult['content'];

const TEXT = { type: 'text', text: 'This is a simple text response for testing.' } as const;
const IMAGE = {
  type: 'image',
  mimeType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
} as const;
const AUDIO = {
  type: 'audio',
  mimeType: 'audio/wav',
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=',
} as const;
const RESOURCE = {
  type: 'resource',
  resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' },
} as const;

const answering = (name: string, content: Content): Tool<undefined> => ({
  name,
  title: name,
  description: 'Always returns the same content.',
  inputSchema: { type: 'object' },
  call: async () => ({ content }),
});

/** Tools that the conformance suite calls by name. */
const tools: readonly Tool<undefined>[] = [
  answering('test_simple_text', [TEXT]),
  answering('test_image_content', [IMAGE]),
  answering('test_audio_content', [AUDIO]),
  answering('test_embedded_resource', [RESOURCE]),
  answering('test_multiple_content_types', [TEXT, IMAGE, RESOURCE]),
  {
    ...answering('test_error_handling', []),
    call: () => Promise.reject(new AppError('INVALID_REQUEST', 'This tool intentionally returns an error for testing')),
  },
  {
    ...answering('json_schema_2020_12_tool', [TEXT]),
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
      },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
  },
];

/** An endpoint with these tools, as the product has one for its own. */
export const fixtures: McpEndpoint<undefined> = {
  path: '/mcp',
  name: 'fixtures',
  title: 'Fixtures',
  version: '1.0.0',
  instructions: 'Call them.',
  tools,
  rules: I_JSON,
  schema: {},
  admit: async () => undefined,
};
