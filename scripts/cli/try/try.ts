import { COMMAND_LINES } from '../../../services/platform/process/installation.ts';
import { type Command, CommandError, type Options, type Terminal } from '../terminal/command.ts';
import { givenOrigin } from '../terminal/origin.ts';
import { type Groups, runProgram } from '../terminal/program.ts';

const PAYMENT = '[--pay] [--channel] [--wallet <FILE>] [--rpc <NODE>] [--url <ORIGIN>]';

const COMMANDS: Groups = {
  'Calls with a new wallet, or with yours': {
    [`html-to-markdown <FILE> ${PAYMENT}`]: [
      'converts a page; - reads standard input',
      async () => callOf('html-to-markdown'),
      'page.html --pay',
    ],
    [`geocode <QUERY> ${PAYMENT}`]: ['finds an address', async () => callOf('geocode'), '"Łódź, Poland"'],
    [`reverse-geocode <LAT,LON> ${PAYMENT}`]: [
      'finds the address of a point in degrees',
      async () => callOf('reverse-geocode'),
      '48.2082,16.3738',
    ],
  },
  'Refunds in the sandbox': {
    'transfer <TO> <MICRO_USD> --rpc <NODE>': [
      'sends play money from the wallet of the seller, as `payments refund` asks',
      async () => transfer,
    ],
  },
  'Verified execution': {
    'verified [RUN] [--url <ORIGIN>] [--agent-key <KEY>] [--approver-key <KEY>]': [
      'plays the runs of docs/verified-execution/refund-agent, or one run',
      async () => verified,
      'as-planned',
    ],
  },
};

const MEANINGS = {
  '--agent-key <KEY>': 'of the tenant; otherwise TOLLHOUSE_AGENT_KEY, or that of the local sandbox (TOLLHOUSE_DATA)',
  '--approver-key <KEY>': 'of the same tenant; otherwise TOLLHOUSE_APPROVER_KEY, or that of the local sandbox',
  '--channel': 'with --pay: deposit once, pay three calls by vouchers, and get the rest back',
  '--pay': "pay, with the sandbox's play money; otherwise the call uses free credit",
  '--rpc <NODE>':
    'the node of the network of --wallet, which --channel asks; for transfer, the chain that npm start names',
  '--url <ORIGIN>': 'the server; otherwise that of TOLLHOUSE_URL, or the one on this machine, on port PORT (8402)',
  '--wallet <FILE>':
    'the private key of a wallet of yours, which pays instead. Outside the sandbox, that is real money or test money',
};

/** A negative latitude looks like an option. Moves such arguments behind `--`, which ends the options. */
function endOptionsAt(pattern: RegExp, args: readonly string[]): string[] {
  const isArgument = (arg: string) => pattern.test(arg);
  return [...args.filter((arg) => !isArgument(arg)), '--', ...args.filter(isArgument)];
}

/** Runs a command of a new user. @throws what `main` reports */
export const runTry = (args: readonly string[], terminal: Terminal): Promise<void> =>
  runProgram(
    {
      name: COMMAND_LINES.try,
      about: ['Calls the API as a new user, and prints every step.', 'A command with --help says what it takes.'],
      groups: COMMANDS,
      meanings: MEANINGS,
    },
    args.some((arg) => /^-\d/.test(arg)) ? endOptionsAt(/^-\d/, args) : args,
    terminal,
  );

async function serverOf({ environment }: Terminal, { url }: Options): Promise<string> {
  const { portOf } = await import('../../launch/settings.ts');
  return givenOrigin(url, environment) ?? `http://127.0.0.1:${portOf(environment)}`;
}

async function callOf(name: string): Promise<Command> {
  const { tryOperation } = await import('./try-operation.ts');
  return async (terminal, options, argument) => {
    const { pay, channel, wallet: keyFile, rpc: nodeUrl } = options;
    if (channel && !pay) throw new CommandError('--channel needs --pay', 2);
    const payment = channel ? 'channel' : pay ? 'exact' : undefined;
    const origin = await serverOf(terminal, options);
    await tryOperation({ name, argument, origin, payment, keyFile, nodeUrl });
  };
}

const transfer: Command = async (_terminal, { rpc }, to, amount) => {
  if (rpc === undefined || to === undefined || amount === undefined) throw new CommandError('--rpc is missing', 2);
  const { tryTransfer } = await import('./try-transfer.ts');
  await tryTransfer(rpc, to, amount);
};

const verified: Command = async (terminal, options, wanted?: string) => {
  const { tryVerified } = await import('./try-verified.ts');
  const { environment, say } = terminal;
  const origin = await serverOf(terminal, options);
  const areAllAsExpected = await tryVerified({ origin, options, environment, wanted, say });
  if (!areAllAsExpected) throw new CommandError('a run did not end as expected');
};
