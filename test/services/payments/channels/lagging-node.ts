import { createServer } from 'node:http';
import { isRecord } from '../../../../services/platform/is-record.ts';
import { portOf } from '../../../kit/port-of.ts';

export interface LaggingNode {
  readonly url: string;
  /** The node that has all blocks. */
  of: string;
  /** Blocks that the node does not have which answers the latest block, or a request for events. */
  lag: number;
  lagOfLogs: number;
  stop(): void;
}

const hex = (value: number): string => `0x${value.toString(16)}`;

/** Nodes behind a balancer: each HTTP request is answered by one of them, and some have fewer blocks. */
export async function startLaggingNode(): Promise<LaggingNode> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const asked: unknown = JSON.parse(Buffer.concat(parts).toString());
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(await ask(await change(asked))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function ask(body: unknown): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    return (await fetch(node.of, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  }
  async function change(asked: unknown): Promise<unknown> {
    const calls: readonly unknown[] = Array.isArray(asked) ? asked : [asked];
    const hasLogs = calls.some((call) => isRecord(call) && call['method'] === 'eth_getLogs');
    const answer = await ask({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
    const latest = Number(isRecord(answer) ? answer['result'] : 0) - (hasLogs ? node.lagOfLogs : node.lag);
    const changed = calls.map((call) => (isRecord(call) ? { ...call, params: paramsOf(call, latest) } : call));
    return Array.isArray(asked) ? changed : changed[0];
  }

  const node: LaggingNode = {
    url: `http://127.0.0.1:${portOf(server)}`,
    of: '',
    lag: 0,
    lagOfLogs: 0,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return node;
}

/** What a node does not have, it does not answer. */
function paramsOf({ method, params }: Readonly<Record<string, unknown>>, latest: number): unknown {
  const [first, ...others] = Array.isArray(params) ? params : [];
  if (method === 'eth_getLogs' && isRecord(first)) {
    return [{ ...first, toBlock: hex(Math.min(Number(first['toBlock']), latest)) }];
  }
  if (method === 'eth_call' || method === 'eth_estimateGas') {
    const [block = 'latest', ...overrides] = others;
    return [first, block === 'latest' ? hex(latest) : block, ...overrides];
  }
  if (method !== 'eth_getBlockByNumber') return params;
  if (first === 'latest') return [hex(latest), ...others];
  return Number(first) > latest ? [hex(Number(first) + 1_000_000), ...others] : params;
}
