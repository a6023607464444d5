import test from 'ava';
import { examinePayments } from '../../../../../scripts/cli/tollhouse/doctor/examine-payments.ts';
import { freePort } from '../../../../../scripts/launch/servers/free-port.ts';
import { createWallet } from '../../../../kit/chain.ts';
import { startTestAnvil } from '../../../../kit/servers.ts';
import { saying, startFacilitator, type TestFacilitator } from '../../../../services/payments/test-facilitator.ts';
import { placeContracts } from '../../../../services/payments/test-sandbox.ts';

const anvil = await startTestAnvil();
const facilitator = await startFacilitator(() => {});
const port = await freePort();
test.after.always(() => {
  facilitator.stop();
  return anvil.stop();
});

const SETTINGS = {
  PAYMENTS_URL: `127.0.0.1:${port}`,
  X402_FACILITATOR_URL: facilitator.url,
  X402_RPC_URL: anvil.url,
  X402_PAY_TO: createWallet().address,
  X402_NETWORK: 'eip155:31337',
};

/** What is found without a payments service: of the node and of the facilitator. */
async function look(guard: TestFacilitator['guard'], settings: NodeJS.ProcessEnv = {}) {
  facilitator.guard = guard;
  const [service, ...findings] = await examinePayments({ environment: { ...SETTINGS, ...settings }, say: () => {} });
  return [service?.check, ...findings.map(({ check, level, found }) => `${check} ${level}: ${found}`)].join('\n');
}

const answering =
  (body: unknown, status = 200): TestFacilitator['guard'] =>
  (_, response) => {
    saying(body, status)(response);
    return true;
  };

test.serial('where no payments service runs, doctor looks at its node, token and facilitator itself', async (t) => {
  t.regex(await look(() => false), /^payments\npayments.node failure: .* has no code.*\npayments.facilitator ok: /);
  await placeContracts(anvil.url);
  t.regex(await look(() => false), /^payments\npayments.node ok: it is on eip155:31337, and its token is USD.*\n/);
  const other = { X402_NETWORK: 'eip155:8453' };
  t.regex(await look(() => false, other), /failure: .* chain with id 31337.*\npayments.facilitator failure: .*8453/);
  for (const [guard, found] of [
    [answering('unknown key', 401), /facilitator failure: .*refused the credentials of this service \(status 401\)/],
    [answering('no list', 500), /facilitator warning: it does not say/],
  ] as const) {
    t.regex(await look(guard), found);
  }
  t.regex(await look(() => false, { X402_FACILITATOR_URL: 'http://127.0.0.1:1' }), /facilitator failure: /);
  t.is(await look(() => false, { X402_FACILITATOR_URL: '' }), 'payments', 'the sandbox has its own chain');
});
