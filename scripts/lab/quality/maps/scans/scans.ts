import { pointCountries } from './point-countries.ts';
import { pointZones } from './point-zones.ts';
import type { Scan } from './scan.ts';

export const SCANS: readonly Scan[] = [pointCountries, pointZones];
