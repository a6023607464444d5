import * as examples from '../../verified/sheet-examples.ts';
import { sheets } from '../../verified/sheets.ts';
import { endpointNamed } from './endpoint-named.ts';
import { ADDS, KEY, READS, type VerifiedTool } from './verified-tool.ts';

export const sheetTools: readonly VerifiedTool[] = [
  {
    name: 'svc_sheet_list',
    title: 'List sheets',
    endpoint: endpointNamed(sheets, 'verified_list_sheets'),
    use: 'List the sheets that plans may use: rules that were written once, such as a spending cap, with typed variables. Those of your tenant, and those that come with the service. Look here before you write constraints of your own. Any role.',
    args: {},
    example: {},
    answers:
      'sheets [{name, version, sha256, title, origin}]: what a plan names in sheets, beside scope and bind. svc_sheet_get tells what is in one.',
    remedies: { SERVICE_UNAVAILABLE: 'Wait a second, and call again.' },
    hints: READS,
  },
  {
    name: 'svc_sheet_get',
    title: 'Read a sheet',
    endpoint: endpointNamed(sheets, 'verified_get_sheet'),
    use: 'Read a sheet: its variables with their types, all of which a plan that uses it binds, and its constraints. Any role.',
    args: { name: 'As svc_sheet_list answered it.', version: 'As svc_sheet_list answered it, such as 1.0.0.' },
    example: { name: examples.sheet.name, version: examples.sheet.version },
    answers: 'sha256, which a plan names, and sheet {variables, constraints}.',
    remedies: { NOT_FOUND: 'There is no such sheet of that version: take name and version from svc_sheet_list.' },
    hints: READS,
  },
  {
    name: 'svc_sheet_compose',
    title: 'Put sheets together',
    endpoint: endpointNamed(sheets, 'verified_compose_sheets'),
    use: 'Find out whether sheets can be used together: whether their types agree and some values obey all their constraints, what each adds, and within which bounds it leaves the numbers. With save_as, the sheet that they make together is kept, for good, and plans may use it. Role of the key: agent.',
    args: {
      sheets:
        '[{name, version, sha256}] as svc_sheet_list answered them, 1 to 16. Variables of one name are one variable. One that is entailed by those before it is redundant.',
      save_as: '{name, version, title} to keep the result under, title may be left out; or null to keep nothing.',
      idempotency_key: KEY.optional,
    },
    example: examples.composeSheets.request,
    answers:
      'outcome. "consistent": sheet and sha256 are the composition, witness values that obey it, redundant the constraints that add nothing, bounds the least and greatest value of each number. "conflict": core names what cannot be together; leave one of these out. "indeterminate": not decided within the limits; compose fewer.',
    remedies: {
      MALFORMED_INPUT:
        'The message begins with a JSON pointer to what is wrong: each sheet stands once, with the sha256 that svc_sheet_list has; names that begin with tollhouse. are not yours to give.',
      SHEET_EXISTS: 'Another sheet has that name and version: save it under a higher version.',
      TOO_MANY_SHEETS:
        'Your tenant keeps as many sheets as it may: use those that there are, or compose with save_as null.',
      ROLE_NOT_ALLOWED: 'Call with a key of role agent.',
      IDEMPOTENCY_KEY_REUSED: 'This key was used for another request: send a new idempotency_key.',
    },
    hints: { ...ADDS, idempotentHint: false },
  },
];
