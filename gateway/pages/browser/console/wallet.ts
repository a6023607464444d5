import { type Authorization, chainIdOf, type Payer } from './payment.ts';
import { CallError } from './send.ts';

/** A network as people and as wallets know it. */
export interface Network {
  readonly name: string;
  /** CAIP-2 id. */
  readonly id: string;
  /** How a wallet reaches it. Empty if wallets know that. */
  readonly access: string;
}

/** A wallet of the browser. Its functions throw {@link CallError}: whatever fails in it, no payment was sent. */
export interface BrowserWallet {
  readonly name: string;
  /** Its account, once it uses the network. */
  connect(): Promise<Payer>;
  /** Asks it to use the network. */
  switchNetwork(): Promise<void>;
}

/** A wallet as pages reach it (EIP-1193). */
interface Provider {
  request(asked: { readonly method: string; readonly params: readonly unknown[] }): Promise<unknown>;
}

const MAX_NAME = 40;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const SIGNATURE = /^0x(?:[0-9a-fA-F]{2})+$/;
const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

const isProvider = (value: unknown): value is Provider => typeof Object(value).request === 'function';

/** Calls `show` once for each wallet that the browser announces (EIP-6963), or for `window.ethereum` if it announces none. */
export function findWallets(network: Network, show: (wallet: BrowserWallet) => void): void {
  const shown = new Set<unknown>();
  const add = (name: unknown, provider: unknown): void => {
    if (!isProvider(provider) || shown.has(provider)) return;
    shown.add(provider);
    show(openWallet(String(name).slice(0, MAX_NAME), provider, network));
  };
  addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = Object((event as CustomEvent<unknown>).detail);
    add(Object(info).name, provider);
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
  if (shown.size === 0) add("the browser's wallet", Object(globalThis).ethereum);
}

function openWallet(name: string, provider: Provider, network: Network): BrowserWallet {
  const chainId = chainIdOf(network.id);
  const failed = (code: string, says: string) => new CallError(code, says, { isSigned: false });
  const ask = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    try {
      return await provider.request({ method, params });
    } catch (error) {
      const [code, says] = wordsOf(error, name, network);
      throw failed(code, says);
    }
  };
  const sign = async (address: string, { domain, types, primaryType, message }: Authorization) => {
    const data = { domain, types: { EIP712Domain: DOMAIN, ...types }, primaryType, message };
    const text = JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    const signature = await ask('eth_signTypedData_v4', [address, text]);
    if (typeof signature !== 'string' || !SIGNATURE.test(signature))
      throw failed('WALLET_FAILED', `${name} gave no signature.`);
    return signature as `0x${string}`;
  };
  return {
    name,
    async connect() {
      const accounts = await ask('eth_requestAccounts');
      const address: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
      if (typeof address !== 'string' || !ADDRESS.test(address))
        throw failed('WALLET_LOCKED', `${name} is locked, or gives this page no account.`);
      if (Number(await ask('eth_chainId')) !== chainId)
        throw failed('WALLET_OTHER_NETWORK', `${name} uses another network than ${network.name} (${network.id}).`);
      return { address: address as `0x${string}`, signTypedData: (data) => sign(address, data) };
    },
    async switchNetwork() {
      await ask('wallet_switchEthereumChain', [{ chainId: `0x${chainId.toString(16)}` }]);
    },
  };
}

/** What an error of a wallet means (EIP-1193, EIP-1474, EIP-3326). Some wallets wrap the error of an inner one. */
function wordsOf(error: unknown, name: string, network: Network): readonly [code: string, says: string] {
  const { code, data, message } = Object(error);
  switch (Object(data).originalError?.code ?? code) {
    case 4001:
      return ['WALLET_DECLINED', `You declined in ${name}.`];
    case 4100:
      return ['WALLET_LOCKED', `${name} is locked, or gives this page no account.`];
    case -32_002:
      return ['WALLET_BUSY', `${name} still waits for your answer to an earlier question: open it.`];
    case 4902: {
      const how = `Add it there first, with the chain id ${chainIdOf(network.id)}${network.access}.`;
      return ['WALLET_UNKNOWN_NETWORK', `${name} does not know ${network.name} (${network.id}). ${how}`];
    }
    default:
      return ['WALLET_FAILED', `${name} failed: ${String(message).slice(0, 200)}`];
  }
}
