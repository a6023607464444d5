import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openAddressSet } from '../../../../workers/geocoding/addresses/address-set.ts';
import { type Command, CommandError, type Terminal } from '../../terminal/command.ts';
import { toJson } from '../../terminal/options.ts';
import { sayTable } from '../../terminal/table.ts';
import { importPlaces } from './import-places.ts';
import { isSetName, openPlacesFolder, type PlacesFolder, SetWriteError } from './places-folder.ts';
import { ImportError } from './sources/address-row.ts';

/** `places import`: reads files into a set of own addresses in the folder MAPS_PLACES. */
export const importSet: Command = async (terminal, options, first, ...others) => {
  const name = options.name ?? nameOf(first);
  if (!isSetName(name)) {
    throw new CommandError(`--name: ${name} is not 1 to 64 lower-case letters, digits, "-" and "_"`, 2);
  }
  const folder = folderOf(terminal);
  const report = await importPlaces(folder, name, [first, ...others], terminal.say).catch((error: unknown) => {
    const isTold = error instanceof ImportError || error instanceof SetWriteError;
    throw isTold ? new CommandError(error.message) : error;
  });
  for (const reason of report.reasons) terminal.say(`left out: ${reason}`);
  if (report.refused > 0) terminal.say(`${report.refused} rows were left out`);
  if (report.repeated > 0) terminal.say(`${report.repeated} rows repeat an address, and were left out`);
  terminal.say(`${name}: ${report.addresses} addresses of ${report.streets} streets`);
};

/** The name of the file without its ending, as a name of a set. */
function nameOf(file: string): string {
  const [name = ''] = basename(file).toLowerCase().split('.');
  return name.replace(/[^a-z0-9_-]+/g, '-');
}

/** `places list`. */
export const listSets: Command = async (terminal, { json }) => {
  const folder = folderOf(terminal);
  const sets = await Promise.all((await folder.names()).map((name) => describeSet(folder, name)));
  if (json) return terminal.say(toJson(sets));
  sayTable(terminal, ['NAME', 'ADDRESSES', 'STREETS', 'MB', 'SOURCES'], sets.map(cellsOf));
};

type SetSummary =
  | {
      readonly name: string;
      readonly addresses: string;
      readonly streets: string;
      readonly bytes: number;
      readonly sources: readonly string[];
    }
  | { readonly name: string; readonly unreadable: string };

function cellsOf(set: SetSummary): readonly string[] {
  if ('unreadable' in set) return [set.name, '-', '-', '-', `cannot be read: ${set.unreadable}`];
  const { name, addresses, streets, bytes, sources } = set;
  return [name, addresses, streets, `${Math.ceil(bytes / 1e6)}`, sources.join(' ')];
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

/** `places remove`. */
export const removeSet: Command = async (terminal, _, name) => {
  if (!isSetName(name) || !(await folderOf(terminal).remove(name))) throw new CommandError(`there is no set ${name}`);
  terminal.say(`removed ${name}`);
};

/** @throws {CommandError} if MAPS_PLACES is not set */
function folderOf({ environment }: Terminal): PlacesFolder {
  const folder = environment['MAPS_PLACES'];
  if (folder === undefined || folder === '') {
    throw new CommandError(
      'MAPS_PLACES: found nothing; set it to the folder for the addresses, here and for the maps service: MAPS_PLACES=places',
      2,
    );
  }
  return openPlacesFolder(folder);
}
