import test from 'ava';
import { readCoordinates } from '../../../services/maps/coordinates.ts';

const rows: readonly (readonly [text: string, point: [number, number] | undefined])[] = [
  ['52.5200, 13.4050', [52.52, 13.405]],
  ['52.52 13.405', [52.52, 13.405]],
  ['(52.52; 13.405)', [52.52, 13.405]],
  ['-33.8688,151.2093', [-33.8688, 151.2093]],
  ['−33, 151', [-33, 151]],
  ['52,52; 13,405', [52.52, 13.405]],
  ['139.6917, 35.6895', [35.6895, 139.6917]],
  ['95.5, 200.5', [200.5, 95.5]],
  ['geo:52.52,13.405', [52.52, 13.405]],
  ['geo:48.2010,16.3695,183;crs=wgs84;u=40', [48.201, 16.3695]],
  ['geo:100.5,16.3', [100.5, 16.3]],
  ['geo:1,2;crs=moon-2011', undefined],
  ['13.405 E, 52.52 N', [52.52, 13.405]],
  ['S 33.87 E 151.21', [-33.87, 151.21]],
  ['lat: 52.52, lon: 13.405', [52.52, 13.405]],
  ['longitude=13.405 latitude=52.52', [52.52, 13.405]],
  ["52° 31.2' N, 13° 24.3' E", [52.52, 13.405]],
  ['52°31′12″N 13°24′18″E', [52.52, 13.405]],
  ['52°31\'12", 13°24\'18"', [52.52, 13.405]],
  ['N 52 31.2 E 13 24.3', [52.52, 13.405]],
  ['33 52 12 S 151 12 36 E', [-33.87, 151.21]],
  ["0° 30' S, 0° 30' W", [-0.5, -0.5]],
  ["52° 60' N, 13° 0' E", [Infinity, 13]],
  ['52º31´12" N, 13º24´18" E', [52.52, 13.405]],
  ['５２．５２，１３．４０５', [52.52, 13.405]],
  ['52.52 N, 13.405 N', undefined],
  ['52.52 N, 13.405', undefined],
  ['560 001', undefined],
  ['75001, 20095', undefined],
  ['52.52', undefined],
  ['52.52, 13.405, 7.1', undefined],
  ['5.5 Main Street 12.5', undefined],
  ['40 26 79 58', undefined],
];
const rounded = (degrees: number) => Number(degrees.toFixed(9));
for (const [text, point] of rows) {
  test(`${text} is ${point === undefined ? 'no point' : `the point ${point.join(', ')}`}`, (t) => {
    const found = readCoordinates(text);
    t.deepEqual(found && [rounded(found.latitude), rounded(found.longitude)], point);
  });
}
