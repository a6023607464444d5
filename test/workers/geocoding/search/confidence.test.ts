import test from 'ava';
import type { Confidence, MatchCode } from '../../../../workers/geocoding/address/address.ts';
import { createGeocoding } from '../../../../workers/geocoding/geocoding.ts';
import { openOwnGazetteer } from '../open-gazetteer.ts';

const geocoding = createGeocoding(await openOwnGazetteer());
const AT_MS = Date.UTC(2026, 6, 1);

/** A query whose answer only one rule decides, and why. */
type Case = readonly [query: string, countryCode: string, Confidence, MatchCode, why: string];

const cases: readonly Case[] = [
  ['Berlin', 'DE', 'High', 'Good', 'a large city'],
  ['Salzburg', 'AT', 'High', 'Good', 'a city of more than 100,000'],
  ['Weimar', 'DE', 'Medium', 'Good', 'a town that is named alone'],
  ['Zermatt', 'CH', 'Medium', 'Good', 'a town of more than 5,000 that is named alone'],
  ['Positano', 'IT', 'Low', 'Good', 'a village that is named alone'],
  ['Positano, Italy', 'IT', 'High', 'Good', 'a village of which the query says where it is'],
  ['Oxford', 'GB', 'Medium', 'Ambiguous', 'a city, and another place is half as likely'],
  ['Venice', 'IT', 'Medium', 'Ambiguous', 'a city, and another place is barely half as likely'],
  ['Worcester', 'US', 'Low', 'Ambiguous', 'a city, and another place is more than half as likely'],
  ['Chicago Bulls', 'US', 'Low', 'UpHierarchy', 'a city, and a word that it does not explain'],
  ['Cairo, Sweden', 'SE', 'Low', 'UpHierarchy', 'a country, and a city that is not in it'],
  ['Venedig', 'IT', 'Medium', 'Good', 'another name of a city'],
  ['Marienbad', 'CZ', 'Low', 'Good', 'another name of a town that is named alone'],
  ['Marienbad, Czechia', 'CZ', 'Medium', 'Good', 'another name of a town of which the query says where it is'],
  ['Posen', 'PL', 'Low', 'Ambiguous', 'another name of a city, and the own name of a village'],
  ['LHR', 'GB', 'Medium', 'Good', 'the code of a large airport'],
  ['VIE', 'AT', 'Medium', 'Good', 'the code of a large airport, and the name of a province'],
  ['MAD airport', 'ES', 'Medium', 'Good', 'the code of a large airport, and a word that says so'],
  ['Madrid MAD', 'ES', 'Low', 'UpHierarchy', 'a code beside other words, which is no code'],
  ['EUA', 'US', 'Low', 'Good', 'another name of a country, which may be an unknown code'],
  ['NYC', 'US', 'Medium', 'Good', 'an abbreviation of one of the largest cities'],
  ['TX', 'US', 'Medium', 'Good', 'the code of a state'],
  ['tx', 'US', 'Low', 'Good', 'a code in small letters, which may be a word'],
  ['mrs', 'FR', 'Low', 'Good', 'the same of an airport'],
  ['mrs airport', 'FR', 'Medium', 'Good', 'the same beside a word that says so'],
  ['INN', 'AT', 'Low', 'Good', 'the code of a small airport'],
  ['Lodnon', 'GB', 'Medium', 'Good', 'a slip in a word of six letters, which is a city'],
  ['Berln', 'DE', 'Low', 'Good', 'a slip in a word of five letters'],
  ['Zermat, Switzerland', 'CH', 'Medium', 'Good', 'a slip in the name of a town of which the query says where it is'],
  ['Zermat', 'CH', 'Low', 'Good', 'a slip in the name of a town that is named alone'],
  ['Xermatt, Switzerland', 'CH', 'Low', 'Good', 'another first letter, which is rarely a slip'],
  ['Vancuover', 'CA', 'Low', 'Ambiguous', 'a slip in the name of two cities'],
  ['Bahnhofstrasse 1, Zermatt, Switzerland', 'CH', 'Medium', 'UpHierarchy', 'a street of a town that is placed'],
  ['Bahnhofstrasse 1, Zermatt', 'CH', 'Low', 'UpHierarchy', 'a street of a town that only its name tells'],
  ['3000, Australia', 'AU', 'Low', 'UpHierarchy', 'a country, and a code that is not known'],
  ['75008, Australia', 'AU', 'Low', 'UpHierarchy', 'a country, and a code that only others have'],
  ['6000 WA, Australia', 'AU', 'Low', 'UpHierarchy', 'a state, and a code that is not known'],
  ['69001 Paris', 'FR', 'Low', 'UpHierarchy', 'a city, and a code of another'],
  ['Chicago, IL 94103', 'US', 'Low', 'UpHierarchy', 'a city, and a code of another state'],
  ['EC1A 1BB Glasgow', 'GB', 'Low', 'UpHierarchy', 'a city, and half a code of another'],
  ['Hamburg 69001', 'DE', 'Low', 'UpHierarchy', 'a city, and a code whose district is elsewhere'],
  ['27668 Tokyo', 'JP', 'Low', 'UpHierarchy', 'a city, and a code that is shorter than those of its country'],
  ['413 01 Göteborg', 'SE', 'Medium', 'UpHierarchy', 'a city, and a code of a country that the data lacks'],
  ['B-2000 Antwerpen', 'BE', 'Medium', 'UpHierarchy', 'the same, with the letter of the country'],
  ['S-413 01 Göteborg', 'SE', 'Medium', 'UpHierarchy', 'the same, with a code in two groups'],
  ['P-4000-322 Porto', 'PT', 'Medium', 'UpHierarchy', 'the same'],
  ['Dresdner Straße 4, Leipzig', 'DE', 'Medium', 'UpHierarchy', 'a city, and a street whose kind is a word of its own'],
  ['Kurze Straße 9 Hannover', 'DE', 'Medium', 'UpHierarchy', 'the same without a comma'],
  ['Rue de Lyon', 'FR', 'Low', 'UpHierarchy', 'a street that is named after a city'],
  ['Rue de Lyon 5', 'FR', 'Low', 'UpHierarchy', 'the same with a number, and no German code'],
  ['Rua de São Paulo', 'BR', 'Low', 'UpHierarchy', 'the same with a name of two words'],
  ['Rue France', 'FR', 'Low', 'Good', 'a street that is named after a country'],
  ['Rue, France', 'FR', 'High', 'Good', 'a town that is called as streets are'],
  ['Rue de Nantes, Rennes', 'FR', 'Medium', 'UpHierarchy', 'a street that is named after another city'],
  ['94103', 'US', 'High', 'Good', 'a ZIP code that no other country has'],
  ['28013', 'ES', 'Low', 'Good', 'a code without a town, which a country that the data lacks may have'],
  ['1013 AA', 'HU', 'Low', 'UpHierarchy', 'a code as the Netherlands write it, which the data lacks'],
  ['SW1A 1AA', 'GB', 'Medium', 'UpHierarchy', 'a code that is nothing else, of which the first half is known'],
  ['SW1A', 'GB', 'Low', 'Good', 'half a code, which may be anything'],
];

for (const [query, countryCode, confidence, matchCode, why] of cases) {
  test(`${query} is answered with ${confidence}: ${why}`, (t) => {
    const [answer] = geocoding.geocode({ query, limit: 1 }, AT_MS);
    t.like(answer, { countryCode, confidence, matchCodes: [matchCode] });
  });
}
