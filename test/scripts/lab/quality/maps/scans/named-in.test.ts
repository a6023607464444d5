import test from 'ava';
import { faultOf } from '../../../../../../scripts/lab/quality/maps/scans/named-in.ts';
import { defined } from '../../../../../../workers/exact/defined.ts';
import { holderOf } from '../../../../../../workers/geocoding/gazetteer/areas.ts';
import { openOwnGazetteer } from '../../../../../workers/geocoding/open-gazetteer.ts';

const gazetteer = await openOwnGazetteer();
const { areas, places } = gazetteer;

/** The most populous place with a name, and its first-level division. */
function placeNamed(name: string) {
  for (let row = 0; row < places.count; row++) {
    if (places.names.at(row) === name) return { row, area: defined(holderOf(areas, places.area[row], 1)) };
  }
  throw new Error(`there is no ${name}`);
}

test('an answer is wrong if it is sure and elsewhere', (t) => {
  const newark = { ...placeNamed('Newark'), level: 1 } as const;
  t.is(faultOf(gazetteer, { ...newark, query: 'Newark, NJ' }), undefined);
  const fault = faultOf(gazetteer, { ...newark, query: 'Newark, NY' });
  t.like(fault, { subject: 'Newark, NY (40.74, -74.17)', fault: 'High at 43.05, -77.10' });
});

test('no answer and a low one are not wrong, nor is a place of that name in the same division', (t) => {
  const newark = { ...placeNamed('Newark'), level: 1 } as const;
  t.is(faultOf(gazetteer, { ...newark, query: 'Salem, IN' }), undefined);
  t.is(faultOf(gazetteer, { ...newark, query: 'qwrtzx' }), undefined);
  t.is(faultOf(gazetteer, { ...newark, query: 'Trenton, NJ' }), undefined);
});

test('an airport is wrong unless the query says so', (t) => {
  const faro = { ...placeNamed('Faro'), level: 1 } as const;
  t.truthy(faultOf(gazetteer, { ...faro, query: 'Faro Airport' }));
  const base = { ...placeNamed('Minot Air Force Base'), level: 1 } as const;
  t.is(faultOf(gazetteer, { ...base, query: 'Minot Air Force Base, ND' }), undefined);
});
