import test from 'ava';
import { CommandError } from '../../../../scripts/cli/terminal/command.ts';
import { runTry } from '../../../../scripts/cli/try/try.ts';
import { answering, startUpstream } from '../../../kit/upstream-server.ts';

/** Nothing listens there. */
const NOBODY = 'http://127.0.0.1:1';
const KEYS = { TOLLHOUSE_AGENT_KEY: 'thk_a', TOLLHOUSE_APPROVER_KEY: 'thk_b' };

for (const [args, environment, exitCode, message] of [
  [[], {}, 2, /^Usage: npm run try/],
  [['nothing'], {}, 2, /^error: unknown command 'nothing'\n.*--help/],
  [['geocod', 'x'], {}, 2, /Did you mean geocode\?/],
  [['geocode'], {}, 2, /^error: missing required argument 'QUERY'\nUsage: npm run try -- geocode <QUERY>/],
  [['geocode', 'x', '--pay', '--chanel'], {}, 2, /^error: unknown option '--chanel'\n\(Did you mean --channel\?\)/],
  [['geocode', 'x', '--channel'], {}, 2, /^--channel needs --pay$/],
  [['geocode', 'x', '--url', 'localhost:8402'], {}, 2, /^--url is "localhost:8402": give an address such as http:/],
  [['geocode', 'x'], { TOLLHOUSE_URL: 'here' }, 2, /^TOLLHOUSE_URL is "here"/],
  [
    ['geocode', 'x'],
    { TOLLHOUSE_URL: NOBODY },
    1,
    /^http:\/\/127\.0\.0\.1:1\/\S+ does not answer\. Start .* --url ORIGIN/,
  ],
  [['reverse-geocode', '-33.87,151.21', '--url', NOBODY], { TOLLHOUSE_URL: 'here' }, 1, /^http:\/\/127\.0\.0\.1:1\//],
  [['geocode', 'x'], { PORT: 'x' }, 78, /^PORT is "x": it must be/],
  [['verified'], { ...KEYS, TOLLHOUSE_URL: NOBODY }, 1, /^http:\/\/127\.0\.0\.1:1 does not answer\. Start /],
] as const) {
  test(`try ${args.join(' ')} with ${JSON.stringify(environment)} says what to type`, async (t) => {
    const error = await t.throwsAsync(runTry(args, { environment, say: () => {} }), {
      instanceOf: CommandError,
      message,
    });
    t.is(error?.exitCode, exitCode);
  });
}

for (const status of [404, 307]) {
  test(`another server than Tollhouse that answers ${status} is named, and a redirect is not followed`, async (t) => {
    const { baseUrl, seen } = await startUpstream(t, answering('<p>', status, { location: '/elsewhere' }));
    const tried = runTry(['verified', '--url', baseUrl.origin], { environment: KEYS, say: () => {} });
    const message = new RegExp(`answers ${status}, but not as Tollhouse does`);
    await t.throwsAsync(tried, { instanceOf: CommandError, message });
    t.is(seen.length, 1);
  });
}
