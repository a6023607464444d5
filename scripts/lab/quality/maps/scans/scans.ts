import { divisionNames } from './division-names.ts';
import { airportCodes, cityNames, countryNames } from './names.ts';
import { pointCountries } from './point-countries.ts';
import { pointZones } from './point-zones.ts';
import { postcodes } from './postcodes.ts';
import type { Scan } from './scan.ts';
import { towns } from './towns.ts';
import { usPlaces } from './us-places.ts';

export const SCANS: readonly Scan[] = [
  divisionNames,
  pointCountries,
  pointZones,
  towns,
  usPlaces,
  cityNames,
  countryNames,
  airportCodes,
  postcodes,
];
