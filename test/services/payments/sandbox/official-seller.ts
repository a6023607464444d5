import { x402Facilitator } from '@x402/core/facilitator';
import { type FacilitatorClient, x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server';
import { toFacilitatorEvmSigner } from '@x402/evm';
import { BatchSettlementEvmScheme as FacilitatorScheme } from '@x402/evm/batch-settlement/facilitator';
import { BatchSettlementEvmScheme as ServerScheme } from '@x402/evm/batch-settlement/server';
import { type Abi, createWalletClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { SANDBOX_SIGNER_KEY } from '../../../../services/payments/sandbox/sandbox.ts';
import { awaitReceipt, createWallet, toChain } from '../../../kit/chain.ts';
import type { ChannelChain } from './channel-chain.ts';

export const NETWORK = 'eip155:31337';
export const PRICE = 14_000n;
/** Seconds; the shortest that the scheme allows. */
const SELLER_DELAY_S = 900;

/**
 * A seller that consists of the official server and facilitator parts, on the contracts of the sandbox. It needs no port:
 * its `fetch` is for the official client.
 */
export async function createOfficialSeller(chain: ChannelChain) {
  const [receiver, authorizer] = [createWallet(), createWallet()];
  const facilitator = createFacilitator(chain);
  const scheme = new ServerScheme(receiver.address, {
    receiverAuthorizerSigner: authorizer,
    withdrawDelay: SELLER_DELAY_S,
  });
  const server = new x402HTTPResourceServer(new x402ResourceServer(facilitator).register(NETWORK, scheme), {
    '/paid': {
      accepts: {
        scheme: 'batch-settlement',
        network: NETWORK,
        payTo: receiver.address,
        price: { asset: chain.token.address, amount: `${PRICE}`, extra: { name: 'USD Coin', version: '2' } },
        maxTimeoutSeconds: 60,
      },
    },
  });
  await server.initialize();
  return {
    receiver,
    manager: scheme.createChannelManager(facilitator, NETWORK, chain.token.address),
    url: 'http://seller.test/paid',
    fetch: (input: string | URL | Request, init?: RequestInit) => respond(server, new Request(input, init)),
  };
}

function createFacilitator({ node, url }: ChannelChain): FacilitatorClient {
  const account = privateKeyToAccount(SANDBOX_SIGNER_KEY);
  const wallet = createWalletClient({ account, transport: toChain(url) });
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    // The package types ABIs as lists of unknown values.
    readContract: ({ abi, ...args }) => node.readContract({ ...args, abi: abi as Abi }),
    writeContract: ({ abi, ...args }) => wallet.writeContract({ ...args, chain: null, abi: abi as Abi }),
    sendTransaction: (transaction) => wallet.sendTransaction({ ...transaction, chain: null }),
    waitForTransactionReceipt: ({ hash }) => awaitReceipt(node, hash),
    getCode: (args) => node.getCode(args),
    verifyTypedData: () => Promise.resolve(false),
  });
  const facilitator = new x402Facilitator().register(NETWORK, new FacilitatorScheme(signer));
  return {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    getSupported: async () => {
      const { extensions, signers } = facilitator.getSupported();
      return { kinds: [{ x402Version: 2, scheme: 'batch-settlement', network: NETWORK }], extensions, signers };
    },
  };
}

/** Verifies, executes nothing, settles and answers. */
async function respond(server: x402HTTPResourceServer, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const paymentHeader = request.headers.get('payment-signature') ?? undefined;
  const result = await server.processHTTPRequest({
    adapter: {
      getHeader: (name) => request.headers.get(name) ?? undefined,
      getMethod: () => request.method,
      getPath: () => pathname,
      getUrl: () => request.url,
      getAcceptHeader: () => 'application/json',
      getUserAgent: () => 'test',
    },
    path: pathname,
    method: request.method,
    ...(paymentHeader !== undefined && { paymentHeader }),
  });
  if (result.type === 'no-payment-required') throw new Error('every request of this seller is paid');
  if (result.type === 'payment-error') return toResponse(result.response);
  const settled = await server.processSettlement(result.paymentPayload, result.paymentRequirements);
  return settled.success ? new Response('paid', { headers: settled.headers }) : toResponse(settled.response);
}

const toResponse = ({ status, headers, body }: { status: number; headers: Record<string, string>; body?: unknown }) =>
  new Response(JSON.stringify(body ?? {}), { status, headers });
