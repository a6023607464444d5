/** Degrees of a latitude and a longitude that a text writes. They may be out of range. */
export interface WrittenPoint {
  readonly latitude: number;
  readonly longitude: number;
}

const MAX_CHARACTERS = 100;
/** RFC 5870, with an altitude and parameters, which do not matter here. Latitude is always first. */
const GEO_URI = /^GEO:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)(?:,-?\d+(?:\.\d+)?)?(?:;CRS=WGS84)?(?:;U=[^;]*)?$/;
const LABEL = '(?:(LAT|LATITUDE|LON|LNG|LONG|LONGITUDE)[:=]? ?)?';
const DECIMAL = String.raw`${LABEL}([+-]?\d+(?:\.\d+)?) ?(°)? ?([NSEW])?`;
const MINUTES = String.raw`${LABEL}([+-]?\d+)(?: ?(°) ?| )(\d+(?:\.\d+)?) ?'?(?: ?(\d+(?:\.\d+)?) ?(?:"|''))? ?([NSEW])?`;
const BARE_SECONDS = String.raw`${LABEL}([+-]?\d+) (\d+) (\d+(?:\.\d+)?) ?([NSEW])?`;
const BETWEEN = ' ?[,;/ ] ?';
const pair = (angle: string) => new RegExp(`^${angle}${BETWEEN}${angle}$`);
const DECIMAL_PAIR = pair(DECIMAL);
const MINUTES_PAIR = pair(MINUTES);
const BARE_SECONDS_PAIR = pair(BARE_SECONDS);

const DECIMAL_COMMAS = /^([+-]?\d+),(\d+)( ?[; ] ?[+-]?\d+),(\d+)$/;
const LETTERS_FIRST = /^([NSEW]) ?([^A-Z,;/]+?)[,;/ ]+([NSEW]) ?([^A-Z,;/]+)$/;

interface Angle {
  readonly degrees: number;
  /** The axis that a letter or a label names. */
  readonly axis: 'latitude' | 'longitude' | undefined;
  /** Whether it is written as no other number is: with a fraction, a sign or a mark. */
  readonly isMarked: boolean;
}

/**
 * The point that a text consists of: `52.52, 13.405`, `52° 31.2' N 13° 24.3' E` or `geo:52.52,13.405`. Latitude is first unless
 * it exceeds 90, or letters say otherwise. Undefined for other texts. Two integers may be postcodes.
 */
export function readCoordinates(text: string): WrittenPoint | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const plain = text
    .trim()
    .replace(/[−–]/g, '-')
    .replace(/[º˚]/g, '°')
    .replace(/[′’‘´]/g, "'")
    .replace(/[″”“]/g, '"')
    .normalize('NFKC')
    .toUpperCase()
    .replace(/^[([] ?(.*?) ?[)\]]$/, '$1');
  const [, latitude, longitude] = GEO_URI.exec(plain) ?? [];
  if (latitude !== undefined) return { latitude: Number(latitude), longitude: Number(longitude) };
  const [first, second] = anglesOf(
    plain
      .replace(DECIMAL_COMMAS, '$1.$2$3.$4')
      .replace(LETTERS_FIRST, (_, letter, angle, next, other) => `${angle} ${letter} ${other} ${next}`),
  );
  if (first === undefined || second === undefined) return undefined;
  if (first.axis === undefined && second.axis === undefined) {
    if (!first.isMarked && !second.isMarked) return undefined;
    const isSwapped = Math.abs(first.degrees) > 90;
    return isSwapped ? toPoint(second, first) : toPoint(first, second);
  }
  if (first.axis === second.axis || first.axis === undefined || second.axis === undefined) return undefined;
  return first.axis === 'latitude' ? toPoint(first, second) : toPoint(second, first);
}

function toPoint(latitude: Angle, longitude: Angle): WrittenPoint {
  return { latitude: latitude.degrees, longitude: longitude.degrees };
}

function anglesOf(plain: string): readonly (Angle | undefined)[] {
  const decimal = DECIMAL_PAIR.exec(plain)?.slice(1);
  if (decimal !== undefined) {
    return [decimal.slice(0, 4), decimal.slice(4)].map(([label, degrees, mark, letter]) =>
      angleOf({ label, degrees, mark, letter }),
    );
  }
  const minutes = MINUTES_PAIR.exec(plain)?.slice(1);
  if (minutes !== undefined) {
    return [minutes.slice(0, 6), minutes.slice(6)].map(([label, degrees, mark, minute, second, letter]) =>
      angleOf({ label, degrees, mark, minute, second, letter }),
    );
  }
  const bare = BARE_SECONDS_PAIR.exec(plain)?.slice(1) ?? [];
  return [bare.slice(0, 5), bare.slice(5)].map(([label, degrees, minute, second, letter]) =>
    angleOf({ label, degrees, minute, second, letter }),
  );
}

type AngleParts = Readonly<
  Partial<Record<'label' | 'letter' | 'degrees' | 'mark' | 'minute' | 'second', string | undefined>>
>;

/** Minutes without a mark or a letter may be anything. Sixty minutes or seconds are out of range. */
function angleOf({ label, letter, degrees, mark, minute = '0', second = '0' }: AngleParts): Angle | undefined {
  if (degrees === undefined) return undefined;
  const isSplit = minute !== '0' || second !== '0';
  if (isSplit && letter === undefined && mark === undefined) return undefined;
  const isInRange = Number(minute) < 60 && Number(second) < 60;
  const size = Math.abs(Number(degrees)) + Number(minute) / 60 + Number(second) / 3600;
  const isNegative = degrees.startsWith('-') || letter === 'S' || letter === 'W';
  const name = letter ?? label?.charAt(1);
  const isLatitude = letter === undefined ? name === 'A' : 'NS'.includes(letter);
  return {
    degrees: isInRange ? size * (isNegative ? -1 : 1) : Infinity,
    axis: name === undefined ? undefined : isLatitude ? 'latitude' : 'longitude',
    isMarked: mark !== undefined || /[.+-]/.test(degrees),
  };
}
