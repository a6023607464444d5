import { FaultLog } from '../../../../../workers/plan/text/faults/text-fault.ts';
import { readYaml } from '../../../../../workers/plan/text/yaml/read-yaml.ts';

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
  ['{ a: ^!b, c: d }', /quotes: '!b'$/],
  ['a: ^!b\nc: d', /quotes: '!b'$/],
  ['- a\n- ^!b c\n- d', /quotes: '!b c'/],
  ['a: ^!b [c]', /YAML_FEATURE YAML takes a !/],
  ['^%YAML 1.2\n---\na: 1', /^YAML_FEATURE directives are not allowed: delete this line/],
  ['# x\n^%YAML 1.2\n---\na: 1', /^YAML_FEATURE directives are not allowed/],
  ['a: 1\n^---\nb: 1', /^YAML_FEATURE a second document begins here: write one document, without ---/],
  ['^# nothing', /^YAML_SYNTAX the text is empty/],
  ['^', /^YAML_SYNTAX the text is empty/],
  ['? ^{ a: b }\n: c', /^YAML_FEATURE a key must be a text/],
  ['a: 1\n^a: 2', /^DUPLICATE_NAME "a" occurs twice in this map: rename or delete one/],
  ['a: ^\u0000', /^YAML_SYNTAX this character \(U\+0000\) is not allowed in a text: delete it/],
  ['a: ^\u2028', /^YAML_SYNTAX this character \(U\+2028\) is not allowed/],
  ['a: ^\u2029', /^YAML_SYNTAX this character \(U\+2029\) is not allowed/],
  ['a: ^\u200b', /^YAML_SYNTAX this character \(U\+200B\) is not allowed/],
  ['a: ^\ud800', /^YAML_SYNTAX this character \(U\+D800\) is not allowed/],
  ['a: ^\u0085', /^YAML_SYNTAX this character \(U\+0085\) is not allowed/],
  ['a: "b^', /^YAML_SYNTAX this is not YAML: Missing closing "quote\. A text with ": ", "#" or a leading special/],
  ['^\ufeffa: 1', /^YAML_SYNTAX this is a byte order mark \(U\+FEFF\), .* save the text in UTF-8 without it$/],
  [
    '{ a: 1, b: ^args.x == due[args.y].z, c: 2 }',
    /^YAML_SYNTAX .*: put the text in quotes: 'args\.x == due\[args\.y\]\.z'$/,
  ],
  ['a: { b: 1, c: ^args.x in ["e, f"] && !(d) }', /quotes: 'args\.x in \["e, f"\] && !\(d\)'$/],
  ['{ a: ^"x" == args.y }', /quotes: '"x" == args\.y'$/],
  ["a: ^'x' == args.y", /quotes: '''x'' == args\.y'$/],
  ['a:\n  - b: ^[c, d] in pairs', /quotes: '\[c, d\] in pairs'$/],
  ['a: ^b ? c : d', /quotes: 'b \? c : d'$/],
  ['a: ^> 5', /quotes: '> 5'$/],
  [`a: ^"x" == ${'b'.repeat(200)}`, /put the text in quotes$/],
  [
    '{ a: ^min(b, 5.00) > c }',
    /^YAML_SYNTAX a comma ends a value in braces: put the text in quotes: 'min\(b, 5\.00\) > c'$/,
  ],
  ['{ a: 1, b: ^25,000.00, c: 2 }', /a comma ends a value in braces: write 25000\.00$/],
  ['{ a: ^25,50 }', /write 25\.50$/],
  ['{ a: ^25,500 }', /write the number without it$/],
  ['a: ^b\n c: d', /begin in the same column$/],
  ['a:\n^\tb: c', /Write spaces at the beginning of the line$/],
  ['a: b\n^c', /Write a colon after the name: name: value$/],
];
