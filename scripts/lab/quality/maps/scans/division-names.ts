import { defined } from '../../../../../workers/exact/defined.ts';
import { keyOf } from '../../../../../workers/geocoding/text/fold.ts';
import { spellingsOfDivision } from '../../../gazetteer/division-names.ts';
import { spelledAlike } from '../../../gazetteer/spelled-alike.ts';
import type { Scan } from './scan.ts';

/** Languages in Latin letters, in which most names resemble the local ones. */
const LANGUAGES = 'en de fr es it pt nl pl sv da nb fi cs sk sl hr hu ro tr vi id az uz sq lt lv et'.split(' ');

/** No first-level division has the name of another one of its country, and its English name is like its own. */
export const divisionNames: Scan = {
  name: 'division-names',
  accepted: {
    'BA Federation of B&H': 'the own name has an abbreviation',
    'DE Rheinland-Pfalz': 'the English name is a translation',
  },
  run: ({ gazetteer: { areas, translations } }) => {
    const rows = Array.from({ length: areas.count }, (_, row) => row).filter((row) => areas.level[row] === 1);
    const keysOf = (name: string) => spellingsOfDivision(name).map(keyOf);
    const owners = Map.groupBy(rows, (row) => `${areas.parent[row]} ${keyOf(areas.names.at(row))}`);
    const findings = rows.flatMap((row) => {
      const own = areas.names.at(row);
      const country = defined(areas.parent[row]);
      const isLikeOwn = (name: string) =>
        keysOf(name).some((key) => keysOf(own).some((other) => spelledAlike(key, other)));
      const faults = LANGUAGES.flatMap((language) => {
        const name = translations.find([language], row);
        if (name === undefined || isLikeOwn(name)) return [];
        const isOfAnother = owners.get(`${country} ${keyOf(name)}`)?.some((other) => other !== row) ?? false;
        return isOfAnother || language === 'en' ? [`${language} ${name}`] : [];
      });
      const subject = `${areas.codes.at(country)} ${own}`;
      return faults.length === 0 ? [] : [{ subject, fault: faults.join(', ') }];
    });
    return { checked: rows.length, findings };
  },
};
