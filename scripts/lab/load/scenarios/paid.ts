import type { Hex } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { toolNameOf } from '../../../../gateway/operations/operation/operation.ts';
import { fromBase64, type Required, readRequired, type SignedPayment, signPayment } from '../../../cli/try/offers.ts';
import { type Exchange, exchange, headerOf, outcomeOf, type Reply } from './exchange.ts';
import { createOrders, type Order } from './orders.ts';
import { createStock, type Outcome, type Scenario, type ScenarioContext } from './scenario.ts';
import { fundWallet } from './wallets.ts';

const PAYERS = 32;
/** Payments of one wallet before the next faucet. The faucet gives far more than they cost. */
const PAYMENTS_PER_WALLET = 200;
/** Payments are signed long before they are sent. */
const VALID_S = 1800;

/** A way to send a paid call. */
interface Carrier {
  readonly pay: (order: Order, payment: SignedPayment) => Exchange;
  readonly read: (reply: Reply) => Outcome;
}

const OVER_HTTP: Carrier = {
  pay: ({ operation, body }, { header }) => ({
    path: operation.path,
    body,
    headers: { 'payment-signature': header },
  }),
  read: (reply) => outcomeOf(reply, 200),
};

const AS_TOOL: Carrier = {
  pay: ({ operation, args }, { payload }) => ({
    path: '/mcp',
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: toolNameOf(operation), arguments: args, _meta: { 'x402/payment': payload } },
    }),
    headers: { accept: 'application/json, text/event-stream' },
  }),
  read(reply) {
    const outcome = outcomeOf(reply, 200);
    if (!outcome.isGood) return outcome;
    if (reply.text.includes('x402/payment-response')) return outcome;
    return { isGood: false, code: /"code":"([A-Z_]+)"/.exec(reply.text)?.[1] ?? '200 not settled' };
  },
};

interface SignedOrder {
  readonly order: Order;
  readonly required: Required;
  readonly payment: SignedPayment;
  readonly payer: Hex;
}

/** Makes a function that fetches the offer of the next request, and signs its payment (x402, scheme `exact`). */
export function createPaidOrders(context: ScenarioContext): (index: number) => Promise<SignedOrder> {
  const nextOrder = createOrders('html-to-markdown', context);
  const payers = createPayers(context);
  return async (index) => {
    const order = nextOrder();
    const offered = await exchange(context.pool, { path: order.operation.path, body: order.body });
    const header = headerOf(offered, 'payment-required');
    const required = header === undefined ? undefined : readRequired(fromBase64(header));
    if (required === undefined) throw new Error(`no offer: ${outcomeOf(offered, 402).code} ${offered.text}`);
    const payer = await payers.next(index);
    return { order, required, payment: await signPayment(required, payer, VALID_S), payer: payer.address };
  };
}

/** A paid call. The payment is signed ahead. */
const createPaidBy =
  (carrier: Carrier) =>
  (context: ScenarioContext): Scenario => {
    const sign = createPaidOrders(context);
    const stock = createStock(async (index) => {
      const { order, payment } = await sign(index);
      return carrier.pay(order, payment);
    });
    return {
      prepare: stock.prepare,
      ready: stock.ready,
      send: async () => carrier.read(await exchange(context.pool, stock.take())),
    };
  };

export const createPaid = createPaidBy(OVER_HTTP);
export const createToolCall = createPaidBy(AS_TOOL);

/** Wallets that the faucet has funded. */
function createPayers({ pool }: ScenarioContext) {
  const payers: { account: Promise<LocalAccount>; paymentsLeft: number }[] = [];
  return {
    next(index: number): Promise<LocalAccount> {
      let payer = payers[index % PAYERS];
      if (payer === undefined || payer.paymentsLeft === 0) {
        payer = { account: fundWallet(pool).then(({ account }) => account), paymentsLeft: PAYMENTS_PER_WALLET };
        payers[index % PAYERS] = payer;
      }
      payer.paymentsLeft -= 1;
      return payer.account;
    },
  };
}
