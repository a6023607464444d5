import type { ReadStandingResponse, StandingFault } from '../../../proto/gen/tollhouse/payments/v1/operator.ts';
import { atMostOnce } from '../../platform/at-most-once.ts';
import { readSettlementFigures } from '../../store/settlement-figures.ts';
import type { KnownChain } from '../chain/known-chain.ts';
import { readLatestBlock } from '../chain/rpc.ts';
import type { Context } from '../payment/context.ts';
import { formatGas } from '../signer/format-gas.ts';
import type { GasReserve } from '../signer/gas-reserve.ts';

/** The node may bill its requests. */
const FRESH_MS = 5000;
const MAX_MESSAGE = 200;

/** Reads what an operator watches, at most once in five seconds. What cannot be read is left out and named. */
export function createStanding(
  { database, network }: Context,
  known: KnownChain | undefined,
  gas: GasReserve | undefined,
): () => Promise<ReadStandingResponse> {
  async function readChain() {
    if (known === undefined) return undefined;
    const beganMs = performance.now();
    const latest = await readLatestBlock(known.rpc);
    const milliseconds = performance.now() - beganMs;
    return { network, latestBlock: latest.number, latestBlockS: latest.timestamp, milliseconds };
  }

  async function readGas() {
    if (gas === undefined) return undefined;
    return formatGas(await gas.read());
  }

  async function read(): Promise<ReadStandingResponse> {
    const faults: StandingFault[] = [];
    const part = async <Result>(name: string, work: Promise<Result>): Promise<Result | undefined> => {
      try {
        return await work;
      } catch (error) {
        faults.push({ part: name, message: messageOf(error) });
        return undefined;
      }
    };
    const [chain, balance, settlements] = await Promise.all([
      part('chain', readChain()),
      part('gas', readGas()),
      part('settlements', readSettlementFigures(database, network)),
    ]);
    return { chain, gas: balance, settlements, faults };
  }

  return atMostOnce({ freshMs: FRESH_MS, monotonicMs: () => performance.now() }, read);
}

/** The rest of a message of the node's client has its URL, which may have a key. */
function messageOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replaceAll(/https?:\/\/\S+/g, '(address)').slice(0, MAX_MESSAGE);
}
