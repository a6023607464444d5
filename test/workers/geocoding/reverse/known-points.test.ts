import { readFile } from 'node:fs/promises';
import { zstdDecompressSync } from 'node:zlib';
import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { openBoundaries } from '../../../../workers/geocoding/boundaries/boundaries.ts';
import { decodeColumns } from '../../../../workers/geocoding/columns/columns.ts';
import { holderOf } from '../../../../workers/geocoding/gazetteer/areas.ts';
import { createReverse } from '../../../../workers/geocoding/reverse/reverse.ts';
import { createZoneCountries } from '../../../../workers/geocoding/reverse/zone-countries.ts';
import { openOwnGazetteer } from '../open-gazetteer.ts';

const FILE = new URL('../../../../workers/geocoding/data/boundaries.zst', import.meta.url);
const block = zstdDecompressSync(await readFile(FILE));
const boundaries = openBoundaries(decodeColumns(new Uint8Array(block).buffer));
const { areas, places } = await openOwnGazetteer();
const reverse = createReverse({ boundaries, areas, places, countryByZone: createZoneCountries(places, areas) });

/** The country code, the code of the first-level division if it has one, and the name of the place if there is one. */
function name(latitude: number, longitude: number): string {
  const found = reverse(latitude, longitude);
  if (found === undefined) return 'nothing';
  const country = areas.codes.at(defined(holderOf(areas, found.area, 0)));
  const division = holderOf(areas, found.area, 1);
  const code = division === undefined ? '' : areas.codes.at(division);
  const place = found.place === undefined ? '' : ` ${places.names.at(found.place)}`;
  return `${country}${code === '' ? '' : `-${code}`}${place}`;
}

/** Expected results from general knowledge: a country `XX`, optionally with a division `-YY` and a place. */
const POINTS: readonly (readonly [latitude: number, longitude: number, expected: string])[] = [
  // Cities, with their suburbs and sections.
  [40.758, -73.9855, 'US-NY Manhattan'],
  [52.4987, 13.403, 'DE-BE Berlin'],
  [52.39, 13.06, 'DE-BB Potsdam'],
  [48.8049, 2.1204, 'FR-IDF Versailles'],
  [35.68, 139.76, 'JP-13 Tokyo'],
  [22.5431, 114.0579, 'CN-GD Shenzhen'],
  [-33.8688, 151.2093, 'AU-NSW Sydney'],
  [-23.5505, -46.6333, 'BR-SP São Paulo'],
  [-1.2921, 36.8219, 'KE-30 Nairobi'],
  // Towns beside a larger one, at their town halls.
  [48.9045, 2.3048, 'FR-IDF Clichy'],
  [40.744, -74.0324, 'US-NJ Hoboken'],
  [51.5217, -0.7177, 'GB-ENG Maidenhead'],
  [41.4469, 2.245, 'ES-CT Badalona'],
  // Both sides of a border.
  [31.759, -106.487, 'US-TX El Paso'],
  [31.7386, -106.487, 'MX-CHH Ciudad Juárez'],
  [47.5596, 7.5886, 'CH-BS Basel'],
  [47.5933, 7.6208, 'DE-BW Weil am Rhein'],
  [47.585, 7.559, 'FR-GES Saint-Louis'],
  [42.3314, -83.0458, 'US-MI Detroit'],
  [42.3149, -83.0364, 'CA-ON Windsor'],
  [52.3471, 14.5506, 'DE-BB Frankfurt (Oder)'],
  [52.3505, 14.5606, 'PL-08 Słubice'],
  [48.5729, 7.8155, 'DE-BW Kehl'],
  [48.5734, 7.7521, 'FR-GES Strasbourg'],
  [36.1681, -5.3478, 'ES-AN La Línea de la Concepción'],
  [36.1408, -5.3536, 'GI Gibraltar'],
  [-4.325, 15.3222, 'CD-KN Kinshasa'],
  [-4.2634, 15.2429, 'CG-BZV Brazzaville'],
  [32.5149, -117.0382, 'MX-BCN Tijuana'],
  // Enclaves and the smallest countries.
  [51.4455, 4.929, 'NL-NB Baarle-Nassau'],
  [51.442, 4.931, 'BE-VLG Baarle-Hertog'],
  [47.697, 8.69, 'DE-BW Büsingen'],
  [42.4646, 1.9803, 'ES-CT Llívia'],
  [45.968, 8.971, 'IT-25 Campione'],
  [43.7384, 7.4246, 'MC Monaco'],
  [41.9029, 12.4534, 'VA Vatican City'],
  [54.71, 20.51, 'RU-KGD Kaliningrad'],
  // Islands, harbours, piers.
  [-25.066, -130.1, 'PN Adamstown'],
  [-37.067, -12.311, 'SH-TA Edinburgh of the Seven Seas'],
  [-27.15, -109.43, 'CL-VS Hanga Roa'],
  [37.8083, -122.41, 'US-CA San Francisco'],
  [33.74, -118.2, 'US-CA Long Beach'],
  [-16.85, -179.98, 'FJ'],
  // Open sea.
  [40, -40, 'nothing'],
  [50.2, -1.2, 'nothing'],
  [0, 0, 'nothing'],
  [-20, 180, 'nothing'],
  [90, 0, 'nothing'],
  // Land far from any place.
  [-90, 0, 'AQ'],
  [-88, 180, 'AQ'],
  [-88, -180, 'AQ'],
  [75, -40, 'GL'],
  [22, 5, 'DZ'],
  [67, 180, 'RU-CHU'],
  [67, -180, 'RU-CHU'],
  [-24, 127, 'AU-WA'],
  // Contested areas, assigned as in ISO 3166 and GeoNames.
  [44.952, 34.1024, 'UA-43 Simferopol'],
  [44.6167, 33.5254, 'UA-40 Sevastopol'],
  [42.6629, 21.1655, 'XK Pristina'],
  [27.1536, -13.2033, 'EH Laayoune'],
  [23.6848, -15.957, 'EH Dakhla'],
  [27.939, -12.926, 'MA'],
  [25.033, 121.5654, 'TW'],
  [35.33, 33.32, 'CY-06'],
  [9.56, 44.065, 'SO-WO Hargeysa'],
  [19.92, -75.15, 'CU'],
  [31.5, 34.467, 'PS'],
  [48.0, 37.8, 'UA-14 Donetsk'],
];

for (const [latitude, longitude, expected] of POINTS) {
  test(`${latitude}, ${longitude} is ${expected}`, (t) => {
    const found = name(latitude, longitude);
    t.true(found === expected || (/^[A-Z]{2}(-[A-Z0-9]+)?$/.test(expected) && found.startsWith(expected)), found);
  });
}
