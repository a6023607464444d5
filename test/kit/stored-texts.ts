import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { createClient } from 'redis';
import type { Database } from '../../services/store/database.ts';
import type { StackAddresses } from './stack.ts';

/** Everything that a stack stores: texts in lower case by their place, which is a column, `redis` or `log`. */
export type Stores = ReadonlyMap<string, string>;

export async function readStores({ redisUrl, dataDir }: StackAddresses, database: Database): Promise<Stores> {
  const folder = join(dataDir, 'logs');
  const logs = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const texts = [
    ...(await readColumns(database)),
    ['redis', await readRedis(redisUrl)],
    ['log', logs.join('\n')],
  ] as const;
  return new Map(texts.map(([place, text]) => [place, text.toLowerCase()]));
}

/** The values of all tables by column, bytes in hexadecimal. */
export async function readColumns(database: Database): Promise<readonly (readonly [string, string])[]> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND NOT relispartition AND nspname NOT IN ('pg_catalog', 'information_schema')`.execute(
    database,
  );
  const columns = tables.map(async ({ name }) => {
    const { rows } = await sql<{ key: string; texts: string }>`
      SELECT cell.key, string_agg(cell.value, E'\n') AS texts
      FROM ${sql.raw(name)} AS row, jsonb_each_text(to_jsonb(row)) AS cell
      WHERE cell.value IS NOT NULL GROUP BY cell.key`.execute(database);
    return rows.map(({ key, texts }) => [`${name.replace(/^public\./, '')}.${key}`, texts] as const);
  });
  return (await Promise.all(columns)).flat();
}

async function readRedis(url: string): Promise<string> {
  const client = await createClient({ url }).connect();
  try {
    const texts: string[] = [];
    for await (const keys of client.scanIterator()) {
      for (const key of keys) texts.push(key, JSON.stringify(await client.dump(key)));
    }
    return texts.join('\n');
  } finally {
    client.destroy();
  }
}

/** The places that have a text, or what shows that a guess of it is right: a hash without a key, or its compressed end. */
export function placesOf(stores: Stores, text: string): readonly string[] {
  const forms = [Buffer.from(text), ...hashesOf(text), zstdCompressSync(text).subarray(-64)]
    .flatMap((bytes) => [bytes.toString('hex'), bytes.toString('base64').replace(/.?=*$/, '')])
    .concat(text)
    .map((form) => form.toLowerCase());
  const found = [...stores].filter(([, stored]) => forms.some((form) => stored.includes(form)));
  return found.map(([place]) => place).toSorted();
}

const hashesOf = (text: string) =>
  ['md5', 'sha1', 'sha256', 'sha512', 'sha3-256', 'blake2b512'].map((name) => createHash(name).update(text).digest());
