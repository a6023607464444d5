/** Territories with an ISO 3166-1 code of their own, by the state that they belong to. Addresses often name the state. */
const TERRITORIES: Readonly<Record<string, string>> = {
  AU: 'CC CX HM NF',
  CN: 'HK MO',
  DK: 'FO GL',
  FI: 'AX',
  FR: 'BL GF GP MF MQ NC PF PM RE TF WF YT',
  GB: 'AI BM FK GG GI GS IM IO JE KY MS PN SH TC VG',
  NL: 'AW BQ CW SX',
  NO: 'BV SJ',
  NZ: 'CK NU TK',
  US: 'AS GU MP PR UM VI',
};

const SOVEREIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries(TERRITORIES).flatMap(([state, codes]) => codes.split(' ').map((code) => [code, state] as const)),
);

/** The state that a territory belongs to. Undefined for states. Both are ISO 3166-1 alpha-2 codes. */
export function sovereignOf(territory: string): string | undefined {
  return SOVEREIGNS.get(territory);
}
