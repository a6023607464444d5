import { type AddressRow, ImportError } from './address-row.ts';
import { linesOf } from './lines.ts';
import type { RowSource } from './row-source.ts';

/**
 * Reads GeoJSON (RFC 7946) with the properties of OpenAddresses: one feature on a line, as OpenAddresses writes it and as
 * GeoJSON text sequences (RFC 8142) have it, or a FeatureCollection that has each feature on a line of its own.
 */
export const openAddressesGeoJson: RowSource = {
  name: 'OpenAddresses GeoJSON',
  async *read(file) {
    let found = 0;
    for await (const lines of linesOf(file)) {
      for (const { number: line, text } of lines) {
        const json = text.trim().replace(RECORD_SEPARATOR, '').replace(/,$/, '');
        if (json === '' || isFrame(json)) continue;
        const row = rowOf(parse(file, line, json));
        if (row === undefined) throw new ImportError(file, line, 'the line is not a GeoJSON feature with a point');
        found += 1;
        yield { at: line, row };
      }
    }
    if (found === 0) throw new ImportError(file, 1, 'the file has no feature on a line of its own');
  },
};

const RECORD_SEPARATOR = '\u001e';

/** The lines of a FeatureCollection before and after its features. */
function isFrame(json: string): boolean {
  return (
    /^[[\]{}]+$/.test(json) || (/"FeatureCollection"/.test(json) && !json.endsWith('}')) || json === '"features": ['
  );
}

function parse(file: string, line: number, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new ImportError(file, line, 'the line is not JSON');
  }
}

function rowOf(feature: unknown): AddressRow | undefined {
  const { geometry, properties } = objectOf(feature);
  const { type, coordinates } = objectOf(geometry);
  if (type !== 'Point' || !Array.isArray(coordinates)) return undefined;
  const [longitude, latitude] = coordinates as readonly unknown[];
  const known = objectOf(properties);
  const text = (name: string) => {
    const value = known[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  };
  return {
    latitude: typeof latitude === 'number' ? latitude : Number.NaN,
    longitude: typeof longitude === 'number' ? longitude : Number.NaN,
    number: text('number'),
    street: text('street'),
    town: text('city'),
    district: text('district'),
    region: text('region'),
    postcode: text('postcode'),
  };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
