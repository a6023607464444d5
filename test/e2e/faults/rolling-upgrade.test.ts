import test, { type ExecutionContext } from 'ava';
import { freePort } from '../../../scripts/launch/servers/free-port.ts';
import { isListeningOn } from '../../../services/platform/process/listen-address.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { isAnswered, isConfirmed, once, openBuyers, PRICE, type SignedCall } from '../../kit/buyers.ts';
import { connectChain } from '../../kit/chain.ts';
import { type Answer, CONVERT, post, requirementsOf } from '../../kit/client.ts';
import { entryPoint } from '../../kit/entry-point.ts';
import { startStack } from '../../kit/stack.ts';
import { createTestFolder } from '../../kit/test-folder.ts';
import { until } from '../../kit/until.ts';
import { findDifferences } from './books.ts';
import { buildEarlierRelease } from './earlier-release.ts';
import { BODY } from './faulty-stack.ts';
import { query, untilQuiet } from './quiet.ts';

/** Confirmed trials and paid answers that each gateway must give before the next step of the upgrade. */
const TRIALS_A_STEP = 6;
const PAYMENTS_A_STEP = 2;
const LEDGER_TIMEOUT_MS = 1000;

const EARLIER = { gateway: 'gateway0', payments: 'payments', backoffice: 'backoffice' };
const CURRENT = { gateway: 'gateway1', payments: 'payments1', backoffice: 'backoffice1' };
type Release = typeof EARLIER;

const folder = createTestFolder();
const ports = new Map<string, number>();
const trials: SignedCall[] = [];
const payments: SignedCall[] = [];
/** Answers that no client of a rolling upgrade may get. */
const faults: string[] = [];
let isStopping = false;

const earlierEntry = await buildEarlierRelease(`${folder.path}/earlier`);
for (const { payments: one, backoffice: other } of [EARLIER, CURRENT]) {
  ports.set(one, await freePort()).set(other, await freePort());
}
const addressOf = (name: string) => `127.0.0.1:${ports.get(name)}`;
const both = (kind: 'payments' | 'backoffice') => `ipv4:${addressOf(EARLIER[kind])},${addressOf(CURRENT[kind])}`;
const targets = { PAYMENTS_URL: both('payments'), BACKOFFICE_URL: both('backoffice') };
const stack = await startStack({
  gateways: 2,
  entry: (source, name) => (Object.values(EARLIER).includes(name) ? earlierEntry(source) : entryPoint(source)),
  env: {
    gateway: { ...targets, PUBLIC_URLS: 'http://127.0.0.1:8402' },
    payments: { LISTEN: addressOf('payments') },
    payments1: { LISTEN: addressOf('payments1') },
    backoffice: { LISTEN: addressOf('backoffice'), PAYMENTS_URL: targets.PAYMENTS_URL },
    backoffice1: { LISTEN: addressOf('backoffice1'), PAYMENTS_URL: targets.PAYMENTS_URL },
  },
});
const [offer] = requirementsOf(await post(stack.urls[0] + CONVERT, BODY)).accepts;
test.after.always(async () => {
  await stack.stop();
  folder.remove();
});

const urlOf = ({ gateway }: Release) => defined(stack.urls[Number(gateway.slice(-1))]);

/** Clients that send trials and payments without a pause, and a load balancer before the gateways. */
function startLoad() {
  let taking: readonly string[] = stack.urls;
  let turn = 0;
  let isOver = false;
  const served = new Map<string, { trials: number; payments: number }>();
  const nextGateway = () => {
    turn += 1;
    return defined(taking[turn % taking.length]);
  };
  const count = (url: string, kind: 'trials' | 'payments') => {
    const before = served.get(url) ?? { trials: 0, payments: 0 };
    served.set(url, { ...before, [kind]: before[kind] + 1 });
  };

  /**
   * Sends a request. It must succeed, but a process that stops meanwhile may refuse it for now, and so may a machine that is
   * too busy for the time that gateways give the ledger.
   */
  async function send(call: SignedCall, kind: 'trials' | 'payments'): Promise<Answer> {
    const mayRefuse = isStopping;
    const url = nextGateway();
    const sentMs = performance.now();
    const answer = await call.send(url);
    const isLate = performance.now() - sentMs >= LEDGER_TIMEOUT_MS;
    const isRefused = answer.status === 503 && (mayRefuse || isStopping || isLate);
    if (answer.status !== 200 && !isRefused) faults.push(`${kind} at ${url}: ${answer.status} ${answer.text}`);
    if (kind === 'trials' ? isConfirmed(answer) : answer.status === 200) count(url, kind);
    return answer;
  }

  async function tryOnce(): Promise<void> {
    // A gateway that just started offers no trials until it has seen its services.
    const call = await until(() => openBuyers(nextGateway(), once).trial().sign(CONVERT, BODY));
    trials.push(call);
    await send(call, 'trials');
  }

  async function payOnce(): Promise<void> {
    const sign = async (url: string) => (await openBuyers(url, once).exact({ validS: 1800 })).sign(CONVERT, BODY);
    const call = await until(() => sign(nextGateway()));
    payments.push(call);
    await until(async () => (await send(call, 'payments')).status === 200);
    // The other gateway must give the same answer.
    await send(call, 'payments');
  }

  const repeat = async (once: () => Promise<void>) => {
    while (!isOver) await once();
  };
  const clients = Promise.all([tryOnce, tryOnce, tryOnce, payOnce, payOnce].map(repeat));
  return {
    /** Sends new requests only to these gateways. */
    route(releases: readonly Release[]): void {
      taking = releases.map(urlOf);
    },
    /** Resolves when every gateway that takes requests has served some more. */
    async progress(): Promise<void> {
      served.clear();
      const isServed = () =>
        taking.every((url) => {
          const found = served.get(url);
          return found !== undefined && found.trials >= TRIALS_A_STEP && found.payments >= PAYMENTS_A_STEP;
        });
      await Promise.race([until(isServed), clients]);
    },
    async stop(): Promise<void> {
      isOver = true;
      await clients;
    },
  };
}

async function startService(name: string): Promise<void> {
  await stack.start(name);
  const address = { host: '127.0.0.1', port: defined(ports.get(name)) };
  await until(() => isListeningOn(address));
}

/** Stops each process of a release as a deployment does: it ends by itself. */
async function stopRelease(t: ExecutionContext, { gateway, payments: payment, backoffice }: Release): Promise<void> {
  isStopping = true;
  for (const name of [gateway, payment, backoffice]) {
    stack.signal(name, 'SIGTERM');
    t.is(await stack.exited(name), 'exit code 0', name);
  }
  isStopping = false;
}

test.serial('two releases serve side by side, forward and back, and nothing is lost or duplicated', async (t) => {
  const load = startLoad();
  await Promise.all([startService(CURRENT.payments), startService(CURRENT.backoffice)]);
  await load.progress();

  load.route([CURRENT]);
  await stopRelease(t, EARLIER);
  await load.progress();

  const { gateway, payments: payment, backoffice } = EARLIER;
  await Promise.all([stack.start(gateway), startService(payment), startService(backoffice)]);
  load.route([EARLIER, CURRENT]);
  await load.progress();

  load.route([EARLIER]);
  await stopRelease(t, CURRENT);
  await load.progress();
  await load.stop();
  await untilQuiet(stack);

  t.deepEqual(faults, []);
  t.deepEqual(await findDifferences(stack, { trials, payments }), []);
  const paid = await connectChain(stack.chainUrl, offer.asset).balanceOf(offer.payTo as `0x${string}`);
  t.is(paid, PRICE * BigInt(payments.length));
  const refused = trials.filter((call) => !isAnswered(call)).length;
  t.log(`${trials.length} trials, ${refused} of them refused; ${payments.length} payments`);
});

test.serial('PostgreSQL has the functions of both releases', async (t) => {
  const schemas = await query(stack, 'SELECT functions_schema FROM ledger.release');
  t.is(schemas.length, 2);
});
