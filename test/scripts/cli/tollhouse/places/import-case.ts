import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importPlaces } from '../../../../../scripts/cli/tollhouse/places/import-places.ts';
import { openPlacesFolder } from '../../../../../scripts/cli/tollhouse/places/places-folder.ts';
import { type AddressSet, openAddressSet } from '../../../../../workers/geocoding/addresses/address-set.ts';
import { findAddresses } from '../../../../../workers/geocoding/addresses/find-address.ts';

/** Imports for a test file, each in a folder of its own. `close` removes them. */
export function createImportCases() {
  const root = mkdtempSync(join(tmpdir(), 'tollhouse places-'));
  let count = 0;

  function prepare(content: string | Buffer, ending = 'csv') {
    const at = join(root, `case ${++count}`);
    const folder = openPlacesFolder(at);
    const file = `${at}.${ending}`;
    writeFileSync(file, content);
    return { at, file, folder, load: () => importPlaces(folder, 'own', [file], () => undefined) };
  }

  async function imported(content: string | Buffer, ending?: string): Promise<AddressSet> {
    const { load, folder } = prepare(content, ending);
    await load();
    return openAddressSet(folder.fileOf('own'));
  }

  return { root, prepare, imported, close: () => rmSync(root, { recursive: true, force: true }) };
}

/** The first address of a query in words. Undefined if none is found. */
export function first(set: AddressSet, query: string): string | undefined {
  const [found] = findAddresses(set, query);
  if (found === undefined) return undefined;
  const { house, street } = found;
  return `${house?.number ?? ''}${house?.suffix ?? ''} ${street.name}, ${street.town}`.trim();
}
