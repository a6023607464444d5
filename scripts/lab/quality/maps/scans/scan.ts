import { readGazetteer } from '../../../../../services/maps/geocoder/gazetteer-files.ts';
import { type Gazetteer, openGazetteer } from '../../../../../workers/geocoding/gazetteer/gazetteer.ts';
import { createGeocoding, type Geocoding } from '../../../../../workers/geocoding/geocoding.ts';

export interface Scanned {
  readonly gazetteer: Gazetteer;
  readonly geocoding: Geocoding;
}

export interface Finding {
  /** What was checked: a place, a division or a query. No two findings of a scan have the same. */
  readonly subject: string;
  readonly fault: string;
}

/** A check of every place, division or query of a kind. */
export interface Scan {
  readonly name: string;
  /** @param onPlace is called after each place of the gazetteer, by scans that take longer than some seconds */
  readonly run: (
    scanned: Scanned,
    onPlace: () => void,
  ) => { readonly checked: number; readonly findings: readonly Finding[] };
  /** Findings that are right as they are, by subject, with the reason. */
  readonly accepted: Readonly<Record<string, string>>;
}

export interface ScanResult {
  readonly name: string;
  readonly checked: number;
  readonly wrong: readonly Finding[];
  readonly accepted: readonly { readonly subject: string; readonly reason: string }[];
}

export async function openScanned(): Promise<Scanned> {
  const gazetteer = openGazetteer(await readGazetteer());
  return { gazetteer, geocoding: createGeocoding(gazetteer) };
}

export function runScan({ name, run, accepted }: Scan, scanned: Scanned, onPlace = () => {}): ScanResult {
  const { checked, findings } = run(scanned, onPlace);
  const reasonOf = ({ subject }: Finding) => accepted[subject];
  return {
    name,
    checked,
    wrong: findings.filter((finding) => reasonOf(finding) === undefined),
    accepted: findings.flatMap((finding) => {
      const reason = reasonOf(finding);
      return reason === undefined ? [] : [{ subject: finding.subject, reason }];
    }),
  };
}

export function formatScan({ name, checked, wrong, accepted }: ScanResult): string {
  return [
    `${name}: ${checked} checked, ${wrong.length} wrong, ${accepted.length} accepted`,
    ...wrong.map(({ subject, fault }) => `  ${subject}: ${fault}`),
    ...accepted.map(({ subject, reason }) => `  accepted: ${subject}: ${reason}`),
  ].join('\n');
}
