import { adminUrlOf, connected } from '../../../kit/owned-database.ts';

/**
 * Makes a database answer as one whose disk is full: no table is made, and these have no room.
 * @returns a function that ends it
 */
export async function fillDisk(url: string, tables: readonly string[] = []): Promise<() => Promise<void>> {
  const run = (statements: readonly string[]) =>
    // Only a superuser may create a trigger of events.
    connected(adminUrlOf(url), async (admin) => {
      for (const statement of statements) await admin.query(statement);
    });
  const raise = (kind: string) => `CREATE FUNCTION full_disk_of_${kind}() RETURNS ${kind} LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`;
  await run([
    raise('trigger'),
    raise('event_trigger'),
    ...tables.map(
      (table) =>
        `CREATE TRIGGER full_disk BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION full_disk_of_trigger()`,
    ),
    `CREATE EVENT TRIGGER full_disk ON ddl_command_start WHEN TAG IN ('CREATE TABLE')
      EXECUTE FUNCTION full_disk_of_event_trigger()`,
  ]);
  return () =>
    run([
      'DROP EVENT TRIGGER full_disk',
      ...tables.map((table) => `DROP TRIGGER full_disk ON ${table}`),
      'DROP FUNCTION full_disk_of_trigger, full_disk_of_event_trigger',
    ]);
}
