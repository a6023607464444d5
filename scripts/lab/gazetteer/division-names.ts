/** Words for the kind of a division, before and after its name. People often leave them out. */
const BEFORE = [
  'administraci[oó]n',
  'arrondissement (?:de |of )?',
  'bezirk',
  'canton (?:de |du |of )?',
  'city (?:and county )?of',
  'citt[aà] metropolitana di',
  'comunidad (?:aut[oó]noma )?(?:de la |del |de )?',
  'communaut[eé] autonome (?:de |d.)?',
  'departamento (?:de la |del |de )?',
  'd[eé]partement (?:de la |de l.|des |du |de |d.)?',
  'department of',
  'district (?:de |of )?',
  'distrito (?:de |do )?',
  'estado (?:de |do |da )?',
  'freistaat',
  'gouvernement',
  'kanton',
  'kreisfreie stadt',
  'land',
  'landkreis',
  'metropolitan city of',
  'obwód',
  'powiat',
  'pr[eä]fektur',
  'pr[eé]fecture (?:de |d.)?',
  'prefectura (?:de )?',
  'province (?:de |du |of )?',
  'provincia (?:de la |del |di |de )?',
  'provinz',
  'regi[oó]n (?:de la |del |de |of )?',
  'r[eé]gion (?:de la |de l.|des |du |de |d.)?',
  'regione',
  'republic of',
  'rep[uú]blica de',
  'state of',
  'woiwodschaft',
  'wojew[oó]dztwo',
];
const BEHIND = [
  'autonomous (?:okrug|oblast|region|republic)',
  'borough',
  'canton',
  'census area',
  'county',
  'department',
  'district',
  'division',
  'fylke',
  'governorate',
  'kommun',
  'krai',
  'kraj',
  'l[aä]n',
  'maakunta',
  'megye',
  'municipality',
  'oblast',
  'parish',
  'prefecture',
  'province',
  'region',
  'republic',
  'state',
  'voivodeship',
  'vil[aâ]yeti',
];
const KIND_BEFORE = new RegExp(`^(?:${BEFORE.join('|')}) *(?<=[ '’])(?=\\S)`, 'i');
const KIND_BEHIND = new RegExp(` (?:${BEHIND.join('|')})$`, 'i');
/** The characters for province, city, prefecture and district at the end of a name. Korean has further words before them. */
const CHARACTERS_BEHIND = /(?<=..) ?(?:특별자치|광역|특별)?(?:省|市|県|縣|府|都|区|區|도|시)$/;

/** A division's name, and its name without the word for its kind. */
export function spellingsOfDivision(name: string): readonly string[] {
  const bare = name
    .replace(/ +/g, ' ')
    .replace(KIND_BEFORE, '')
    .replace(KIND_BEHIND, '')
    .replace(CHARACTERS_BEHIND, '');
  return bare === name || bare === '' ? [name] : [name, bare];
}
