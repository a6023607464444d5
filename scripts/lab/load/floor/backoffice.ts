// Reserves and posts: one function of PostgreSQL for each message.
import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { constants, zstdCompressSync } from 'node:zlib';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import pg from 'pg';
import {
  type CreditResponse,
  LedgerServiceService,
  type PostRequest,
  type ReserveRequest,
} from '../../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { GRANT_MICRO_USD } from '../../../../services/ledger/contract/trial-terms.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { serving } from './streams.ts';

const [address = '', databaseUrl = ''] = process.argv.slice(2);
const BUDGET_MICRO_USD = 1_000_000_000_000n;
const pool = new pg.Pool({ connectionString: databaseUrl, max: 4, idleTimeoutMillis: 0 });
const key = createSecretKey(randomBytes(32));

function seal(body: Buffer): Buffer {
  const packed = zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
}

async function ask(name: string, values: readonly unknown[]): Promise<bigint> {
  const places = values.map((_, index) => `$${index + 1}`).join();
  const { rows } = await pool.query<{ credit: string }>({
    name,
    text: `SELECT ${name}(${places}) AS credit`,
    values: [...values],
  });
  return BigInt(String(rows[0]?.credit));
}

async function reserve({ id, items }: ReserveRequest): Promise<CreditResponse> {
  const { reservationId, wallet, nonce, expirationTimeMs, deadlineMs, operation, amountMicroUsd } = defined(items[0]);
  const times = [new Date(expirationTimeMs), new Date(deadlineMs)];
  const terms = [amountMicroUsd, GRANT_MICRO_USD, BUDGET_MICRO_USD].map(String);
  const balanceMicroUsd = await ask('reserve', [reservationId, wallet, nonce, ...times, operation, ...terms]);
  const value = { state: 'reserved', balanceMicroUsd };
  return { id, outcomes: [{ outcome: { $case: 'result', value } }] };
}

async function post({ id, items }: PostRequest): Promise<CreditResponse> {
  const { reservationId, requestBody, responseBody } = defined(items[0]);
  const balanceMicroUsd = await ask('post', [reservationId, seal(requestBody), seal(responseBody)]);
  const value = { state: 'posted', balanceMicroUsd };
  return { id, outcomes: [{ outcome: { $case: 'result', value } }] };
}

const server = new Server();
const { reserve: reserveMethod, post: postMethod } = LedgerServiceService;
server.addService({ reserve: reserveMethod, post: postMethod }, { reserve: serving(reserve), post: serving(post) });
server.bindAsync(address, ServerCredentials.createInsecure(), () => process.send?.('up'));
