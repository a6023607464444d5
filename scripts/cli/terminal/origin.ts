import { CommandError } from './command.ts';

/** The server of `--url` or TOLLHOUSE_URL; undefined if neither is given. @throws {CommandError} if it is no address */
export function givenOrigin(url: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  const text = url ?? environment['TOLLHOUSE_URL'];
  if (text === undefined || (url === undefined && text === '')) return undefined;
  const { protocol, origin } = URL.canParse(text) ? new URL(text) : { protocol: '', origin: '' };
  if (protocol === 'http:' || protocol === 'https:') return origin;
  const name = url === undefined ? 'TOLLHOUSE_URL' : '--url';
  throw new CommandError(`${name} is ${JSON.stringify(text)}: give an address such as http://127.0.0.1:8402`, 2);
}
