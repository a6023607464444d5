// One route: recovers the signer, takes the wallet's lock, reserves, converts, and posts with both bodies.
import { credentials } from '@grpc/grpc-js';
import fastify from 'fastify';
import { createClient } from 'redis';
import { v7 as uuidv7 } from 'uuid';
import { hashMessage } from 'viem';
import { ContentServiceClient } from '../../../../proto/gen/tollhouse/content/v1/content.ts';
import { LedgerServiceClient } from '../../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { recoverAddress } from '../../../../services/platform/ethereum/recover-address.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import type { FloorProof } from './floor-calls.ts';
import { asking } from './streams.ts';

const [port = '', ledgerAddress = '', contentAddress = '', redisUrl = ''] = process.argv.slice(2);
const ledger = new LedgerServiceClient(ledgerAddress, credentials.createInsecure());
const content = new ContentServiceClient(contentAddress, credentials.createInsecure());
const reserve = asking(ledger.reserve());
const post = asking(ledger.post());
const convert = asking(content.convertHtmlStream());
const redis = createClient({ url: redisUrl });
await redis.connect();

const LOCK_MS = 2000;
const RELEASE = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end';
const PRICE = 3000n;
const CALL_MS = 30_000;
const RS_BYTES = 64;

function signerOf({ message, signature }: FloorProof): string {
  const bytes = Buffer.from(signature.slice(2), 'hex');
  const recovered = { rs: bytes.subarray(0, RS_BYTES), recoveryId: bytes.readUInt8(RS_BYTES) - 27 };
  return defined(recoverAddress(Buffer.from(hashMessage(message).slice(2), 'hex'), recovered));
}

const app = fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.post('/call', async (request, reply) => {
  const body = request.body as Buffer;
  const { html }: { readonly html: string } = JSON.parse(body.toString());
  const header = String(request.headers['sign-in-with-x']);
  const proof: FloorProof = JSON.parse(Buffer.from(header, 'base64').toString());
  const wallet = signerOf(proof);
  if (wallet !== proof.address) throw new Error('somebody else signed');
  const reservationId = uuidv7();
  const lock = `floor:${wallet}`;
  if ((await redis.set(lock, reservationId, { NX: true, PX: LOCK_MS })) === null) throw new Error('the wallet is busy');
  const deadlineMs = Date.now() + CALL_MS;
  const ask = {
    wallet: wallet.toLowerCase(),
    nonce: proof.nonce,
    operation: 'html-to-markdown',
    amountMicroUsd: PRICE,
  };
  await reserve({
    id: 1n,
    items: [{ reservationId, ...ask, expirationTimeMs: deadlineMs, deadlineMs, lockLeftMs: LOCK_MS }],
  });
  void redis.eval(RELEASE, { keys: [lock], arguments: [reservationId] });
  const { outcomes } = await convert({ id: 1n, items: [{ html }] });
  const { outcome } = defined(outcomes[0]);
  if (outcome?.$case !== 'result') throw new Error('the page was not converted');
  const answer = Buffer.from(JSON.stringify(outcome.value));
  await post({ id: 1n, items: [{ reservationId, requestBody: body, responseBody: answer }] });
  return reply.headers({ 'x-trial-accounting-status': 'confirmed' }).type('application/json').send(answer);
});
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.send?.('up');
