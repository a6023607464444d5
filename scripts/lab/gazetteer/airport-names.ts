import type { Airport } from './sources/airports.ts';

const KIND =
  /\b(international|intl|regional|municipal|county|airport|aeroport|aéroport|airfield|air base|aerodrome)\b/gi;
const LEAST_LETTERS = 4;

/** The names of an airport, its own first: with and without "International", its town's, and each last part of its name. */
export function airportNames({ name, alternates, town, isLarge }: Airport): readonly string[] {
  const known = [name, ...alternates].filter((full) => full.replace(KIND, '').trim() !== '');
  const names = [...known];
  for (const full of known) {
    const words = full
      .replace(KIND, ' ')
      .split(/[\s–/-]+/)
      .filter((word) => word !== '');
    for (const start of words.keys()) {
      const rest = words.slice(start).join(' ');
      if (rest.length < LEAST_LETTERS) continue;
      names.push(`${rest} Airport`, `${rest} International Airport`);
      // London Heathrow is also Heathrow, and Malpensa Airport is Malpensa.
      if (isLarge && rest !== town && [town, ''].includes(words.slice(0, start).join(' '))) names.push(rest);
    }
    // Ronald Reagan Washington National Airport is Reagan National Airport.
    const untowned = words.filter((word) => word !== town);
    if (isLarge && untowned.length < words.length) {
      for (const start of untowned.keys()) names.push(`${untowned.slice(start).join(' ')} Airport`);
    }
    for (const end of words.keys()) {
      const first = words.slice(0, end).join(' ');
      if (isLarge && first.length >= LEAST_LETTERS) names.push(`${first} Airport`);
    }
  }
  if (isLarge && town !== '') names.push(`${town} Airport`, `${town} International Airport`);
  return [...new Set(names)];
}
