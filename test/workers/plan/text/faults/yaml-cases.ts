import { FaultLog } from '../../../../../workers/plan/text/faults/text-fault.ts';
import { readYaml } from '../../../../../workers/plan/text/yaml/read-yaml.ts';
import { faultTable } from './fault-table.ts';

export function readText(text: string) {
  const log = new FaultLog(text);
  const node = log.readText(() => readYaml(text, log));
  return { node, faults: log.faults() };
}

/** Whole texts with `^` at their fault. */
export const YAML_FAULTS = faultTable(
  'a: 1',
  readText,
  `
@ a: 1
a: &b ^1 ⇒ YAML_FEATURE anchors (&) are not allowed: delete it
a: ^*b ⇒ YAML_FEATURE aliases (*) are not allowed: write the value again
a: ^!b c ¦ - a⏎- ^!b c⏎- d ⇒ YAML_FEATURE YAML takes a ! at the beginning for a tag: put the text in quotes: '!b c'
{ a: ^!b, c: d } ¦ a: ^!b⏎c: d ⇒ YAML_FEATURE quotes: '!b'$
a: ^!b [c] ⇒ YAML_FEATURE YAML takes a !
^%YAML 1.2⏎---⏎a: 1 ¦ # x⏎^%YAML 1.2⏎---⏎a: 1 ⇒ YAML_FEATURE directives are not allowed: delete this line
a: 1⏎^---⏎b: 1 ⇒ YAML_FEATURE a second document begins here: write one document, without ---
^# nothing ¦ ^ ⇒ YAML_SYNTAX the text is empty
? ^{ a: b }⏎: c ⇒ YAML_FEATURE a key must be a text
a: 1⏎^a: 2 ⇒ DUPLICATE_NAME "a" occurs twice in this map: rename or delete one
a: ^\u0000 ⇒ YAML_SYNTAX this character (U+0000) is not allowed in a text: delete it
a: ^\u2028 ¦ \u2029 ¦ \u200b ¦ \ud800 ¦ \u0085 ⇒ YAML_SYNTAX is not allowed
a: "b^ ⇒ YAML_SYNTAX this is not YAML: Missing closing "quote. A text with ": ", "#" or a leading special
^\ufeffa: 1 ⇒ YAML_SYNTAX this is a byte order mark (U+FEFF), … save the text in UTF-8 without it$
{ a: 1, b: ^args.x == due[args.y].z, c: 2 } ⇒ YAML_SYNTAX …: put the text in quotes: 'args.x == due[args.y].z'$
a: { b: 1, c: ^args.x in ["e, f"] && !(d) } ⇒ YAML_SYNTAX quotes: 'args.x in ["e, f"] && !(d)'$
{ a: ^"x" == args.y } ⇒ YAML_SYNTAX quotes: '"x" == args.y'$
a: ^'x' == args.y ⇒ YAML_SYNTAX quotes: '''x'' == args.y'$
a:⏎  - b: ^[c, d] in pairs ⇒ YAML_SYNTAX quotes: '[c, d] in pairs'$
a: ^b ? c : d ⇒ YAML_SYNTAX quotes: 'b ? c : d'$
a: ^> 5 ⇒ YAML_SYNTAX quotes: '> 5'$
a: ^"x" == ${'b'.repeat(200)} ⇒ YAML_SYNTAX put the text in quotes$
{ a: ^min(b, 5.00) > c } ⇒ YAML_SYNTAX a comma ends a value in braces: put the text in quotes: 'min(b, 5.00) > c'$
{ a: 1, b: ^25,000.00, c: 2 } ⇒ YAML_SYNTAX a comma ends a value in braces: write 25000.00$
{ a: ^25,50 } ⇒ YAML_SYNTAX write 25.50$
{ a: ^25,500 } ⇒ YAML_SYNTAX write the number without it$
a: ^b⏎ c: d ⇒ YAML_SYNTAX begin in the same column$
a:⏎^\tb: c ⇒ YAML_SYNTAX Write spaces at the beginning of the line$
a: b⏎^c ⇒ YAML_SYNTAX Write a colon after the name: name: value$
`,
);
