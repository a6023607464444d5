import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { defined } from '../../../../workers/exact/defined.ts';
import { openAddressSet } from '../../../../workers/geocoding/addresses/address-set.ts';
import { CommandError, expectArguments, parseArguments, type Terminal } from '../terminal/command.ts';
import { toJson } from '../terminal/options.ts';
import { importPlaces } from './import-places.ts';
import { isSetName, openPlacesFolder, type PlacesFolder, SetWriteError } from './places-folder.ts';
import { ImportError } from './sources/address-row.ts';

const IMPORT = 'places import FILE... [--name NAME]';
const LIST = 'places list [--json]';
const REMOVE = 'places remove NAME';

/** `places import|list|remove`: sets of own addresses in the folder MAPS_PLACES. */
export async function places([action, ...args]: readonly string[], terminal: Terminal): Promise<void> {
  switch (action) {
    case 'import':
      return importFiles(args, terminal);
    case 'list':
      return list(args, terminal);
    case 'remove':
      return remove(args, terminal);
    default:
      throw new CommandError('usage: npm run tollhouse -- places import|list|remove', 2);
  }
}

async function importFiles(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals: files, values } = parseArguments(
    args,
    { name: { type: 'string' } },
    `usage: npm run tollhouse -- ${IMPORT}`,
  );
  const [first] = files;
  if (first === undefined) throw new CommandError(`usage: npm run tollhouse -- ${IMPORT}`, 2);
  const name = values.name ?? nameOf(first);
  if (!isSetName(name)) {
    throw new CommandError(`--name: ${name} is not 1 to 64 lower-case letters, digits, "-" and "_"`, 2);
  }
  const folder = folderOf(terminal);
  const report = await importPlaces(folder, name, files, terminal.say).catch((error: unknown) => {
    const isTold = error instanceof ImportError || error instanceof SetWriteError;
    throw isTold ? new CommandError(error.message) : error;
  });
  for (const reason of report.reasons) terminal.say(`left out: ${reason}`);
  if (report.refused > 0) terminal.say(`${report.refused} rows were left out`);
  if (report.repeated > 0) terminal.say(`${report.repeated} rows repeat an address, and were left out`);
  terminal.say(`${name}: ${report.addresses} addresses of ${report.streets} streets`);
}

/** The name of the file without its ending, as a name of a set. */
function nameOf(file: string): string {
  const [name = ''] = basename(file).toLowerCase().split('.');
  return name.replace(/[^a-z0-9_-]+/g, '-');
}

async function list(args: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals, values } = parseArguments(
    args,
    { json: { type: 'boolean', default: false } },
    `usage: npm run tollhouse -- ${LIST}`,
  );
  expectArguments(positionals, 0, LIST);
  const folder = folderOf(terminal);
  const sets = await Promise.all((await folder.names()).map((name) => describeSet(folder, name)));
  if (values.json) return terminal.say(toJson(sets));
  for (const set of sets) terminal.say(lineOf(set));
}

type SetSummary =
  | {
      readonly name: string;
      readonly addresses: string;
      readonly streets: string;
      readonly bytes: number;
      readonly sources: readonly string[];
    }
  | { readonly name: string; readonly unreadable: string };

function lineOf(set: SetSummary): string {
  if ('unreadable' in set) return `${set.name.padEnd(24)} cannot be read: ${set.unreadable}`;
  const { name, addresses, streets, bytes, sources } = set;
  const counts = `${addresses.padStart(10)} addresses ${streets.padStart(9)} streets`;
  return `${name.padEnd(24)} ${counts} ${Math.ceil(bytes / 1e6)} MB  ${sources.join(' ')}`;
}

async function describeSet(folder: PlacesFolder, name: string): Promise<SetSummary> {
  const file = folder.fileOf(name);
  try {
    const { size: bytes } = await stat(file);
    const facts = readFacts(file, bytes);
    return {
      name,
      addresses: facts.get('addresses') ?? '',
      streets: facts.get('streets') ?? '',
      bytes,
      sources: (facts.get('sources') ?? '').split('\n'),
    };
  } catch (error) {
    return { name, unreadable: error instanceof Error ? error.message : String(error) };
  }
}

/** @throws {Error} if the file is not a set of this version */
function readFacts(file: string, bytes: number): ReadonlyMap<unknown, string> {
  openAddressSet(file, bytes).close();
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare('SELECT name, value FROM facts').all();
    return new Map(rows.map(({ name, value }) => [name, String(value)]));
  } finally {
    database.close();
  }
}

async function remove(args: readonly string[], terminal: Terminal): Promise<void> {
  const name = defined(expectArguments(args, 1, REMOVE)[0]);
  if (!isSetName(name) || !(await folderOf(terminal).remove(name))) throw new CommandError(`there is no set ${name}`);
  terminal.say(`removed ${name}`);
}

/** @throws {CommandError} if MAPS_PLACES is not set */
function folderOf({ environment }: Terminal): PlacesFolder {
  const folder = environment['MAPS_PLACES'];
  if (folder === undefined || folder === '') {
    throw new CommandError(
      'MAPS_PLACES: found nothing; it is the folder for the addresses, the same as of the maps service',
      2,
    );
  }
  return openPlacesFolder(folder);
}
