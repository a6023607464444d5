import { parseArgs } from 'node:util';
import { portOf } from '../../launch/settings.ts';
import { TryError } from './try-error.ts';
import { tryOperation } from './try-operation.ts';
import { tryVerified } from './try-verified.ts';

const USAGE = `usage: npm run try -- html-to-markdown FILE [--pay [--channel]] [--wallet KEY_FILE [--rpc NODE]] [--url ORIGIN]
       npm run try -- geocode "QUERY" …
       npm run try -- reverse-geocode LAT,LON …
       npm run try -- verified [RUN] [--url ORIGIN] [--agent-key KEY --approver-key KEY]

The first three commands create a wallet and call an operation with it. The wallet pays with its free credit, or, with
--pay, with the sandbox's play money. With --channel it deposits once, pays three calls by vouchers, and gets the rest back.
  FILE      the HTML to convert; - reads standard input
  LAT,LON   degrees, such as 48.2082,16.3738
  KEY_FILE  a file with the private key of a wallet of yours, which pays instead: the price of the call, or a deposit.
            Outside the sandbox, that is real money or the test money of a public network
  NODE      the node of that network, which --channel asks

"verified" plays the runs of docs/verified-execution/refund-agent. With RUN it plays one run and saves the run's proof.
The two API keys come from the options, from TOLLHOUSE_AGENT_KEY and TOLLHOUSE_APPROVER_KEY, or from the data folder of
the local sandbox (TOLLHOUSE_DATA).

Without --url, the server is the one on this machine, on port PORT (8402).`;

/** A negative latitude looks like an option. Moves such arguments behind `--`, which ends the options. */
function endOptionsAt(pattern: RegExp, args: readonly string[]): string[] {
  const isArgument = (arg: string) => pattern.test(arg);
  return [...args.filter((arg) => !isArgument(arg)), '--', ...args.filter(isArgument)];
}

/** Runs a command of a new user. @throws what `main` reports */
export async function runTry(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const { values, positionals } = parseArgs({
    args: endOptionsAt(/^-\d/, args),
    allowPositionals: true,
    options: {
      pay: { type: 'boolean', default: false },
      channel: { type: 'boolean', default: false },
      wallet: { type: 'string' },
      rpc: { type: 'string' },
      url: { type: 'string' },
      'agent-key': { type: 'string' },
      'approver-key': { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [name, argument] = positionals;
  if (values.help || name === undefined) throw new TryError(USAGE);
  const { origin } = new URL(values.url ?? `http://127.0.0.1:${portOf(environment)}`);
  if (name === 'verified') {
    const sources = { origin, options: values, environment };
    const areAllAsExpected = await tryVerified({ ...sources, wanted: argument, say: (line) => console.log(line) });
    if (!areAllAsExpected) throw new TryError('a run did not end as expected');
    return;
  }
  if (values.channel && !values.pay) throw new TryError('--channel needs --pay');
  const payment = values.channel ? 'channel' : values.pay ? 'exact' : undefined;
  const { wallet: keyFile, rpc } = values;
  const isKnown =
    argument !== undefined && (await tryOperation({ name, argument, origin, payment, keyFile, nodeUrl: rpc }));
  if (!isKnown) throw new TryError(USAGE);
}
