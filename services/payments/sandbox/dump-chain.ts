import type { FileHandle } from 'node:fs/promises';

const REQUEST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_dumpState', params: [] });
/** Comes before the state, which is a text of hexadecimal digits and so has no quotation mark. */
const BEGIN = '"result":"';
const END = '"';
/** The reply begins with the result. The first part of a reply without one is the message of an error. */
const MAX_HEAD_BYTES = 1000;

/**
 * Asks an anvil for its state. Resolves when the reply begins: anvil has collected the state by then. The state is written as
 * it arrives. It grows with every payment, and would have to be in memory several times to be read as JSON.
 */
export async function dumpChain(rpcUrl: string, timeoutMs: number) {
  const { ok, status, body } = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: REQUEST,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!ok || body === null) throw new Error(`anvil did not dump its state: status ${status}`);
  return {
    /** @throws {Error} if the file does not have the whole state */
    writeTo: (file: FileHandle): Promise<void> => file.writeFile(resultOf(body)),
  };
}

async function* resultOf(reply: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0);
  let hasEnded = false;
  for await (const bytes of reply) {
    let part = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (head !== undefined) {
      head = Buffer.concat([head, part]);
      const begin = head.indexOf(BEGIN);
      if (begin === -1 && head.length > MAX_HEAD_BYTES) break;
      if (begin === -1) continue;
      part = head.subarray(begin + BEGIN.length);
      head = undefined;
    }
    if (hasEnded) continue;
    const end = part.indexOf(END);
    hasEnded = end !== -1;
    yield hasEnded ? part.subarray(0, end) : part;
  }
  if (head !== undefined) throw new Error(`anvil did not dump its state: ${head.toString('utf8', 0, MAX_HEAD_BYTES)}`);
  if (!hasEnded) throw new Error('anvil did not dump its whole state');
}
