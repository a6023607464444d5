import type { TextFaultCode } from '../../../../../workers/plan/text/faults/text-fault.ts';
import { compileTools } from '../../../../../workers/plan/text/tools/compile-tools.ts';
import { compileText, planText } from '../../../../models/plan-texts.ts';

/** A catalogue whose tool has an argument of a type. */
export const withArg = (type: string) =>
  compileTools(`tools:\n  look@1.0.0:\n    args: { a: '${type.replaceAll("'", "''")}' }\n`);
export const COLUMN = "    args: { a: '".length + 1;
export const words = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);

/** A type with `^` at the fault. */
export const TYPE_FAULTS: readonly (readonly [string, RegExp])[] = [
  ['^strnig(3)', /"strnig\(3\)" is not a type: write string\(64\).*Did you mean string\?/],
  ['^1int', /is not a type/],
  ['^int x', /is not a type/],
  ['^enum(a', /a comma ends a value inside braces: put this type in quotes/],
  ['^int)', /is not a type/],
  ['^string(1, email, 2)', /string takes at most 2 values in its parentheses/],
  ['^int(0..1, 2)', /int takes at most 1 values/],
  ['^decimal(1, 0..1, 2)', /decimal takes at most 2 values/],
  ['^decimal', /decimal needs its number of decimals: write decimal\(2\)/],
  ['decimal(^19)', /"19" is not a number from 0 to 18/],
  ['decimal(^02)', /from 0 to 18/],
  ['decimal(^x2)', /from 0 to 18/],
  ['decimal( ^2x)', /from 0 to 18/],
  ['string(^65537)', /from 0 to 65536/],
  ['string(^-1)', /from 0 to 65536/],
  ['string(3, ^nfc)', /"nfc" is not how a text is folded: write string\(254, email\), or trimmed\./],
  ['string(3, ^trimed)', /Did you mean trimmed\?/],
  ['^bool(1)', /bool takes no parentheses: write bool/],
  ['^time(1)', /time takes no parentheses/],
  ['^duration(1)', /duration takes no parentheses/],
  ['int(^..)', /"\.\." is not a range: write, for example, 0\.\.100/],
  ['int(^5)', /"5" is not a range/],
  ['int(^0..1 x)', /is not a range/],
  ['int(^x 0..1)', /is not a range/],
  ['int(^2..1)', /the range 2\.\.1 is empty: write the smaller number first/],
  ['decimal(2, ^1.01..1)', /the range 1\.01\.\.1 is empty/],
  ['int(^a..1)', /"a" is not a number/],
  ['int(0..  ^b)', /"b" is not a number/],
  ['decimal(1, 0..^1.25)', /2 decimals/],
  ['^enum', /enum has 1 to 256 values: write enum\(open, paid\)/],
  [`^enum(${words(257)})`, /enum has 1 to 256 values/],
  ['enum(a,^)', /a value of an enum has 1 to 64 characters/],
  [`enum(a, ^${'b'.repeat(65)})`, /has 1 to 64 characters/],
  ['enum(a, b, ^a)', /"a" occurs twice in this enum/],
];

export const STATE = 'sent: "map(string(254), int(0..), default 0)"';
/** A plan whose state has a map. */
export const withMap = (type: string) => compileText(planText([]).replace(STATE, `${STATE}, m: '${type}'`));
export const MAP_COLUMN = `state: { left: 80.00, ${STATE}, m: '`.length + 1;

/** A type of a map with `^` at the fault, the code, and a part of the message. */
export const MAP_FAULTS: readonly (readonly [string, TextFaultCode, RegExp])[] = [
  ['^map(int)', 'MALFORMED_TYPE', /a map has a type of keys, a type of values, and in a plan a default: write map\(/],
  ['^map()', 'MALFORMED_TYPE', /a map has a type of keys|is not a type/],
  ['^map(int, int, default 0, 1)', 'MALFORMED_TYPE', /a map has a type of keys/],
  [
    'map(^decimal(2), int, default 0)',
    'MALFORMED_TYPE',
    /decimal\(2\) cannot be a key: keys are int, string, enum or bool/,
  ],
  ['map(^time, int, default 0)', 'MALFORMED_TYPE', /time cannot be a key/],
  ['map(^map(int, int), int, default 0)', 'MALFORMED_TYPE', /cannot be a key/],
  ['map(int, ^map(int, int), default 0)', 'MALFORMED_TYPE', /a map cannot hold maps/],
  ['map(int, int, ^0)', 'MALFORMED_TYPE', /the default is missing: write map\(/],
  ['map(int, int, ^x default 0)', 'MALFORMED_TYPE', /the default is missing/],
  ['map(int, int, default ^x)', 'MALFORMED_NUMBER', /"x" is not a number/],
  ['map(int, bool, default ^"true")', 'MALFORMED_VALUE', /is not a bool/],
  ['^map(int, int)', 'MALFORMED_TYPE', /a map in a plan has a default/],
];
