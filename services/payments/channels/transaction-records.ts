import { type Selectable, sql } from 'kysely';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Hex } from 'viem';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables.ts';
import { isBytes32, toLowerHex } from '../payment/hex.ts';
import type { SignedTransaction } from '../signer/transaction-sender.ts';
import { type PublicVoucher, publishing } from './channel-records.ts';

export type TransactionKind = Selectable<Tables['channel_transaction']>['kind'];

export interface NewTransaction {
  /** The kind, a colon, and the idempotency key. */
  readonly id: string;
  readonly kind: TransactionKind;
  /** JSON text. */
  readonly request: string;
  readonly fromBlock: bigint;
}

/** How a transaction ended, as a final block proves. */
export type Ending =
  /** `amount` is what it moved; undefined for a claim. */
  | { readonly state: 'done'; readonly transaction: Hex; readonly amount?: bigint }
  | { readonly state: 'refused'; readonly reason: string };

export interface ChannelTransaction extends NewTransaction {
  /** Hashes of the signed transactions, the last one at the end. Empty: nothing was signed here. */
  readonly transactions: readonly Hex[];
  /** The last signed transaction. */
  readonly signed: SignedTransaction | undefined;
  readonly ending: Ending | undefined;
}

export interface SignedHash {
  readonly hash: Hex;
  readonly signer: Hex;
  readonly signed: SignedTransaction;
  /** Vouchers in its data that are not noted as public yet. */
  readonly vouchers?: readonly PublicVoucher[];
}

export type TransactionRecords = ReturnType<typeof createTransactionRecords>;

/** Creates a reader of the stored request of a transaction. @throws {Error} for a text that this service cannot have written */
export function createRequestReader<Schema extends TSchema>(schema: Schema) {
  const isStored = Compile(schema);
  return ({ id, request }: Pick<NewTransaction, 'id' | 'request'>): Static<Schema> => {
    const stored: unknown = JSON.parse(request);
    if (!isStored.Check(stored)) throw malformed(id);
    return stored;
  };
}

const ENDED = sql<Date>`clock_timestamp()`;

/** The transactions of channels in PostgreSQL. */
export function createTransactionRecords(database: Database, network: string) {
  const rowOf = ({ id, kind, request, fromBlock }: NewTransaction) => ({
    network,
    id,
    kind,
    request,
    from_block: fromBlock,
  });
  const all = () => database.selectFrom('channel_transaction').where('network', '=', network);
  return {
    async find(id: string): Promise<ChannelTransaction | undefined> {
      const row = await all().selectAll().where('id', '=', id).executeTakeFirst();
      return row && toTransaction(row);
    },
    /** The transactions without an ending. */
    async open(kind?: TransactionKind): Promise<readonly ChannelTransaction[]> {
      const rows = await all()
        .selectAll()
        .where('state', '=', 'open')
        .$call((query) => (kind === undefined ? query : query.where('kind', '=', kind)))
        .orderBy('started_at')
        .execute();
      return rows.map(toTransaction);
    },
    /** The signed transactions with a nonce from `from` to before `to`, in order. Refused ones are not among them. */
    async signedBetween(from: number, to: number): Promise<readonly Hex[]> {
      const rows = await all()
        .select(['id', 'signed'])
        .where('state', '!=', 'refused')
        .where('nonce', '>=', BigInt(from))
        .where('nonce', '<', BigInt(to))
        .orderBy('nonce')
        .execute();
      return rows.flatMap(({ id, signed }) => (signed === null ? [] : [serializedOf(id, signed)]));
    },
    /** The refunds that were made by these transactions. Anyone can make refunds of several channels in one. */
    async refundsBy(transactions: readonly Hex[]): Promise<readonly ChannelTransaction[]> {
      if (transactions.length === 0) return [];
      const rows = await all()
        .selectAll()
        .where('kind', '=', 'refund')
        .where('transaction', 'in', transactions)
        .execute();
      return rows.map(toTransaction);
    },
    /** Stores a transaction that was not signed here. Does nothing if the id is known. */
    async insert(transaction: NewTransaction, ending?: Ending): Promise<void> {
      await database
        .insertInto('channel_transaction')
        .values({ ...rowOf(transaction), transactions: [], ...(ending ? endOf(ending) : { state: 'open' }) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    /**
     * Stores a signed transaction before it is sent: a new one, a repeat of one that was refused, or a replacement. The same
     * statement notes its vouchers as public: of one that is not stored, and so not sent, nobody has them. It also stores it
     * among the transactions of the signer, so that it can be replaced and its cost is counted after a crash too.
     */
    async sign(
      transaction: NewTransaction,
      { hash, signer, signed: { nonce, serialized }, vouchers = [] }: SignedHash,
    ): Promise<void> {
      const signed = { nonce: BigInt(nonce), signed: serialized };
      const opened = { state: 'open', reason: null, ended_at: null, request: transaction.request } as const;
      const stored = database
        .insertInto('channel_transaction')
        .values({ ...rowOf(transaction), ...signed, transactions: [hash], state: 'open' })
        .onConflict((conflict) =>
          conflict
            .columns(['network', 'id'])
            .doUpdateSet({
              ...signed,
              ...opened,
              transactions: sql`channel_transaction.transactions || ${[hash]}::text[]`,
            })
            // The refusal of a claim or refund is final.
            .where(sql<boolean>`channel_transaction.state = 'open'
              OR (channel_transaction.state = 'refused' AND channel_transaction.kind = 'deposit')`),
        )
        .returning('id');
      const { rows } = await sql`
        WITH stored AS (${stored}), noted AS (
          INSERT INTO signer_transaction (network, hash, first_hash, signer, nonce, scheme)
          SELECT ${network}, ${toLowerHex(hash)}, ${toLowerHex(hash)}, ${toLowerHex(signer)}, ${nonce}::bigint, 'batch-settlement' FROM stored
          ON CONFLICT DO NOTHING
        ), ${publishing(network, vouchers, sql`EXISTS (SELECT FROM stored)`)}
        SELECT id FROM stored`.execute(database);
      if (rows.length !== 1) throw new Error(`${transaction.id} has ended meanwhile`);
    },
    /** Does nothing if the transaction has an ending. */
    async end(id: string, ending: Ending): Promise<void> {
      await database
        .updateTable('channel_transaction')
        .set(endOf(ending))
        .where('network', '=', network)
        .where('id', '=', id)
        .where('state', '=', 'open')
        .execute();
    },
  };
}

const endOf = (ending: Ending) =>
  ending.state === 'done'
    ? { state: ending.state, transaction: ending.transaction, amount: ending.amount ?? null, ended_at: ENDED }
    : { state: ending.state, reason: ending.reason, ended_at: ENDED };

/** @throws {Error} for a row that this service cannot have written */
function toTransaction(row: Selectable<Tables['channel_transaction']>): ChannelTransaction {
  const { id, kind, request, nonce, signed } = row;
  const transactions = row.transactions.map((hash) => hexOf(id, hash));
  return {
    id,
    kind,
    request,
    fromBlock: row.from_block,
    transactions,
    signed:
      nonce === null || signed === null ? undefined : { nonce: Number(nonce), serialized: serializedOf(id, signed) },
    ending: endingOf(row),
  };
}

function endingOf({ id, state, reason, transaction, amount }: Selectable<Tables['channel_transaction']>) {
  if (state === 'open') return undefined;
  if (state === 'done' && transaction !== null) {
    return { state, transaction: hexOf(id, transaction), ...(amount !== null && { amount }) };
  }
  if (state === 'refused' && reason !== null) return { state, reason };
  throw malformed(id);
}

function hexOf(id: string, hash: string): Hex {
  if (!isBytes32(hash)) throw malformed(id);
  return hash;
}

function serializedOf(id: string, text: string): Hex {
  if (!/^0x[0-9a-f]+$/.test(text)) throw malformed(id);
  return `0x${text.slice(2)}`;
}

const malformed = (id: string) => new Error(`the record of ${id} is malformed`);
