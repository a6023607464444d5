import * as examples from '../../verified/sheet-examples.ts';
import { composeSheets, getSheet, listSheets } from '../../verified/sheets.ts';
import type { VerifiedTool } from './verified-tool.ts';

export const sheetTools: readonly VerifiedTool[] = [
  {
    name: 'svc_sheet_list',
    endpoint: listSheets,
    use: 'List reusable rules that plans may use, such as a spending cap, before you write constraints of your own. Any role.',
    example: {},
    answers: 'sheets [{name, version, sha256, title, origin}]: those of your tenant and those of the service.',
  },
  {
    name: 'svc_sheet_get',
    endpoint: getSheet,
    use: 'Read a sheet: its constraints, and its variables with their types. A plan that uses the sheet binds every variable. Any role.',
    args: { name: 'From svc_sheet_list.', version: 'From svc_sheet_list, such as 1.0.0.' },
    example: { name: examples.sheet.name, version: examples.sheet.version },
    answers: 'sha256, which a plan names, and sheet {variables, constraints}.',
  },
  {
    name: 'svc_sheet_compose',
    endpoint: composeSheets,
    use: 'Find out whether sheets can be used together: whether their types agree and some values satisfy all constraints. With save_as the composed sheet is stored permanently. Role: agent.',
    args: {
      sheets: '1 to 16, from svc_sheet_list, each once. Variables of one name are one variable.',
      save_as: 'Name for the result, or null. Names that begin with tollhouse. are reserved.',
    },
    example: examples.composeSheets.request,
    answers:
      'outcome. consistent: sheet and sha256 are the composition, witness satisfies it, redundant lists constraints that add nothing. conflict: leave out one of core. indeterminate: compose fewer.',
  },
];
