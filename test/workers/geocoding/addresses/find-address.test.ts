import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import type { AddressSet } from '../../../../workers/geocoding/addresses/address-set.ts';
import { describeFound } from '../../../../workers/geocoding/addresses/describe-address.ts';
import { findAddresses } from '../../../../workers/geocoding/addresses/find-address.ts';
import { createImportCases } from '../../../scripts/cli/tollhouse/places/import-case.ts';

const { imported, close } = createImportCases();
test.after.always(close);

/** A set of streets, each with the house numbers 3, 20 and 725, five kilometers apart. */
function setOf(...streets: readonly string[]): Promise<AddressSet> {
  const rows = streets.flatMap((street, index) =>
    [3, 20, 725].map(
      (number) => `${(-0.1 + number / 1e5).toFixed(5)},${(51 + index / 20).toFixed(2)},${number},${street},Tilford`,
    ),
  );
  return imported(`LON,LAT,NUMBER,STREET,CITY\n${rows.join('\n')}\n`);
}

const answerOf = (set: AddressSet, query: string) => {
  const [found] = describeFound(findAddresses(set, query));
  return found && `${found.confidence} ${found.matchCodes.join()} ${found.streetNumber} ${found.streetName}`;
};

for (const { streets, answers } of [
  {
    streets: ["Bishop's Court", 'Bishop Court'],
    answers: {
      '3 Bishops Court': "High Good 3 Bishop's Court",
      '3 Bishop’s Court, Tilford': "High Good 3 Bishop's Court",
      '3 Bishop Court': 'High Good 3 Bishop Court',
    },
  },
  {
    streets: ["King's Road", 'King Street', 'Kingsway'],
    answers: { '20 Kings Road': "High Good 20 King's Road", "20 King's Road, Tilford": "High Good 20 King's Road" },
  },
  { streets: ['Queens Avenue'], answers: { "20 Queen's Avenue": 'High Good 20 Queens Avenue' } },
  { streets: ["St. John's Lane", 'St John Street'], answers: { '3 St Johns Lane': "High Good 3 St. John's Lane" } },
  {
    streets: ["O'Connell Street", 'Connell Street'],
    answers: { '3 OConnell Street': "High Good 3 O'Connell Street", '3 Connell Street': 'High Good 3 Connell Street' },
  },
  {
    streets: ["O'Brien Way", 'Brien Way', 'O Street'],
    answers: {
      '3 O Brien Way': "High Good 3 O'Brien Way",
      '3 Brien Way': 'High Good 3 Brien Way',
      '3 O Street': 'High Good 3 O Street',
    },
  },
  {
    streets: ['St James Street'],
    answers: {
      '3 St James Street': 'High Good 3 St James Street',
      '3 James Street': 'Medium Good 3 St James Street',
    },
  },
  {
    streets: ['5th Avenue', 'Fifth Street'],
    answers: { '725 Fifth Avenue': 'High Good 725 5th Avenue', '3 5th Street': 'High Good 3 Fifth Street' },
  },
  {
    streets: ['Forty-Second Street', '42nd Avenue', '2nd Street'],
    answers: {
      '20 42nd Street': 'High Good 20 Forty-Second Street',
      '20 Forty Second Avenue': 'High Good 20 42nd Avenue',
      '20 Second St': 'High Good 20 2nd Street',
    },
  },
  {
    streets: ['Rue du 1er Mai', 'Rue de l’Étang'],
    answers: { '3 rue du premier mai': 'High Good 3 Rue du 1er Mai', '3 rue etang': 'High Good 3 Rue de l’Étang' },
  },
]) {
  for (const [query, answer] of Object.entries(answers)) {
    test(`possessives, ordinals and the kind of street count: ${query} among ${streets.join(', ')}`, async (t) => {
      t.is(answerOf(await setOf(...streets), query), answer);
    });
  }
}

test('a street of another kind, or with another ordinal, is no sure answer', async (t) => {
  const set = await setOf('Fifth Street', 'Kings Lane', 'Rue de la Gare');
  for (const query of ['725 Fifth Avenue', '20 Kings Road', '3 avenue de la Gare, Tilford']) {
    t.regex(defined(answerOf(set, query)), /^Low /, query);
  }
  t.is(answerOf(set, '725 Sixth Street'), undefined);
});
