import { type JsonRules, RECORD_JSON } from '../../../../../workers/exact/strict-json.ts';
import { type Command, CommandError } from '../../../terminal/command.ts';
import { readJson } from '../../plans/plan-input.ts';
import { draftTools } from './draft-tools.ts';
import { askForTools, listedTools, MAX_SOURCE_BYTES } from './mcp-tools.ts';
import { openApiTools } from './openapi-tools.ts';

const TIME_LIMIT_MS = 30_000;
/** Examples in schemas have any numbers. An object of thousands of members could be shared by each tool. */
const SOURCE_JSON: JsonRules = { ...RECORD_JSON, numbers: 'double', nul: 'accepted', maxMembers: 10_000 };
const read = (file: string) => readJson(file, MAX_SOURCE_BYTES, SOURCE_JSON);

/** `tools draft`. It imports nothing. */
export const draft: Command = async ({ say }, { mcp, file, openapi }) => {
  if (mcp !== undefined) {
    const url = readServer(mcp);
    say(draftTools(url.host, await askForTools(url, AbortSignal.timeout(TIME_LIMIT_MS))));
  } else if (openapi !== undefined) say(draftTools(openapi, openApiTools(read(openapi))));
  else if (file !== undefined) say(draftTools(file, { version: undefined, tools: listedTools(read(file)) }));
  else throw new CommandError('give --mcp URL, --file FILE or --openapi FILE', 2);
};

/** @throws {CommandError} */
function readServer(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url;
  throw new CommandError('--mcp is a URL that begins with http:// or https://, without a password', 2);
}
