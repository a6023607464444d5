import { once } from 'node:events';
import { type Client, Metadata } from '@grpc/grpc-js';

const LIST_SERVICES = 7;
const FILE_CONTAINING_SYMBOL = 4;

/** Sends one request to a version of the reflection protocol, and says at once that there will be no more. */
async function reflect(client: Client, version: string, request: Buffer): Promise<string> {
  const answers: Buffer[] = [];
  const stream = client.makeBidiStreamRequest<Buffer, Buffer>(
    `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
    (bytes) => bytes,
    (bytes) => bytes,
    new Metadata(),
  );
  stream.on('data', (answer: Buffer) => answers.push(answer));
  stream.end(request);
  await once(stream, 'end');
  return Buffer.concat(answers).toString('latin1');
}

/** A length-delimited field of the protocol. */
const textField = (field: number, text: string): Buffer =>
  Buffer.from([(field << 3) | 2, text.length, ...Buffer.from(text)]);

/** Names of the services that a server lists, in the order of the alphabet. */
export async function listServices(client: Client, version = 'v1'): Promise<readonly string[]> {
  const answer = await reflect(client, version, textField(LIST_SERVICES, '*'));
  return Array.from(answer.matchAll(/(?:tollhouse|grpc)\.[\w.]+/g), ([name]) => name).toSorted();
}

/** The bytes of the answer with the file that defines a symbol. */
export const findSymbol = (client: Client, symbol: string, version = 'v1'): Promise<string> =>
  reflect(client, version, textField(FILE_CONTAINING_SYMBOL, symbol));
