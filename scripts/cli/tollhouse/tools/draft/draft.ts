import { type JsonRules, RECORD_JSON } from '../../../../../workers/exact/strict-json.ts';
import { type Command, CommandError, type Options } from '../../../terminal/command.ts';
import { readJson } from '../../plans/plan-input.ts';
import { draftTools } from './draft-tools.ts';
import { askForTools, listedTools, MAX_SOURCE_BYTES } from './mcp-tools.ts';
import { openApiTools } from './openapi-tools.ts';
import type { Source } from './source-tool.ts';

const TIME_LIMIT_MS = 30_000;
/** Examples in schemas have any numbers. An object of thousands of members could be shared by each tool. */
const SOURCE_JSON: JsonRules = { ...RECORD_JSON, numbers: 'double', nul: 'accepted', maxMembers: 10_000 };

/** `tools draft`. It imports nothing. */
export const draft: Command = async ({ say }, options) => say(draftTools(await readSource(options)));

async function readSource({ mcp, file, openapi }: Options): Promise<Source> {
  if (mcp !== undefined) return askForTools(readServer(mcp), AbortSignal.timeout(TIME_LIMIT_MS));
  if (openapi !== undefined) return openApiTools(readJson(openapi, MAX_SOURCE_BYTES, SOURCE_JSON));
  if (file === undefined) throw new CommandError('give --mcp URL, --file FILE or --openapi FILE', 2);
  return { title: file, version: undefined, tools: listedTools(readJson(file, MAX_SOURCE_BYTES, SOURCE_JSON)) };
}

/** @throws {CommandError} */
function readServer(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url;
  throw new CommandError('--mcp is a URL that begins with http:// or https://, without a password', 2);
}
