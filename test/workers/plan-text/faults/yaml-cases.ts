import { FaultLog } from '../../../../workers/plan-text/faults/text-fault.ts';
import { readYaml } from '../../../../workers/plan-text/yaml/read-yaml.ts';

export function readText(text: string) {
  const log = new FaultLog(text);
  const node = log.readText(() => readYaml(text, log));
  return { node, faults: log.faults() };
}

/** A text with `^` at its fault. */
export const YAML_FAULTS: readonly (readonly [marked: string, fault: RegExp])[] = [
  ['a: &b ^1', /^YAML_FEATURE anchors \(&\) are not allowed: delete it/],
  ['a: ^*b', /^YAML_FEATURE aliases \(\*\) are not allowed: write the value again/],
  ['a: ^!b c', /^YAML_FEATURE YAML takes a ! at the beginning for a tag: put the text in quotes: '!b c'/],
  [`a: ^!(${'b'.repeat(80)}`, new RegExp(`quotes: '!\\(${'b'.repeat(58)}'$`)],
  ['- a\n- ^!b c\n- d', /quotes: '!b c'/],
  ['a: ^!b [c]', /YAML_FEATURE YAML takes a !/],
  ['^%YAML 1.2\n---\na: 1', /^YAML_FEATURE directives are not allowed: delete this line/],
  ['# x\n^%YAML 1.2\n---\na: 1', /^YAML_FEATURE directives are not allowed/],
  ['a: 1\n^---\nb: 1', /^YAML_FEATURE a second document begins here: write one document, without ---/],
  ['^# nothing', /^YAML_SYNTAX the text is empty/],
  ['^', /^YAML_SYNTAX the text is empty/],
  ['? ^{ a: b }\n: c', /^YAML_FEATURE a key must be a text/],
  ['a: 1\n^a: 2', /^DUPLICATE_NAME "a" occurs twice in this map: rename or delete one/],
  ['a: ^\u0000', /^YAML_SYNTAX this character is not allowed in a text: delete it/],
  ['a: ^\u2028', /^YAML_SYNTAX this character is not allowed/],
  ['a: ^\u2029', /^YAML_SYNTAX this character is not allowed/],
  ['a: ^\u200b', /^YAML_SYNTAX this character is not allowed/],
  ['a: ^\ud800', /^YAML_SYNTAX this character is not allowed/],
  ['a: ^\u0085', /^YAML_SYNTAX this character is not allowed/],
  ['a: "b^', /^YAML_SYNTAX this is not YAML: Missing closing "quote\. A text with ": ", "#" or a leading special/],
];
