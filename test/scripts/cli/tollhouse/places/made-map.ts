import type { MadeMap, MadeNode } from './write-pbf.ts';

/** A square of four nodes around a point. */
function corners(firstId: number, latitude: number, longitude: number): readonly MadeNode[] {
  return [
    [-1, -1],
    [-1, 1],
    [1, 1],
    [1, -1],
  ].map(([north = 0, east = 0], index) => ({
    id: firstId + index,
    latitude: latitude + north * 0.0001,
    longitude: longitude + east * 0.0001,
  }));
}

const ring = (firstId: number) => [firstId, firstId + 1, firstId + 2, firstId + 3, firstId];

/** A made-up town by a lake, with a village, in Hesse. */
export const MADE_MAP: MadeMap = {
  nodes: [
    {
      id: 1,
      latitude: 50.5,
      longitude: 8.7,
      tags: { place: 'town', name: 'Seestadt', population: '20 000', 'name:en': 'Laketown' },
    },
    { id: 2, latitude: 50.54, longitude: 8.7, tags: { place: 'village', name: 'Waldheim' } },
    { id: 3, latitude: 50.505, longitude: 8.705, tags: { place: 'suburb', name: 'Hafenviertel' } },
    {
      id: 10,
      latitude: 50.501,
      longitude: 8.701,
      tags: {
        'addr:housenumber': '2',
        'addr:street': 'Lindenallee',
        'addr:city': 'Seestadt',
        'addr:postcode': '35999',
      },
    },
    { id: 11, latitude: 50.5012, longitude: 8.7012, tags: { 'addr:housenumber': '4;6', 'addr:street': 'Lindenallee' } },
    {
      id: 12,
      latitude: 50.5014,
      longitude: 8.7013,
      tags: { amenity: 'cafe', name: 'Zum Goldenen Hecht', 'name:en': 'Golden Pike', 'addr:street': 'Lindenallee' },
    },
    { id: 13, latitude: 50.54, longitude: 8.701, tags: { 'addr:housenumber': '7', 'addr:place': 'Hof Eichen' } },
    { id: 14, latitude: 50.4981, longitude: 8.6981, tags: { railway: 'station', name: 'Seestadt Hauptbahnhof' } },
    { id: 15, latitude: 50.4982, longitude: 8.6981, tags: { amenity: 'bench' } },
    { id: 20, latitude: 50.5005, longitude: 8.7 },
    { id: 21, latitude: 50.501, longitude: 8.7005 },
    { id: 22, latitude: 50.5015, longitude: 8.701 },
    ...corners(30, 50.502, 8.702),
    ...corners(40, 50.503, 8.703),
    { id: 50, latitude: 50.541, longitude: 8.7 },
    { id: 51, latitude: 50.542, longitude: 8.7 },
    { id: 52, latitude: 50.543, longitude: 8.7 },
    ...corners(60, 50.4995, 8.7105),
  ],
  ways: [
    { id: 100, nodes: [20, 21, 22], tags: { highway: 'residential', name: 'Lindenallee' } },
    { id: 101, nodes: [50, 51, 52], tags: { highway: 'residential', name: 'Am Waldrand', postal_code: '35998' } },
    {
      id: 102,
      nodes: ring(30),
      tags: {
        building: 'yes',
        'addr:housenumber': '8a',
        'addr:street': 'Lindenallee',
        'addr:city': 'Seestadt',
        'addr:postcode': '35999',
      },
    },
    { id: 103, nodes: ring(40) },
    { id: 104, nodes: [20, 22], tags: { 'addr:interpolation': 'even', 'addr:housenumber': '2', name: 'none' } },
    { id: 105, nodes: [900, 901], tags: { highway: 'residential', name: 'Weg ins Nichts' } },
    { id: 106, nodes: [20, 21], tags: { highway: 'construction', name: 'Neue Straße' } },
    {
      id: 107,
      nodes: ring(60),
      tags: { leisure: 'park', name: 'Stadtpark', alt_name: 'Parkgarten;Alter Friedhof' },
    },
  ],
  relations: [
    {
      id: 200,
      ways: [103, 999],
      roles: ['outer', 'inner'],
      tags: {
        type: 'multipolygon',
        building: 'school',
        amenity: 'school',
        name: 'Seeschule',
        'addr:housenumber': '10',
        'addr:street': 'Lindenallee',
        'addr:city': 'Seestadt',
        'addr:postcode': '35999',
      },
    },
    { id: 201, ways: [100], tags: { type: 'route', name: 'Wanderweg 5' } },
  ],
};
