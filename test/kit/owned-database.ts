import pg from 'pg';
import { ROLE } from '../../scripts/launch/servers/postgres-data.ts';
import { preparationFor } from '../../services/store/preparation-sql.ts';

/** The user of a production server: it owns its database, and has no other right. */
const OWNER = 'tollhouse_owner';

/** The URL of the same database for another user. */
export function urlFor(url: string, user: string, database?: string): string {
  const changed = new URL(url);
  changed.username = user;
  if (database !== undefined) changed.pathname = `/${database}`;
  return changed.href;
}

/** The URL of the same or another database for the superuser of the embedded server. */
export const adminUrlOf = (url: string, database?: string): string => urlFor(url, ROLE, database);

/** Connects, runs `work`, and disconnects. */
export async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Changes a setting of a server. Its processes take the new value some time later. */
export async function setServer(admin: pg.Client, name: string, value: string): Promise<void> {
  await admin.query(`ALTER SYSTEM SET ${name} = ${pg.escapeLiteral(value)}`);
  await admin.query('SELECT pg_reload_conf()');
}

/** Runs what `database prepare` prints as psql does. Each statement is on one line, and `\gexec` runs the rows of a query. */
export async function runPrepared(adminUrl: string, url: string): Promise<void> {
  const lines = preparationFor(url)
    .split('\n')
    .filter((line) => line !== '' && !/^(?:--|\\set)/.test(line));
  await connected(adminUrl, async (client) => {
    for (const line of lines) {
      const [query = '', generates] = line.split(' \\gexec');
      const { rows } = await client.query<string[]>({ text: query, rowMode: 'array' });
      if (generates !== undefined) for (const statement of rows.flat()) await client.query(statement);
    }
  });
}

/** Prepares the database of a superuser's URL, and gives it to a user without other rights. @returns the URL of that user */
export async function giveToOwner(adminUrl: string): Promise<string> {
  const url = urlFor(adminUrl, OWNER);
  // A member that may set the role, and does not inherit its rights, which must not be needed.
  await connected(adminUrl, (client) =>
    client.query(`DO $$ BEGIN CREATE ROLE ${OWNER} LOGIN NOINHERIT; EXCEPTION WHEN duplicate_object THEN NULL; END $$`),
  );
  await runPrepared(adminUrl, url);
  const database = new URL(adminUrl).pathname.slice(1);
  await connected(adminUrl, (client) => client.query(`ALTER DATABASE ${database} OWNER TO ${OWNER}`));
  return url;
}
